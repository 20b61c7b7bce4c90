// Where does chance come from? From one seed, so that a run can be repeated.

/** Numbers from 0 up to, not including, 1. */
export type Random = () => number;

/** mulberry32: small, fast, good enough for faults and jitter; never used for secrets that must not be guessed. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
