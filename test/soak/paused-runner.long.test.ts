// Tests that a runner that was stopped until another one had its lock sends no message a second time when it wakes up, on a
// platform that does not recognise messages that it has. Real processes, real leases of 60 s, real signals.
//
// CHATFORM_PAUSE_TRIALS says how many trials are played, at most 20 at a time, each of about two minutes. Without it none is:
// a runner may be stopped between its last look at the lease and the write to its socket, most likely on a busy machine.
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startEmulator } from '../../src/emulator/server.ts';
import { reaching } from '../support/desk.ts';
import { writeFiles } from '../support/folders.ts';
import { seededChance } from '../support/kill-times.ts';
import { type CliEnd, runCli, succeeded } from '../support/run-cli.ts';
import { soon } from '../support/soon.ts';
import { spawnCli } from '../support/spawn-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const trials = Number(process.env.CHATFORM_PAUSE_TRIALS ?? 0);
const atATime = Math.min(trials, Number(process.env.CHATFORM_PAUSES_AT_ONCE ?? 20));
/** Spreads the trials over the pauses of the others, so that a busy machine keeps the pace of each. */
const apartMs = 75_000 / Math.max(1, atATime);

const channels = Array.from({ length: 60 }, (_, place) => `room-${place}`);
const messagesPerChannel = 10;
const expected = channels.length * messagesPerChannel;
const callsPerSecond = 60;
const route = 'POST /migration/{channel_url}';

const historyFile = Array.from({ length: messagesPerChannel }, (_, place) => ({
  message_type: 'MESG',
  user_id: 'alice',
  message: `${place}`,
  timestamp: 1_600_000_000_000 + place,
}));

function manifest(hasHistory: boolean): string {
  const rooms = channels.map(
    (url) => `  ${url}: { name: Room${hasHistory ? ', messages: { file: room.ndjson }' : ''} }\n`,
  );
  return `version: 1
application:
  base_url: emulator:x
  limits: { messages_per_migration: 1, "${route}": ${callsPerSecond}, POST /open_channels: 2000 }
users: { alice: { nickname: Alice } }
open_channels:
${rooms.join('')}`;
}

interface Trial {
  readonly first: CliEnd;
  /** Whether the second runner had the lock when the first one woke up. */
  readonly wasTaken: boolean;
  /** Calls of a second copy that arrived. */
  readonly doubled: number;
  readonly missing: number;
}

/** Stops a runner at work for 58 to 68 s while a second one waits for its lock. */
async function play(chance: () => number): Promise<Trial> {
  const running = await startEmulator({ rateLimits: false, behaviours: { dedup: 'ignore' } });
  onTestFinished(() => running.close());
  const cwd = await temporaryFolder({
    'chat.yaml': manifest(false),
    'room.ndjson': historyFile.map((line) => `${JSON.stringify(line)}\n`).join(''),
  });
  const on = { cwd, env: reaching(running) };
  await succeeded(runCli(['apply', '--auto-approve'], on));
  await writeFiles(cwd, { 'chat.yaml': manifest(true) });

  const sent = (): number => running.stats.requests.get(route) ?? 0;
  const first = spawnCli(['apply', '--auto-approve'], on);
  const stopAt = 5 + Math.floor(chance() * expected * 0.6);
  await Promise.race([first.ended, soon(() => sent() >= stopAt)]);
  // A count that has just grown means that the runner is in the middle of a burst, which a real pause does not wait for.
  await wait(chance() * 200);
  first.kill('SIGSTOP');
  const woken = wait(58_000 + chance() * 10_000);
  await wait(200);
  const before = sent();
  expect(before).toBeLessThan(expected);
  const second = spawnCli(['apply', '--auto-approve', '--lock-timeout', '5m'], on);
  await woken;
  const wasTaken = sent() > before;
  first.kill('SIGCONT');
  const [firstEnd, secondEnd] = await Promise.all([first.ended, second.ended]);
  expect([0, 8], firstEnd.stderr).toContain(firstEnd.exit);
  expect(secondEnd.exit, secondEnd.stderr).toBe(0);

  const verified = await runCli(['verify', '--all', '--format', 'json'], on);
  expect([0, 4], `${verified.stdout}${verified.stderr}`).toContain(verified.exit);
  const report: { channels: { doubled: number; missing: number }[] } = JSON.parse(verified.stdout);
  const sum = (of: 'doubled' | 'missing') => report.channels.reduce((total, channel) => total + channel[of], 0);
  await running.close();
  return { first: firstEnd, wasTaken, doubled: Math.max(sum('doubled'), sent() - expected), missing: sum('missing') };
}

test.skipIf(trials === 0)(
  `a runner that wakes up after it lost its lock sends nothing twice, in ${trials} trials`,
  {
    timeout: Math.ceil(trials / Math.max(1, atATime)) * 240_000,
  },
  async () => {
    const chance = seededChance();
    let left = trials;
    const ends: Trial[] = [];
    const brokenOff: string[] = [];
    const lane = async (_: unknown, place: number): Promise<void> => {
      await wait(place * apartMs);
      while (left > 0) {
        left -= 1;
        await play(chance).then(
          (trial) => void ends.push(trial),
          (error: unknown) => void brokenOff.push(String(error)),
        );
      }
    };
    await Promise.all(Array.from({ length: atATime }, lane));
    const count = (isSo: (trial: Trial) => boolean): number => ends.filter(isSo).length;
    process.stdout.write(
      `${ends.length} pauses: ${count(({ wasTaken }) => wasTaken)} woke up when the other runner was sending, ${count(({ first }) => first.exit === 8)} lost the lock, ${count(({ doubled }) => doubled > 0)} sent twice\n`,
    );
    expect(brokenOff).toEqual([]);
    expect(ends.map(({ doubled, missing }) => ({ doubled, missing }))).toEqual(
      ends.map(() => ({ doubled: 0, missing: 0 })),
    );
    // A trial in which nobody lost a lock shows nothing.
    expect(count(({ first }) => first.exit === 8)).toBeGreaterThan(trials / 4);
  },
);
