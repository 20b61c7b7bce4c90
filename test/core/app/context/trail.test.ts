// Tests that the trail keeps no credentials of the address that a CI system cloned from.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nodeClock } from '../../../../src/core/app/context/this-process.ts';
import { actOf } from '../../../../src/core/app/context/trail.ts';

const repositoryOf = (address: string) => actOf('apply', { env: { GIT_URL: address }, clock: nodeClock }).by.repository;

test.for([
  ['https://github.com/acme/chat.git', 'https://github.com/acme/chat.git'],
  ['https://bob:geheim@github.com/acme/chat.git', 'https://github.com/acme/chat.git'],
  ['https://geheim@github.com/acme/chat.git', 'https://github.com/acme/chat.git'],
  ['https://github.com/acme/chat.git?private_token=geheim#x', 'https://github.com/acme/chat.git'],
  ['ssh://git:geheim@host.example:22/acme/chat@v1', 'ssh://host.example:22/acme/chat@v1'],
  ['git@github.com:acme/chat.git', 'git@github.com:acme/chat.git'],
  ['bob:geheim@host.example:acme/chat.git', 'host.example:acme/chat.git'],
  ['acme/chat', 'acme/chat'],
])('%s is kept as %s', ([address = '', kept]) => {
  expect(repositoryOf(address)).toBe(kept);
});

test('keeps neither user nor password, whatever characters they contain', () => {
  const secret = fc.stringMatching(/^[!-~]{6,20}$/u).map((text) => `Q${text}Q`);
  fc.assert(
    fc.property(fc.constantFrom('https', 'ssh', 'HTTPS', 'git'), secret, secret, (scheme, user, password) => {
      const kept = repositoryOf(`${scheme}://${user}:${password}@host.example/acme/chat.git`) ?? '';
      expect(kept).not.toContain(password);
      expect(kept).not.toContain(user);
      expect(kept).toContain('acme/chat.git');
    }),
  );
});
