// Tests the emulator as people start it: its address, its request log, faults from a file and by the admin call, a clean end.
import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { DEFAULT_BEHAVIOURS, parseBehaviours } from '../../../src/emulator/api/behaviours.ts';
import { FAULT_KINDS, parseFaults } from '../../../src/emulator/faults.ts';
import { place } from '../../support/place.ts';
import { runCli } from '../../support/run-cli.ts';
import { spawnCli } from '../../support/spawn-cli.ts';

interface Started {
  readonly url: string;
  readonly child: ReturnType<typeof spawnCli>;
  call(method: string, path: string, body?: object): Promise<Response>;
}

async function start(args: readonly string[], cwd: string): Promise<Started> {
  const child = spawnCli(['emulator', '--port', '0', '--format', 'json', ...args], { cwd });
  await child.wrote(/\}\n/u);
  const { url, token } = JSON.parse(child.stdout) as { url: string; token: string };
  const call: Started['call'] = (method, path, body) =>
    fetch(path.startsWith('/_') ? new URL(path, url) : `${url}${path}`, {
      method,
      headers: { 'Api-Token': token, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return { url, child, call };
}

const ann = { user_id: 'ann', nickname: 'Ann', profile_url: '' };

test('prints its address, keeps data, logs requests and stops', async () => {
  const at = await place();
  const first = await start(['--data', 'data', '--verbose'], at.cwd);
  expect((await first.call('POST', '/users', ann)).status).toBe(200);
  first.child.kill('SIGINT');
  const ended = await first.child.ended;
  expect(ended).toMatchObject({ exit: 0 });
  expect(ended.stderr).toContain('200 POST /users');
  const second = await start(['--data', 'data'], at.cwd);
  expect(await (await second.call('GET', '/users/ann')).json()).toMatchObject({ nickname: 'Ann' });
});

test('refuses to start with the data of another emulator', async () => {
  const at = await place();
  await start(['--data', 'data'], at.cwd);
  await at.ends('emulator --port 0 --data data', 7, 'another run may be in progress');
});

test.for([
  ['file.txt/data', 'the folder are writable'],
  ['file.txt', 'is not a data file'],
] as const)('refuses to start with %s', async ([data, says]) => {
  const at = await place({ 'file.txt': 'x\n' });
  await at.ends(`emulator --port 0 --data ${data}`, 1, says);
});

test.for([
  ['{"rules": [{"fault": "gremlins"}]}', 'rules[0].fault must be one of latency, '],
  ['rules: []', 'is not valid JSON'],
] as const)('refuses a file of faults with its error and the place of the format: %s', async ([text, says]) => {
  const at = await place({ 'faults.json': text });
  const help = 'Run chatform emulator --help for the format of the file.';
  await at.ends('emulator --port 0 --faults faults.json', 64, 'The faults in', says, help);
});

test('shows a valid file of faults in its help, and every fault', async () => {
  const { stdout } = await runCli(['emulator', '--help'], { cwd: '/' });
  const example = /^ {2}\{"seed"[\s\S]*?^ {2}\]\}$/mu.exec(stdout)?.[0] ?? '';
  expect(parseFaults(JSON.parse(example)).rules).toHaveLength(3);
  const names = /The faults\s+are ([^.]*)\./u.exec(stdout)?.[1]?.split(/,\s+/u);
  expect(names).toEqual([...FAULT_KINDS]);
});

test('takes faults from a file, and from the admin call only when it is allowed', async () => {
  const at = await place();
  const always = { seed: 1, rules: [{ fault: 'error_500_before' }] };
  await writeFile(at.path('faults.json'), JSON.stringify(always));
  const faulty = await start(['--faults', 'faults.json', '--deliver-to', 'http://127.0.0.1:9'], at.cwd);
  expect((await faulty.call('POST', '/users', ann)).status).toBe(500);
  expect((await faulty.call('PUT', '/_emulator/faults', { seed: 1, rules: [] })).status).toBe(200);
  expect((await faulty.call('POST', '/users', ann)).status).toBe(200);
  const closed = await start([], at.cwd);
  expect((await closed.call('PUT', '/_emulator/faults', always)).status).toBe(400);
  expect((await closed.call('POST', '/users', ann)).status).toBe(200);
});

test('takes single behaviours', async () => {
  const at = await place();
  const chosen = ['--behaviour', 'unknownRouteStatus=404', '--behaviour', 'profileImage=optional'];
  const { call } = await start(chosen, at.cwd);
  expect((await call('GET', '/nowhere')).status).toBe(404);
  expect((await call('POST', '/users', { user_id: 'ann', nickname: 'Ann' })).status).toBe(200);
});

test('refuses unknown behaviours and values together, and lists the valid ones', async () => {
  const wrong = '--behaviour dedup=never --behaviour weather=fair --behaviour profileImage';
  await (await place()).ends(
    `emulator --port 0 ${wrong}`,
    64,
    '"dedup=never" is not dedup=skip|refuse|ignore.',
    'Unknown behaviour "weather".',
    '"profileImage" is not profileImage=required|optional.',
    'Run chatform emulator --help for the list of behaviours and their values.',
  );
});

test('lists every reading in its help, with the default first', async () => {
  const { stdout } = await runCli(['emulator', '--help'], { cwd: '/' });
  const listed = [...stdout.matchAll(/^ {2}(\w+)=(\S+)$/gmu)];
  const defaults = listed.map(([, name = '', values = '']) => `${name}=${values.split('|')[0] ?? ''}`);
  expect(parseBehaviours(defaults)).toEqual(DEFAULT_BEHAVIOURS);
});
