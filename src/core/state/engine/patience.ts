// Limits the time of a store's calls, retries them while the store is busy or unreachable, and resolves lost answers.
import { SleepEnd } from '../../../lib/sleep-signal.ts';
import type { Clock } from '../../model/ports.ts';
import { type ObjectStore, StoreFailure } from './store.ts';

/** For one attempt. */
const callTimeoutMs = 15_000;
const shortestTimeoutMs = 1_000;
/** A timer that is later than this shows that the process or the machine was paused. */
const pausedMs = 1_000;
const firstPauseMs = 100;
const longestPauseMs = 2_000;
/** For a store that has never answered. Its address is more often wrong than the store is unreachable. */
const firstAnswerMs = 5_000;

/** `patienceMs` is how long a call is retried. Then it rejects with the last failure. */
export function withPatience(store: ObjectStore, clock: Clock, patienceMs: number): ObjectStore {
  // A store whose files people read is a folder, with nothing between it and this process.
  const isNear = store.showSnapshot !== undefined;
  let hasAnswered = isNear;
  let hasWritten = false;
  const patiently = async <T>(work: () => Promise<T>): Promise<T> => {
    const started = clock.now();
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      const leftMs = started + (hasAnswered ? patienceMs : Math.min(firstAnswerMs, patienceMs)) - clock.now();
      try {
        const timeoutMs = Math.max(isNear ? leftMs : Math.min(callTimeoutMs, leftMs), shortestTimeoutMs);
        const result = await inTime(clock, timeoutMs, work);
        hasAnswered = true;
        return result;
      } catch (error) {
        if (!(error instanceof StoreFailure) || !error.isTransient) throw error;
        if (error.call.isStandby === true && !hasWritten) throw error;
        hasAnswered ||= error.call.kind === 'busy';
        const most = hasAnswered ? patienceMs : Math.min(firstAnswerMs, patienceMs);
        if (clock.now() + pauseMs > started + most) throw error;
      }
      await clock.sleep(pauseMs);
    }
  };
  /**
   * An earlier attempt may have been written although its answer was lost. No two writers write the same bytes under one key,
   * so an object with these bytes was written by this process.
   */
  const ours = async (key: string, bytes: Uint8Array): Promise<string | undefined> => {
    const there = await patiently(() => store.get(key));
    return there?.bytes.equals(bytes) === true ? there.tag : undefined;
  };
  const { clockAheadMs, showSnapshot, movedTo } = store;
  return {
    get: (key) => patiently(() => store.get(key)),
    create: async (key, bytes, after) => {
      const tag = await patiently(() => store.create(key, bytes, after));
      hasWritten ||= tag !== undefined;
      return tag ?? ours(key, bytes);
    },
    replace: async (key, bytes, tag) => (await patiently(() => store.replace(key, bytes, tag))) ?? ours(key, bytes),
    // A folder is listed in one turn, so nothing could end the wait.
    list: (prefix) => (isNear ? store.list(prefix) : patiently(() => store.list(prefix))),
    remove: (keys) => patiently(() => store.remove(keys)),
    close: () => store.close(),
    ...(clockAheadMs && { clockAheadMs: () => patiently(() => clockAheadMs.call(store)) }),
    ...(showSnapshot && { showSnapshot: (keys) => patiently(() => showSnapshot.call(store, keys)) }),
    ...(movedTo && { movedTo: (application) => withPatience(movedTo.call(store, application), clock, patienceMs) }),
  };
}

/** Limits the time of an attempt, because some servers accept a connection and never answer. The call may still take effect. */
async function inTime<T>(clock: Clock, timeoutMs: number, work: () => Promise<T>): Promise<T> {
  const ended = new SleepEnd();
  const tooLate = async (): Promise<never> => {
    for (;;) {
      const due = clock.now() + timeoutMs;
      await clock.sleep(timeoutMs, ended);
      const lateMs = clock.now() - due;
      // The work has ended, or the sleep was cut short.
      if (ended.aborted || lateMs < 0) return new Promise<never>(() => {});
      // A paused process could not have seen the answer.
      if (lateMs > pausedMs) continue;
      throw new StoreFailure({
        kind: 'away',
        what: `it did not answer within ${Math.round(timeoutMs / 1000)} s`,
        advice: 'Check the address, and that this machine may reach it.',
      });
    }
  };
  try {
    return await Promise.race([work(), tooLate()]);
  } finally {
    ended.abort();
  }
}
