// Tests where drift is written, what is listed instead, and that nothing is written in doubt.
import { chmod, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyChanges } from '../../../src/core/app/apply.ts';
import { type RunningEmulator, startEmulator } from '../../../src/emulator/server.ts';
import { writeDrift } from '../../../src/tools/live-import/drift-write.ts';
import { testPorts } from '../../core/app/support/ports.ts';
import { call } from '../../support/platform.ts';

let running: RunningEmulator;
beforeAll(async () => {
  running = await startEmulator({ rateLimits: false });
});
afterAll(() => running.close());

/** Begins a placeholder. */
const sign = '$';
let count = 0;

/** An applied estate. `ID` in the files is the id of a user whose nickname others changed since. */
async function renamed(files: Readonly<Record<string, string>>, nickname: string = 'Live') {
  count += 1;
  const id = `user-${count}`;
  const named = Object.entries(files).map(([name, text]) => [name, text.replaceAll('ID', id)]);
  const ports = await testPorts(Object.fromEntries(named));
  Object.assign(ports.env, { CHATFORM_API_TOKEN: running.token, CHATFORM_VAR_NICK: 'Al' });
  const options = { paths: ['main'], baseUrl: running.url, ratePlan: '100k_mau', state: `file:state-${count}` };
  const { report } = await applyChanges(options, ports);
  expect(report.exit_code).toBe(0);
  await call(running, 'PUT', `/users/${id}`, { nickname });
  const text = () => readFile(join(ports.cwd, 'main/chat.yaml'), 'utf8');
  return { id, ports, options, text, write: () => writeDrift(options, ports) };
}

const block = 'version: 1\nusers:\n  ID:\n    nickname: Al # short\n';

test('writes the live value, and a second run has nothing to write', async () => {
  const { id, write, text } = await renamed({ 'main/chat.yaml': block });
  const { written, left, files } = await write();
  expect({ left, files }).toEqual({ left: [], files: ['main/chat.yaml'] });
  expect(written).toMatchObject([
    { address: `user.${id}`, source: { line: 4 }, attributes: [{ path: ['nickname'], before: 'Al', after: 'Live' }] },
  ]);
  expect(await text()).toBe(block.replace('ID', id).replace('Al ', 'Live '));
  expect(await write()).toMatchObject({ written: [], left: [], files: [] });
});

