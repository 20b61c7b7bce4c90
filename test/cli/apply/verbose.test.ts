// Tests that --verbose reports every attempt with its history and the platform's name for it, and never a token or an id.

import { expect, test } from 'vitest';
import { serve } from '../../support/loopback.ts';
import { startPlatform } from '../../support/platform.ts';
import { expectEnd, fastClock, runCli, succeeded } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const manifest = (url: string) => `
version: 1
application: { base_url: "${url}", rate_plan: 100k_mau }
users: { alice: { nickname: Alice } }
`;

test('prints each attempt with its number', async () => {
  const rules = [{ fault: 'error_503', route: 'POST /users', at: [1, 2] }] as const;
  const emulator = await startPlatform({ faults: { rules: [...rules] } });
  const cwd = await temporaryFolder({ 'chat.yaml': manifest(emulator.url) });
  const env = { CHATFORM_API_TOKEN: emulator.token };
  const ended = await succeeded(runCli(['apply', '--auto-approve', '--verbose'], { cwd, env, clock: fastClock(20) }));
  const attempts = ended.stderr.split('\n').filter((line) => line.startsWith('  POST /users:'));
  expect(attempts.map((line) => line.replace(/after \d+ ms/u, 'after 1 ms'))).toEqual([
    '  POST /users: 503 after 1 ms',
    '  POST /users: 503 after 1 ms, attempt 2',
    '  POST /users: 200 after 1 ms, attempt 3',
  ]);
  expect(ended.stdout + ended.stderr).not.toContain(emulator.token);
});

test.for([
  ['plan', '--refresh'],
  ['explain', 'user.alice', '--refresh'],
  ['validate', '--online'],
])('prints the request ID of the platform in %s', async (args) => {
  const host = await serve((_request, response) => {
    response.writeHead(400, { 'x-request-id': 'req-4711', 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: true, code: 400401, message: 'Invalid API token: s3cret-token.' }));
  });
  const cwd = await temporaryFolder({
    'chat.yaml': manifest(`http://${host}/v3`),
  });
  const env = { CHATFORM_API_TOKEN: 's3cret-token' };
  const ended = await expectEnd(
    runCli([...args, '--verbose'], { cwd, env }),
    3,
    /^ {2}GET \/\S+: 400 after \d+ ms, code 400401, request id req-4711$/mu,
  );
  expect(ended.stdout + ended.stderr).not.toContain('s3cret-token');
  expect((await runCli(args, { cwd, env })).stderr).not.toContain('req-4711');
});
