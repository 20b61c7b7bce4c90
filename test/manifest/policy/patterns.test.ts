// Tests that no pattern of a policy can stop a load from finishing.
import { expect, test } from 'vitest';
import { loadManifests } from '../../../src/manifest/load.ts';
import { registry } from '../../../src/resources/index.ts';
import { memoryFiles, memoryRoot } from '../../support/memory-files.ts';

const key = `${'a'.repeat(78)}!`;
const name = `${'a'.repeat(60)}!.yaml`;

async function load(policy: string) {
  const text = `version: 1\npolicy: ${policy}\nusers: { "${key}": { nickname: A } }\nopen_channels: { room: { operators: ["${key}x"] } }\n`;
  const files = memoryFiles({ 'a.yaml': text, [name]: 'version: 1\nusers: { bob: { nickname: B } }\n' });
  const options = { kinds: registry, cwd: memoryRoot, variables: () => undefined, files };
  const { diagnostics } = await loadManifests(['.'], options);
  return diagnostics.map(({ code, detail }) => `${code} ${detail}`).join('\n');
}

test.for(['^(a+)+$', '^(a|aa)+$', '^(a|a?)+$', '([a-z]*)*b', '^a*a*a*a*a*a*a*a*b'])(
  'the pattern %s finishes',
  async (pattern) => {
    const inside = JSON.stringify(pattern);
    expect(await load(`{ external: { users: [${inside}] } }`)).toContain('manifest.undeclared-user');
    expect(await load(`{ restrictions: [{ files: "**", users: [${inside}] }] }`)).toContain('manifest.restricted');
  },
);

test('refuses an expression that only an unbounded search can match', async () => {
  const said = await load(
    '{ external: { users: ["(?=a)(a+)+"] }, restrictions: [{ files: "**", users: ["(a+)+\\\\1"] }] }',
  );
  expect(said).toContain('RE2 has no lookarounds and backreferences: invalid or unsupported Perl syntax: `(?=`');
  expect(said).toContain('invalid escape sequence: `\\1`');
});

test.for(['*a*a*a*a*a*a*b', '**/a/**/a/**/a/**/a/**/b', '+(a)+(a)+(a)+(a)b'])(
  'the files %s are refused',
  async (files) => {
    expect(await load(`{ restrictions: [{ files: "${files}", users: ["."] }] }`)).toMatch(
      /bad-pattern .* has more than/u,
    );
  },
);
