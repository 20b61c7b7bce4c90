// Tests that no pattern of a policy can stop a load from finishing.
import { expect, test } from 'vitest';
import { load } from '../support/in-memory.ts';

const key = `${'a'.repeat(78)}!`;
const name = `${'a'.repeat(60)}!.yaml`;

async function judged(policy: string) {
  const text = `version: 1\npolicy: ${policy}\nusers: { "${key}": { nickname: A } }\nopen_channels: { room: { operators: ["${key}x"] } }\n`;
  const { diagnostics } = await load({ 'a.yaml': text, [name]: 'version: 1\nusers: { bob: { nickname: B } }\n' });
  return diagnostics.map(({ code, detail }) => `${code} ${detail}`).join('\n');
}

test.for(['^(a+)+$', '^(a|aa)+$', '^(a|a?)+$', '([a-z]*)*b', '^a*a*a*a*a*a*a*a*b'])(
  'the pattern %s finishes',
  async (pattern) => {
    const inside = JSON.stringify(pattern);
    expect(await judged(`{ external: { users: [${inside}] } }`)).toContain('manifest.undeclared-user');
    expect(await judged(`{ restrictions: [{ files: "**", users: [${inside}] }] }`)).toContain('manifest.restricted');
  },
);

test('refuses what RE2 has not, at its place and with a rewriting', async () => {
  const said = await judged(
    '{ external: { users: ["^(?!sys-)"] }, restrictions: [{ files: "**", users: ["(a+)+\\\\1"] }] }',
  );
  expect(said).toContain('RE2 has no look-around. Write ^(?:$|[^s]|s(?:');
  expect(said).toContain('RE2 has no backreferences. Write out the alternatives.');
});

test.for(['*a*a*a*a*a*a*b', '**/a/**/a/**/a/**/a/**/b', '{*a,*aa}{*a,*aa}{*a,*aa}b'])(
  'the files %s finish',
  async (files) => {
    expect(await judged(`{ restrictions: [{ files: "${files}", users: ["."] }] }`)).toContain('restriction-unused');
  },
);

test.for(['*(*a)b', '+(*a)b', '+(a*)b', '!a.yaml'])('the files %s are refused with a rewriting', async (files) => {
  expect(await judged(`{ restrictions: [{ files: "${files}", users: ["."] }] }`)).toMatch(
    /bad-pattern The glob .* has the form .* (?:Write|list) /u,
  );
});

test.for<readonly [pattern: string, expression: string]>([
  ['*', '.'],
  ['support-*', '^support-'],
  ['*-bot', '-bot$'],
  ['sys-*-bot', '^sys-.*-bot$'],
  ['*.acme*', '\\\\.acme'],
])('explains that %s is a glob, and what to write', async ([pattern, expression]) => {
  const advice = `not globs. Write "${expression}".`;
  expect(await judged(`{ external: { users: ["${pattern}"] } }`)).toContain(advice);
  expect(await judged(`{ restrictions: [{ files: "**", users: ["${pattern}"] }] }`)).toContain(advice);
});

test.for(['^sys-', '^sys-.*', 'sys-.*-bot', '^a*b$', '^(?:x|y)*$', '[a-z]*'])(
  'takes %s for an expression',
  async (pattern) => {
    expect(await judged(`{ external: { users: ["${pattern}"] } }`)).not.toContain('globs');
  },
);
