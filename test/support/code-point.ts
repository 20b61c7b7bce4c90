// Support: characters of arbitrary texts.
import fc from 'fast-check';

const surrogates = 0x800;

/** Any character but half a surrogate pair, for `unit`. fast-check's own `binary` makes a table of all of them first. */
export const codePoint = fc
  .integer({ min: 0, max: 0x10_ff_ff - surrogates })
  .map((number) => String.fromCodePoint(number < 0xd8_00 ? number : number + surrogates));
