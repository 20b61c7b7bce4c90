// Tests that every failure of a run is reported with advice: on standard error for people, in the report for programs.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deskElsewhere, reaching } from '../../support/desk.ts';
import { serve } from '../../support/loopback.ts';
import { call, startPlatform } from '../../support/platform.ts';
import { expectEnd, runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('shows the code and the advice of a failure with --redact, but not the message of the platform', async () => {
  const host = await serve((_request, response) => {
    response.statusCode = 400;
    response.end('{"error":true,"code":400111,"message":"nickname Ada Lovelace is not one of ours"}');
  });
  const env = {
    CHATFORM_BASE_URL: `http://${host}/v3`,
    CHATFORM_API_TOKEN: 'token',
    GITHUB_STEP_SUMMARY: 'summary.md',
  };
  const args = ['apply', '--auto-approve', '--report', 'report.json', '--events', 'events.ndjson'];
  for (const redact of [true, false]) {
    const cwd = await temporaryFolder({ 'a.yaml': 'version: 1\nusers: { ada: { nickname: Ada Lovelace } }\n' });
    const { stdout, stderr } = await expectEnd(runCli(redact ? [...args, '--redact'] : args, { cwd, env }), 4);
    const files = await Promise.all(
      ['report.json', 'events.ndjson', 'summary.md'].map((file) => readFile(join(cwd, file), 'utf8')),
    );
    for (const text of [stderr, ...files]) expect(text.includes('Lovelace')).toBe(!redact);
    expect(stdout.includes('Lovelace')).toBe(!redact);
    if (redact) expect(stderr).toMatch(/answered with 400, code 400111: \[40 characters, \w{10}\]\s+create user\.ada/u);
  }
});

test('ends with 4, names each failed step with its code and advice, and runs independent steps', async () => {
  const running = await startPlatform();
  const cwd = await temporaryFolder(deskElsewhere);
  // Another client has created these.
  await call(running, 'POST', '/users', { user_id: 'carol', nickname: 'Carolin', profile_url: '' });
  await call(running, 'POST', '/open_channels', { channel_url: 'lobby', name: 'Another lobby' });

  const ended = await expectEnd(
    runCli(['apply', '--auto-approve', '--report', 'report.json'], { cwd, env: reaching(running) }),
    4,
  );
  const { steps, failures } = JSON.parse(await readFile(join(cwd, 'report.json'), 'utf8'));
  expect(steps).toMatchObject({ failed: 2, unknown: 0 });
  const failure = (address: string, call: string) => ({
    address,
    action: 'create',
    call,
    status: 400,
    code: 400202,
    message: expect.stringContaining(`${address} already exists`),
    advice: expect.stringContaining('adopt_equal'),
  });
  expect(failures).toHaveLength(2);
  expect(failures).toEqual(
    expect.arrayContaining([
      failure('user.carol', 'POST /users'),
      failure('open_channel.lobby', 'POST /open_channels'),
    ]),
  );

  const told = ended.stderr.replaceAll(/\s+/gu, ' ');
  expect(told).toContain('1 failure of POST /users, answered with 400, code 400202');
  expect(told).toContain('1 failure of POST /open_channels, answered with 400, code 400202');
  expect(told).toContain('create user.carol');
  expect(told).toContain('create open_channel.lobby');
  expect(told).toContain('policy: {existing: adopt_equal}');
  expect(told).toContain('run the same command again');
  expect(told).toContain('Exit code 4');
});
