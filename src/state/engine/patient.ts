// Calls of a store that end in time, that are tried again while it is busy or away, and whose lost answers are found again.
import type { Clock } from '../../model/ports.ts';
import { type ObjectStore, StoreFailure } from './store.ts';

/** For one attempt. */
const callTimeoutMs = 15_000;
const shortestTimeoutMs = 1_000;
/** A timer that is later than this shows that the process, or the machine, was stopped. */
const pausedMs = 1_000;
const firstPauseMs = 100;
const longestPauseMs = 2_000;
/** For a store that has never answered: its address is wrong more often than it is away. */
const firstAnswerMs = 5_000;

/** `patienceMs`: how long a call is tried. The last failure is passed on. */
export function patient(store: ObjectStore, clock: Clock, patienceMs: number): ObjectStore {
  // Where people look, nothing is between this process and the store.
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
   * An earlier attempt may have been written and its answer lost. No two writers write the same bytes under one key, so an
   * object with our bytes is ours.
   */
  const ours = async (key: string, bytes: Uint8Array): Promise<string | undefined> => {
    const there = await patiently(() => store.get(key));
    return there?.bytes.equals(bytes) === true ? there.tag : undefined;
  };
  const { showSnapshot, movedTo, older } = store;
  return {
    get: (key) => patiently(() => store.get(key)),
    create: async (key, bytes, after) => {
      const tag = await patiently(() => store.create(key, bytes, after));
      hasWritten ||= tag !== undefined;
      return tag ?? ours(key, bytes);
    },
    replace: async (key, bytes, tag) => (await patiently(() => store.replace(key, bytes, tag))) ?? ours(key, bytes),
    list: (prefix) => patiently(() => store.list(prefix)),
    remove: (keys) => patiently(() => store.remove(keys)),
    close: () => store.close(),
    ...(showSnapshot && { showSnapshot: (keys) => patiently(() => showSnapshot.call(store, keys)) }),
    ...(movedTo && { movedTo: (application) => patient(movedTo.call(store, application), clock, patienceMs) }),
    ...(older && { older: { isThere: () => patiently(older.isThere), retire: () => patiently(older.retire) } }),
  };
}

/** Some servers accept a connection and never answer. What was asked of them may still be done. */
async function inTime<T>(clock: Clock, timeoutMs: number, work: () => Promise<T>): Promise<T> {
  const ended = new AbortController();
  const tooLate = async (): Promise<never> => {
    for (;;) {
      const due = clock.now() + timeoutMs;
      await clock.sleep(timeoutMs, ended.signal);
      const lateMs = clock.now() - due;
      // It is over, or the sleep was cut short.
      if (ended.signal.aborted || lateMs < 0) return new Promise<never>(() => {});
      // A process that was paused could not have seen the answer.
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
    // A reason spares the exception that Node would create, with its stack, for each call.
    ended.abort('answered');
  }
}
