// Shows the results of chatform state: the lock, the trail, and a rebuilt state.

import type { TrailEntry } from '../../core/app/context/trail.ts';
import type { StateLock } from '../../core/app/state.ts';
import { signersInWords } from '../../core/model/signing/signature.ts';
import { notComparedSentence } from '../../core/view/summary/not-compared.ts';
import { safe } from '../../core/view/text/text.ts';
import { listOf, plural, printNumber } from '../../lib/words.ts';
import type { Rebuilt } from '../../tools/live-import/rebuild.ts';
import type { FoundLock } from './results.ts';

/** `now` is used for past times. The end of the lock depends on the backend's clock. */
export function lockForPeople({ state, application, holder }: StateLock, now: Date): string {
  const place = `The state ${safe(state)} of ${safe(application)}`;
  if (holder === undefined) return `${place} is not locked.\n`;
  const { lock, endsInMs, isDead } = holder;
  const { user, host, pid, job } = lock.owner;
  const ago = (time: string) => `${time} (${span(now.getTime() - Date.parse(time))} ago)`;
  const isOver = isDead || endsInMs <= 0;
  const end = isDead
    ? 'its process is dead; the next run takes over the lock'
    : isOver
      ? `${lock.expires} (${span(-endsInMs)} ago); the next run takes over the lock`
      : `${lock.expires} (in ${span(endsInMs)}), unless the holder renews it`;
  return [
    isOver ? `${place} was left locked.` : `${place} is locked.`,
    `  holder     ${safe(user)}@${safe(host)}, process ${pid}${job === undefined ? '' : `, CI job ${safe(job)}`}`,
    `  since      ${ago(lock.since)}`,
    `  heartbeat  ${ago(lock.heartbeat)}`,
    `  ends       ${end}`,
    '',
  ].join('\n');
}

export function lockDocument({ state, application, holder }: StateLock): FoundLock {
  if (holder === undefined) return { state, application, locked: false, holder: null };
  const { lock, endsInMs, isDead } = holder;
  const { machine: _machine, ...owner } = lock.owner;
  const held = {
    ...owner,
    since: lock.since,
    heartbeat: lock.heartbeat,
    expires: lock.expires,
    ends_in_s: Number.isFinite(endsInMs) ? Math.round(endsInMs / 1000) : null,
    dead: isDead,
  };
  return { state, application, locked: !isDead && endsInMs > 0, holder: held };
}

function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

/**
 * `3  2026-01-01T08:12:00.000Z  apply  done  ada@build-7  12 of 12 steps  commit 1a2b3c4d  plan 03fe7621a253`, or
 * `4  2026-01-01T09:12:00.000Z  state forget  done  ada@build-7  3 forgotten`
 */
export function trailLine({
  number,
  started_at,
  command,
  outcome,
  by,
  counts,
  detail,
  plan,
  undoes,
  signature,
}: TrailEntry): string {
  const { user, host, commit, job } = by;
  const parts = [
    String(number),
    started_at,
    command,
    outcome,
    `${user}@${host}`,
    countsInShort(counts),
    detail,
    undoes === undefined ? undefined : `of run ${undoes}`,
    commit === undefined ? undefined : `commit ${commit.slice(0, 8)}`,
    job === undefined ? undefined : `job ${job}`,
    plan === undefined ? undefined : `plan ${plan.slice(0, 12)}`,
    signature === undefined ? undefined : `signed by ${signersInWords(signature)}`,
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

export function* rebuiltForPeople(rebuilt: Rebuilt): Generator<string> {
  const { state, records, missing, differing, partial, lacked } = rebuilt;
  const sentences = [`The state ${safe(state)} was rebuilt with ${plural(records, 'object')}.`];
  if (missing > 0) {
    const are = missing === 1 ? 'is' : 'are';
    sentences.push(
      `${plural(missing, 'declared object')} ${are} not on the platform. An apply creates what is missing.`,
    );
  }
  if (differing > 0) sentences.push(`The next plan shows changes to ${plural(differing, 'object')}.`);
  yield `${sentences.join(' ')}\n`;
  for (const { channel_url: key, declared, missing: absent, moved, note } of partial) {
    const there =
      note ?? `${printNumber(declared - absent - moved)} of ${plural(declared, 'message')} are on the platform`;
    yield `! messages.${safe(key)}  ${safe(there)}. An apply looks for the others and sends only those that are missing.\n`;
  }
  yield 'This information is lost:\n';
  yield '  - objects that are no longer declared: they stay as they are and are unmanaged\n';
  yield '  - members, operators and metadata whose lines were removed before: chatform will not remove them\n';
  const unoffered = Object.entries(lacked).map(([name, count]) => `${name} (${printNumber(count)})`);
  if (unoffered.length > 0) {
    yield `  - what the platform does not offer to read: ${listOf(unoffered)}; such attributes count as declared, and such objects are not in the state\n`;
  }
  const others = notComparedSentence(rebuilt);
  if (others === undefined) return;
  yield `${others} The state has what was not compared as it is declared. Raise a revision to send its code or token again.\n`;
}
