// How is a text made that differs from others in a few places only? Its pieces are kept, and what differs is put between.

/** What stands in a text where something differs: no text of ours has these characters, and JSON spells them as they are. */
const [opening, ending] = ['\uE000', '\uE001'];
const marks = /\uE000(\d+)\uE001/u;

export function markOf(place: number): string {
  return `${opening}${place}${ending}`;
}

export function hasMark(text: string): boolean {
  return text.includes(opening);
}

const encoder = new TextEncoder();

export class Template {
  readonly #head: string;
  /** What comes in, by its place, and what follows upon it. */
  readonly #places: readonly number[];
  readonly #pieces: readonly string[];
  readonly #headBytes: Uint8Array;
  readonly #pieceBytes: readonly Uint8Array[];
  /** Of head and pieces. */
  readonly #ownBytes: number;

  /** `text` with marks in it. */
  constructor(text: string) {
    const [head = '', ...rest] = text.split(marks);
    this.#head = head;
    this.#places = rest.filter((_part, index) => index % 2 === 0).map(Number);
    this.#pieces = rest.filter((_part, index) => index % 2 === 1);
    this.#headBytes = encoder.encode(head);
    this.#pieceBytes = this.#pieces.map((piece) => encoder.encode(piece));
    this.#ownBytes = this.#pieceBytes.reduce((sum, piece) => sum + piece.length, this.#headBytes.length);
  }

  /** With the parts in the place of the marks. */
  filled(parts: readonly string[]): string {
    let text = this.#head;
    for (let index = 0; index < this.#places.length; index += 1) {
      text += parts[this.#places[index] as number] as string;
      text += this.#pieces[index] as string;
    }
    return text;
  }

  /** The filled text has no more. */
  mostBytes(parts: readonly string[]): number {
    let most = this.#ownBytes;
    for (let index = 0; index < this.#places.length; index += 1) {
      // A code unit takes three bytes at most.
      most += 3 * (parts[this.#places[index] as number] as string).length;
    }
    return most;
  }

  /** The filled text in UTF-8; gives the place behind it. `into` has to have room for `mostBytes`. */
  write(parts: readonly string[], into: Uint8Array, at: number): number {
    into.set(this.#headBytes, at);
    let end = at + this.#headBytes.length;
    for (let index = 0; index < this.#places.length; index += 1) {
      const piece = this.#pieceBytes[index] as Uint8Array;
      end = written(parts[this.#places[index] as number] as string, into, end);
      into.set(piece, end);
      end += piece.length;
    }
    return end;
  }
}

/** Of a short text, one character after the other is quicker than any call. */
function written(text: string, into: Uint8Array, at: number): number {
  for (let place = 0; place < text.length; place += 1) {
    const unit = text.charCodeAt(place);
    if (unit > 127) return at + encoder.encodeInto(text, into.subarray(at)).written;
    into[at + place] = unit;
  }
  return at + text.length;
}

/** As it stands within a JSON text, between its quotes. */
export function spelled(text: string): string {
  for (let place = 0; place < text.length; place += 1) {
    const unit = text.charCodeAt(place);
    // Quote, backslash, control characters; halves of pairs, of which one alone would be escaped.
    if (unit === 34 || unit === 92 || unit < 32 || (unit >= 0xd800 && unit <= 0xdfff)) {
      return JSON.stringify(text).slice(1, -1);
    }
  }
  return text;
}
