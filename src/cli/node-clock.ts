// What time is it, really? The one place outside the emulator that reads a clock.
import type { Clock } from '../model/ports.ts';

/** What a timer of Node holds: with more it would end at once. */
const longestMs = 2 ** 31 - 1;

export const nodeClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const wake = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.min(ms, longestMs));
      signal?.addEventListener('abort', wake, { once: true });
    }),
};
