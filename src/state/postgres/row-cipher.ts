// Encrypts the rows of a state: the texts of records and begins, and the names that they are found by.
//
// The column `format` of an encrypted state says how its key is derived and what its rows are bound to: rows of two states,
// or of one state before and after its key was changed, cannot be exchanged. Versions that know no encryption take it for
// the format of a newer one, and say so. The application, the lineage and the lock are not encrypted: they are looked up.
import { createHmac } from 'node:crypto';
import { parseLine } from '../lines.ts';
import { corrupt } from '../refusals.ts';
import { type Container, damaged, type Sealer, sealFrame, unsealFrame } from '../seal/sealer.ts';

const sealedFormat = 'chatform-state/sealed-1 ';

/** The format that the records of a state have, and what encrypts them. */
export interface StoredFormat {
  readonly format: string;
  /** The first line of an encrypted container. */
  readonly sealed?: string;
}

/** Throws `state.corrupt`. */
export function readStoredFormat(column: string, state: string): StoredFormat {
  if (!column.startsWith(sealedFormat)) return { format: column };
  const { format, sealed } = parseLine(column.slice(sealedFormat.length)) ?? {};
  if (typeof format !== 'string' || typeof sealed !== 'string')
    throw corrupt(state, 'the format in chatform.states', 'cannot be read');
  return { format, sealed };
}

/** The column for a state that is written anew, and what its rows are encrypted with. */
export function newStoredFormat(
  format: string,
  sealer: Sealer,
): { readonly column: string; readonly cipher: RowCipher } {
  const begun = sealer.begin();
  if (begun === undefined) return { column: format, cipher: new RowCipher(undefined) };
  const sealed = begun.head.toString();
  return { column: `${sealedFormat}${JSON.stringify({ format, sealed })}`, cipher: new RowCipher(begun.container) };
}

/** Throws the refusals of a key that is missing or wrong, and of a state that is not encrypted although it should be. */
export function cipherOf({ sealed = '' }: StoredFormat, sealer: Sealer, state: string): RowCipher {
  return new RowCipher(sealer.open(Buffer.from(sealed), state));
}

export class RowCipher {
  readonly #container: Container | undefined;

  /** Undefined: nothing is encrypted. */
  constructor(container: Container | undefined) {
    this.#container = container;
  }

  /** Whether rows by their key are in the order of their addresses. */
  get isSorted(): boolean {
    return this.#container === undefined;
  }

  /** What a row is found by. */
  key(text: string): Buffer {
    if (this.#container === undefined) return sortKey(text);
    return createHmac('sha256', this.#container.key.bytes).update(`${this.#container.head}${text}`).digest();
  }

  /** `key`: of the row. */
  seal(text: string, key: Buffer): string {
    if (this.#container === undefined) return text;
    return sealFrame(this.#container, key.toString('hex'), 0, Buffer.from(text)).toString('base64');
  }

  /** Throws `state.corrupt`. */
  open(text: string, key: Buffer, state: string): string {
    if (this.#container === undefined) return text;
    const bytes = unsealFrame(this.#container, key.toString('hex'), 0, Buffer.from(text, 'base64'));
    if (bytes === undefined) throw damaged(state);
    return bytes.toString();
  }
}

function sortKey(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}
