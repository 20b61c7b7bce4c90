// Shows the lock of a state.
import type { StateLock } from '../../../app/upkeep/lock.ts';
import { safe, safeJson } from '../../../view/text.ts';

/** `now` is for times in the past. The backend's clock decides when the lock ends. */
export function lockForPeople({ state, application, holder }: StateLock, now: Date): string {
  const place = `The state ${safe(state)} of ${safe(application)}`;
  if (holder === undefined) return `${place} is free: nobody holds its lock.\n`;
  const { lock, endsInMs, isDead } = holder;
  const { user, host, pid, job } = lock.owner;
  const ago = (time: string) => `${time} (${span(now.getTime() - Date.parse(time))} ago)`;
  const isOver = isDead || endsInMs <= 0;
  const end = isDead
    ? 'its process is dead; the next run takes the lock over at once'
    : isOver
      ? `${lock.expires} (${span(-endsInMs)} ago); the next run takes the lock over`
      : `${lock.expires} (in ${span(endsInMs)}), unless it shows a sign of life before`;
  return [
    isOver ? `${place} was left locked.` : `${place} is locked.`,
    `  holder     ${safe(user)}@${safe(host)}, process ${pid}${job === undefined ? '' : `, CI job ${safe(job)}`}`,
    `  since      ${ago(lock.since)}`,
    `  heartbeat  ${ago(lock.heartbeat)}`,
    `  ends       ${end}`,
    '',
  ].join('\n');
}

export function lockAsJson({ state, application, holder }: StateLock): string {
  const { lock, endsInMs = 0, isDead = false } = holder ?? {};
  const { machine: _machine, ...owner } = lock?.owner ?? {};
  const held =
    lock === undefined
      ? null
      : {
          ...owner,
          since: lock.since,
          heartbeat: lock.heartbeat,
          expires: lock.expires,
          ends_in_s: Number.isFinite(endsInMs) ? Math.round(endsInMs / 1000) : null,
          dead: isDead,
        };
  const locked = held !== null && !isDead && endsInMs > 0;
  return `${safeJson({ state, application, locked, holder: held })}\n`;
}

function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
