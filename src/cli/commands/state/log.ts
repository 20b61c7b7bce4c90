// chatform state log

import type { TrailEntry } from '../../../app/trail/trail.ts';
import { stateLog } from '../../../app/upkeep/log.ts';
import type { JsonValue } from '../../../lib/json.ts';
import { exitCode } from '../../../model/exit-code.ts';
import { safe, safeJson } from '../../../view/text.ts';
import { portsOf } from '../../ports.ts';
import { counted, noMoreThan, type StateVerb, upkeepFlags } from './verb.ts';

export const log: StateVerb = async (args, input, environment) => {
  noMoreThan(args, 0, 'log');
  const { state, entries, faults, digest } = await stateLog(upkeepFlags(input), portsOf(input, environment));
  const { stdout, stderr } = environment;
  if (input.text('format') === 'json')
    stdout.write(`${safeJson({ entries, digest: digest ?? null, faults } as unknown as JsonValue, 2)}\n`);
  else for (const entry of entries) stdout.write(`${safe(lineOf(entry))}\n`);
  if (!input.flag('verify')) return exitCode.done;
  for (const fault of faults) stderr.write(`${safe(fault)}\n`);
  if (faults.length > 0) {
    stderr.write(`The trail of ${safe(state)} was changed: ${counted(faults.length, 'fault')}.\n`);
    return exitCode.conflict;
  }
  stderr.write(
    `Verified ${counted(entries.length, 'entry').replace(/entrys$/u, 'entries')}${digest === undefined ? '' : `, digest ${digest}`}.\n`,
  );
  return exitCode.done;
};

/**
 * `3  2026-01-01T08:12:00.000Z  apply  done  ada@build-7  12 of 12 steps  commit 1a2b3c4d  plan 03fe7621a253`, or
 * `4  2026-01-01T09:12:00.000Z  state forget  done  ada@build-7  3 forgotten`
 */
function lineOf({ number, started_at, command, outcome, by, counts, detail, plan }: TrailEntry): string {
  const { user, host, commit, job } = by;
  const parts = [
    String(number),
    started_at,
    command,
    outcome,
    `${user}@${host}`,
    countsInShort(counts),
    detail,
    commit === undefined ? undefined : `commit ${commit.slice(0, 8)}`,
    job === undefined ? undefined : `job ${job}`,
    plan === undefined ? undefined : `plan ${plan.slice(0, 12)}`,
  ];
  return parts.filter((part) => part !== undefined && part !== '').join('  ');
}

function countsInShort({ planned, succeeded = 0, ...counts }: NonNullable<TrailEntry['counts']> = {}): string {
  if (planned !== undefined) return `${succeeded} of ${planned} steps`;
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ');
}
