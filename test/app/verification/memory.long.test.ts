// Tests that verification needs little memory, however many messages there are.
import { spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { servedArchives, writeEstate } from '../../bench/verify.ts';
import { place } from '../../support/place.ts';
import { program } from '../../support/program.ts';

const perChannel = 2_500;

test('compares 50,000 messages of 20 channels with a heap of 40 MB', async () => {
  const server = await servedArchives(perChannel);
  onTestFinished(() => void server.close());
  const at = await place();
  await writeEstate(at.cwd, `http://127.0.0.1:${(server.address() as AddressInfo).port}/v3`, perChannel);
  const args = ['--max-old-space-size=40', program, 'verify', '--all', 'm.yaml'];
  const env = { ...process.env, NO_COLOR: '1', CHATFORM_API_TOKEN: 'a'.repeat(40) };
  const child = spawn(process.execPath, args, { cwd: at.cwd, env });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      said += String(text);
    });
  }
  const exit = await new Promise((resolve) => child.on('close', resolve));
  expect(said).toContain('50,000 compared one by one');
  expect(exit).toBe(0);
});
