// Derives the keys of encrypted files from a secret with scrypt. The parameters are in the first line of each file.
import { createHmac, randomBytes, scryptSync } from 'node:crypto';
import { isRecord } from '../records/lines.ts';

/** The cost of scrypt (RFC 7914): N blocks of 128 · r bytes, p times. N is a power of two. */
export interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** Each guess takes 128 MB and a third of a second. */
const defaultCost: ScryptCost = { N: 1 << 17, r: 8, p: 1 };

export interface DerivedKey {
  readonly cost: ScryptCost;
  /** Base64. */
  readonly salt: string;
  /** Tells whether a secret is the right one, without revealing the key. */
  readonly id: string;
  readonly bytes: Buffer;
}

const keyBytes = 32;
const saltBytes = 16;

/** By secret, cost and salt, the keys that this process has derived. Deriving one again would take as long as before. */
const derived = new Map<string, DerivedKey>();

export class KeyRing {
  readonly #secret: string;
  readonly #cost: ScryptCost;
  #writing: DerivedKey | undefined;

  constructor(secret: string, cost: ScryptCost = defaultCost) {
    this.#secret = secret;
    this.#cost = cost;
  }

  /** Returns the key for encryption. A state keeps its salt as long as its key. */
  writing(): DerivedKey {
    this.#writing ??= derive(this.#secret, this.#cost, randomBytes(saltBytes).toString('base64'));
    return this.#writing;
  }

  /** Returns the key with this id, or undefined if the secret does not give it. */
  reading(cost: ScryptCost, salt: string, id: string): DerivedKey | undefined {
    const key = derive(this.#secret, cost, salt);
    if (key.id !== id) return undefined;
    this.#writing ??= key;
    return key;
  }
}

function derive(secret: string, cost: ScryptCost, salt: string): DerivedKey {
  const name = JSON.stringify([secret, cost.N, cost.r, cost.p, salt]);
  const known = derived.get(name);
  if (known !== undefined) return known;
  const maxmem = 256 * cost.r * (cost.N + cost.p);
  const bytes = scryptSync(secret.normalize(), Buffer.from(salt, 'base64'), keyBytes, { ...cost, maxmem });
  const id = createHmac('sha256', bytes).update('chatform key id').digest('hex').slice(0, 16);
  const key = { cost, salt, id, bytes };
  derived.set(name, key);
  return key;
}

/** Whether the value is a cost within bounds, because a file must not make its reader use gigabytes. */
export function isCost(value: unknown): value is ScryptCost {
  if (!isRecord(value)) return false;
  const { N, r, p } = value;
  const isWithin = (number: unknown, most: number) =>
    Number.isInteger(number) && Number(number) > 0 && Number(number) <= most;
  const doublings = Math.log2(Number(N));
  // RFC 7914: N is a power of two, above 1 and below 2 to the power of 16 · r.
  const isPower = Number.isInteger(doublings) && doublings > 0 && doublings < 16 * Number(r);
  return isWithin(N, 1 << 20) && isWithin(r, 16) && isWithin(p, 4) && isPower;
}
