// Counts the work of an expression in CEL, which its library does not. Counting gives the same verdict on every machine, where a clock would
// leave out other rows on a slow one.

/** An expression that needs more work than allowed. */
export class TooMuchWorkError extends Error {
  override readonly name = 'TooMuchWorkError';
}

/** About two seconds on a slow machine. A unit is the work of one node of an expression. */
const allowedUnits = 10_000_000;

/** One unit covers so many characters, when they are read. */
const readShift = 4;
/** New text also takes memory. */
const writtenShift = 1;
/** An error has a stack trace, and macros catch errors. */
const unitsOfError = 100;

/** The work of one evaluation at a time. */
export class Meter {
  // Macros and logical operators catch errors, so the same one is thrown again and again.
  readonly #error = new TooMuchWorkError(
    'It needs too much work: nest fewer macros, or build shorter strings and lists',
  );
  readonly #allowed: number;
  #left: number;

  constructor(allowed = allowedUnits) {
    this.#allowed = allowed;
    this.#left = allowed;
  }

  /** Runs one evaluation. Throws a TooMuchWorkError even if the expression caught it. */
  run<T>(evaluate: () => T): T {
    this.#left = this.#allowed;
    try {
      const result = evaluate();
      if (this.#left >= 0) return result;
    } catch (error) {
      if (this.#left >= 0) throw error;
    }
    throw this.#error;
  }

  charge(units: number): void {
    this.#left -= units;
    if (this.#left < 0) throw this.#error;
  }

  chargeRead(value: unknown): void {
    this.charge(typeof value === 'string' ? 1 + (value.length >>> readShift) : sizeOf(value));
  }

  chargeWritten(value: unknown): void {
    this.charge(typeof value === 'string' ? 1 + (value.length >>> writtenShift) : sizeOf(value));
  }

  chargeError(): void {
    this.charge(unitsOfError);
  }
}

/** Sizes of lists and maps that contain others. CEL changes none of them. */
const sizes = new WeakMap<object, number>();

/**
 * The number of values in a value, if each was written out: a list of a list that occurs twice counts twice, because comparing and converting
 * it takes that long.
 */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 1 + (value.length >>> readShift);
  if (typeof value !== 'object' || value === null) return 1;
  if (value instanceof Uint8Array) return 1 + (value.length >>> readShift);
  const known = sizes.get(value);
  if (known !== undefined) return known;
  let size = 1;
  let isNested = false;
  for (const part of partsOf(value)) {
    if (typeof part === 'object' && part !== null) isNested = true;
    size += sizeOf(part);
  }
  if (isNested) sizes.set(value, size);
  return size;
}

function partsOf(value: object): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (value instanceof Set) return [...value];
  if (value instanceof Map) return [...value.keys(), ...value.values()];
  return isOptional(value) ? [value.hasValue() ? value.value() : null] : Object.values(value);
}

/** A value of the library that may be absent. */
interface OptionalValue {
  hasValue(): boolean;
  value(): unknown;
}

function isOptional(value: object): value is OptionalValue {
  return 'hasValue' in value && typeof value.hasValue === 'function' && 'value' in value;
}
