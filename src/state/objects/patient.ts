// Calls of a store that are tried again while it is busy or away, and conditional writes whose answer was lost.
import type { Clock } from '../../model/ports.ts';
import { type ObjectStore, StoreFailure } from './store.ts';

const firstPauseMs = 100;
const longestPauseMs = 2_000;
/** For a store that has never answered: its address is wrong more often than it is away. */
const firstAnswerMs = 5_000;

export interface PatientStore extends ObjectStore {
  /** The bytes of an object that is never changed once it is written. */
  read(key: string): Promise<Buffer | undefined>;
}

/** `patienceMs`: how long a call is tried. The last failure is passed on. */
export function patient(store: ObjectStore, clock: Clock, patienceMs: number): PatientStore {
  let hasAnswered = false;
  const patiently = async <T>(work: () => Promise<T>): Promise<T> => {
    const started = clock.now();
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        const result = await work();
        hasAnswered = true;
        return result;
      } catch (error) {
        if (!(error instanceof StoreFailure) || !error.isTransient) throw error;
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
  return {
    get: (key) => patiently(() => store.get(key)),
    read: async (key) => (await patiently(() => store.get(key)))?.bytes,
    create: async (key, bytes) => (await patiently(() => store.create(key, bytes))) ?? ours(key, bytes),
    replace: async (key, bytes, tag) => (await patiently(() => store.replace(key, bytes, tag))) ?? ours(key, bytes),
    list: (prefix) => patiently(() => store.list(prefix)),
    remove: (keys) => patiently(() => store.remove(keys)),
    close: () => store.close(),
  };
}
