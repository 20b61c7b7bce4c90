// Tests that a migration killed at any moment sends every message exactly once, to a platform without deduplication.
import { expect, test } from 'vitest';
import { archiveText } from '../../support/archives.ts';
import { reaching } from '../../support/desk.ts';
import { seededChance } from '../../support/kill-times.ts';
import { startPlatform } from '../../support/platform.ts';
import { runCli, succeeded } from '../../support/run-cli.ts';
import { spawnCli } from '../../support/spawn-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const channels = 6;
const messages = 1_000;
const kills = 12;
const time = 1_600_000_000_000;

test('kill -9 in the middle of a migration, again and again', async () => {
  const names = Array.from({ length: channels }, (_, place) => `room-${place}`);
  const history = (url: string) =>
    archiveText(
      Array.from({ length: messages }, (_, place) => ({
        message_type: 'MESG',
        user_id: 'alice',
        // Alike by threes, at one time.
        message: `${url} ${Math.floor(place / 3)}`,
        timestamp: time + Math.floor(place / 50) * 1000,
      })),
    );
  const cwd = await temporaryFolder({
    'm.yaml': `version: 1
application: { rate_plan: 100k_mau, limits: { "POST /migration/{channel_url}": 20 } }
users: { alice: { nickname: A, profile_url: '' } }
group_channels:
${names.map((name) => `  ${name}: { members: { alice: }, frozen: true }\n`).join('')}
sources: [{ kind: messages, file: "history/{channel_url}.ndjson" }]
`,
    ...Object.fromEntries(names.map((name) => [`history/${name}.ndjson`, history(name)])),
  });
  const emulator = await startPlatform({
    rateLimits: true,
    ratePlan: '100k_mau',
    raisedLimits: { 'POST /migration/{channel_url}': 20 },
    latencyMs: 300,
    readings: { dedup: 'ignore' },
  });
  const env = { ...reaching(emulator), CHATFORM_SETTLE_TIME: '1s' };
  const chance = seededChance();
  let killed = 0;
  for (let round = 0; round < kills; round++) {
    const child = spawnCli(['apply', '--auto-approve'], { cwd, env });
    await child.wrote(/Applying/u).catch(() => {});
    const timer = setTimeout(() => child.kill('SIGKILL'), 200 + chance() * 1500);
    const { exit, stderr } = await child.ended;
    clearTimeout(timer);
    expect([-1, 0], stderr).toContain(exit);
    if (exit === -1) killed++;
  }
  expect(killed).toBeGreaterThan(2);
  await succeeded(runCli(['apply', '--auto-approve'], { cwd, env }));
  const verified = await runCli(['verify', '--all', '--format', 'json'], { cwd, env });
  expect(JSON.parse(verified.stdout).totals).toMatchObject({
    channels,
    matched: channels,
    declared: channels * messages,
    compared: channels * messages,
    others: 0,
  });
  expect(await runCli(['plan', '--detailed-exitcode'], { cwd, env })).toMatchObject({ exit: 0 });
});