describe('names instead of writing', () => {
  test.for<readonly [string, Readonly<Record<string, string>>, string]>([
    [
      'a row',
      {
        'main/chat.yaml': 'version: 1\nsources: [{ kind: user, file: rows.csv }]\n',
        'main/rows.csv': 'user_id,nickname\nID,Al\n',
      },
      'declared by a row',
    ],
    [
      'a for_each block',
      { 'main/chat.yaml': `version: 1\nusers:\n  "${sign}{each.id}":\n    for_each: [{ id: ID }]\n    nickname: Al\n` },
      'declared by a row',
    ],
    [
      'a variable',
      {
        'main/chat.yaml': `version: 1\nvariables: { nick: { default: Al } }\nusers: { ID: { nickname: "${sign}{var.nick}" } }\n`,
      },
      'comes from a variable',
    ],
    [
      'defaults',
      { 'main/chat.yaml': 'version: 1\ndefaults: { users: { nickname: Al } }\nusers: { ID: {} }\n' },
      'comes from defaults',
    ],
    [
      'an anchor',
      { 'main/chat.yaml': 'version: 1\nusers: { ID: { nickname: &n Al, metadata: { a: *n } } }\n' },
      'has an anchor',
    ],
    ['a base', { 'main/chat.yaml': 'version: 1\nextends: ../base\n', 'base/chat.yaml': block }, 'declared in a base'],
    [
      'an overlay',
      {
        'main/chat.yaml': 'version: 1\nextends: ../base\nusers: { ID: { nickname: Al } }\n',
        'base/chat.yaml': 'version: 1\nusers: { ID: { nickname: Bo } }\n',
      },
      'a base and an overlay',
    ],
  ])('the value of %s, with its place', async ([, files, why]) => {
    const { id, ports, write, text } = await renamed(files);
    const before = await text();
    const { written, left } = await write();
    expect(written).toEqual([]);
    expect(left).toMatchObject([
      { address: `user.${id}`, attributes: [{ after: 'Live' }], note: expect.stringContaining(why) },
    ]);
    expect(left[0]?.source?.line).toBeGreaterThan(0);
    expect(await text()).toBe(before);
    expect((await readdir(ports.cwd, { recursive: true })).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('a deleted object, whose block stays', async () => {
    const { id, write, text } = await renamed({ 'main/chat.yaml': block });
    const before = await text();
    await call(running, 'DELETE', `/users/${id}`);
    const { written, left } = await write();
    expect([written, await text()]).toEqual([[], before]);
    expect(left).toMatchObject([{ type: 'missing', note: expect.stringContaining('Delete its block') }]);
  });

  test('a value that was edited since the last apply', async () => {
    const { ports, write, text } = await renamed({ 'main/chat.yaml': block });
    const edited = (await text()).replace('Al ', 'Mine ');
    await writeFile(join(ports.cwd, 'main/chat.yaml'), edited);
    expect(await write()).toMatchObject({ written: [], left: [{ note: expect.stringContaining('not applied yet') }] });
    expect(await text()).toBe(edited);
  });

  test('a live value that contains the API token, without showing it', async () => {
    const { write, text } = await renamed({ 'main/chat.yaml': block }, `x ${running.token}`);
    const { written, left } = await write();
    expect(written).toEqual([]);
    expect(JSON.stringify(left)).not.toContain(running.token);
    expect(await text()).not.toContain(running.token);
  });

  test('the values of an object that would make the manifests invalid, while others are written', async () => {
    const files = { 'main/chat.yaml': `${block}    metadata: { mail: none }\n  other-ID: { nickname: Bo }\n` };
    const { id, write, text } = await renamed(files);
    await call(running, 'PUT', `/users/${id}/metadata`, { metadata: { mail: 'al@example.com' } });
    await call(running, 'PUT', `/users/other-${id}`, { nickname: 'Bert' });
    const before = await text();
    const { written, left } = await write();
    expect(written).toMatchObject([{ address: `user.other-${id}` }]);
    expect(left).toHaveLength(2);
    expect(left[0]?.note).toContain('The manifests would not be valid: ');
    expect(await text()).toBe(before.replace('nickname: Bo ', 'nickname: Bert '));
  });

  test('a value in a file that a link leads to out of the folder', async () => {
    const { ports, options, write, text } = await renamed({ 'main/chat.yaml': block });
    const outside = await testPorts({});
    await rename(join(ports.cwd, 'main/chat.yaml'), join(outside.cwd, 'chat.yaml'));
    await symlink(join(outside.cwd, 'chat.yaml'), join(ports.cwd, 'main/chat.yaml'));
    const before = await text();
    const named = { ...options, paths: ['main/chat.yaml'] };
    expect(await writeDrift(named, ports)).toMatchObject({
      written: [],
      left: [{ note: expect.stringContaining('leads out of the folder') }],
    });
    await expect(write()).rejects.toMatchObject({ exitCode: 65 });
    expect(await text()).toBe(before);
  });
});

test('refuses to write when a manifest changed while the drift was read', async () => {
  const { ports, options, text } = await renamed({ 'main/chat.yaml': block });
  const file = join(ports.cwd, 'main/chat.yaml');
  let edit: Promise<void> | undefined;
  const notify = () => {
    edit ??= text().then((now) => writeFile(file, now.replace('short', 'long')));
  };
  const result = writeDrift(options, { ...ports, notify });
  const ended = await result.then(
    ({ written }) => written.length,
    (error: { code?: string }) => error.code,
  );
  await edit;
  expect(['drift.file-changed', 1]).toContain(ended);
  expect(await text()).toContain('# long');
});

test('keeps the mode of a file', async () => {
  const { ports, write } = await renamed({ 'main/chat.yaml': block });
  const file = join(ports.cwd, 'main/chat.yaml');
  await chmod(file, 0o640);
  await write();
  expect((await stat(file)).mode & 0o777).toBe(0o640);
});
