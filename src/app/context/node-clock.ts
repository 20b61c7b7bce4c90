// The real clock. Only this file and the emulator read one.
import type { Clock } from '../../model/ports.ts';

/** The longest timer of Node. A longer one would fire at once. */
const longestMs = 2 ** 31 - 1;

export const nodeClock: Clock = {
  // The global `performance` would load eight modules of Node.
  now: () => {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1_000 + nanoseconds / 1_000_000;
  },
  date: () => new Date(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      // A timer would wait for a millisecond, and long work pauses often.
      if (ms <= 0) return void setImmediate(resolve);
      const wake = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.min(ms, longestMs));
      signal?.addEventListener('abort', wake, { once: true });
    }),
};
