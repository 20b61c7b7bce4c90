// How are a million rows read that are alike but for what some of their texts say?
//
// One of them is read and checked in full. In the others, what stands between those texts is compared as it is: a row that
// has the same there declares the same, but for its texts. None of its signs is one that JSON spells otherwise, and no text
// is longer than any may be, so that there is nothing to parse and nothing to be told.
import { isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import type { PlainLine } from '../../lib/line-reader.ts';
import type { KindDefinition } from '../../resources/define.ts';
import type { BlockShape } from '../blocks/block-list.ts';
import type { Tree } from '../yaml/tree.ts';
import { type RowAgain, textOf } from './reread.ts';
import type { RawRow } from './row.ts';

/** In files where no two rows are alike, looking for more would be in vain. */
const maxShapes = 32;
/** To look at so many shapes costs as much as to read a row; where more are looked at in vain, it is left. */
const worthOfRow = 12;
const patience = 10_000;

/** What a row that is right declares, its key left out. */
type ReadRow = (text: string) => JsonValue;

/** Those of the rows of one file. */
export class RowShapes {
  readonly #kind: KindDefinition;
  readonly #read: ReadRow;
  readonly #shapes: RowShape[] = [];
  #last: RowShape | undefined;
  #tried = 0;
  #patience = patience;

  constructor(kind: KindDefinition, read: ReadRow) {
    this.#kind = kind;
    this.#read = read;
  }

  find(row: RawRow): RowShape | undefined {
    if (row.plain === undefined || this.#patience < 0) return undefined;
    if (this.#last?.fits(row, row.plain) === true) return this.#found(this.#last);
    for (const shape of this.#shapes) {
      if (shape.fits(row, row.plain)) return this.#found(shape);
      this.#patience -= 1;
    }
    return undefined;
  }

  #found(shape: RowShape): RowShape {
    this.#last = shape;
    this.#patience = Math.min(patience, this.#patience + worthOfRow);
    return shape;
  }

  at(number: number): RowShape | undefined {
    return this.#shapes[number];
  }

  /** `value`: what the row declares. Nothing of it was told, and it names no other object. */
  learn(row: RawRow, tree: () => Tree | undefined, value: JsonObject): void {
    if (row.plain === undefined || this.#kind.opaqueTexts === undefined || this.#tried === maxShapes) return;
    this.#tried += 1;
    const places = placesOfTexts(this.#kind, tree());
    if (places === undefined) return;
    this.#shapes.push(new RowShape(this.#shapes.length, row.text, places, value, this.#read));
  }
}

/** A text that may be another one. */
interface TextPlace {
  /** Of its opening quote, in the row. */
  readonly offset: number;
  /** In bytes, which are never fewer than characters. */
  readonly longest: number;
  readonly isKey: boolean;
}

export class RowShape implements BlockShape {
  readonly number: number;
  /** What its first row declares. */
  readonly value: JsonObject;
  /** What stands before each text and behind the last, a character for each byte. */
  readonly #between: readonly string[];
  /** The places of their opening quotes among all of the row. */
  readonly #openings: readonly number[];
  readonly #longest: readonly number[];
  readonly #quotes: number;
  readonly #keyPlace: number;
  readonly #read: ReadRow;

  constructor(number: number, row: string, places: readonly TextPlace[], value: JsonObject, read: ReadRow) {
    this.number = number;
    this.value = value;
    this.#read = read;
    const inOrder = [...places].sort((left, right) => left.offset - right.offset);
    const ends = inOrder.map(({ offset }) => row.indexOf('"', offset + 1));
    this.#between = [...inOrder.map(({ offset }) => offset + 1), row.length].map((end, place) =>
      latinOf(row.slice(place === 0 ? 0 : ends[place - 1], end)),
    );
    this.#openings = inOrder.map(({ offset }) => countQuotes(row.slice(0, offset)));
    this.#longest = inOrder.map(({ longest }) => longest);
    this.#quotes = countQuotes(row);
    this.#keyPlace = inOrder.findIndex(({ isKey }) => isKey);
  }

  /** Is the row another one of the shape? */
  fits({ bytes, quotes: count }: RawRow, { piece: { latin, quotes }, from, firstQuote }: PlainLine): boolean {
    if (count !== this.#quotes) return false;
    let at = from;
    for (let place = 0; place < this.#openings.length; place += 1) {
      const opening = firstQuote + (this.#openings[place] as number);
      const start = (quotes[opening] as number) + 1;
      const end = quotes[opening + 1] as number;
      const before = this.#between[place] as string;
      if (start - at !== before.length || end - start > (this.#longest[place] as number)) return false;
      if (!latin.startsWith(before, at)) return false;
      at = end;
    }
    const rest = this.#between[this.#openings.length] as string;
    return from + bytes - at === rest.length && latin.startsWith(rest, at);
  }

  /** Of a row that fits. */
  keyOf({ piece: { latin, quotes, isAscii }, firstQuote }: PlainLine): string {
    const opening = firstQuote + (this.#openings[this.#keyPlace] as number);
    return textOf(latin.slice((quotes[opening] as number) + 1, quotes[opening + 1]), isAscii);
  }

  /** Its key, of a row that was one of the shape when it was read first; undefined when it is not any more. */
  keyAgain(row: RowAgain): string | undefined {
    return this.#textsIn(row, this.#keyPlace + 1)?.[this.#keyPlace];
  }

  /** Its texts but for the key, in the order of the row. */
  textsAgain(row: RowAgain): readonly string[] | undefined {
    const texts = this.#textsIn(row, this.#openings.length);
    texts?.splice(this.#keyPlace, 1);
    return texts;
  }

  /** None of the texts has a sign that JSON spells otherwise. */
  valueWith(key: string, texts: readonly string[]): JsonValue {
    const all = texts.toSpliced(this.#keyPlace, 0, key);
    return this.#read(this.#between.map((before, place) => textOf(before, false) + (all[place] ?? '')).join(''));
  }

  /** So many of its texts. */
  #textsIn({ latin, from, bytes, isAscii }: RowAgain, count: number): string[] | undefined {
    const texts: string[] = [];
    let at = from;
    for (let place = 0; place < count; place += 1) {
      const before = this.#between[place] as string;
      if (!latin.startsWith(before, at)) return undefined;
      const start = at + before.length;
      at = latin.indexOf('"', start);
      texts.push(textOf(latin.slice(start, at), isAscii));
    }
    if (count < this.#openings.length) return texts;
    const rest = this.#between[count] as string;
    return from + bytes - at === rest.length && latin.startsWith(rest, at) ? texts : undefined;
  }
}

function latinOf(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function countQuotes(text: string): number {
  return text.split('"').length - 1;
}

/** Undefined where the texts may be told something of that nobody can know here. */
function placesOfTexts(kind: KindDefinition, tree: Tree | undefined): readonly TextPlace[] | undefined {
  if (tree?.type !== 'map') return undefined;
  const places: TextPlace[] = [];
  for (const [name, { value }] of tree.entries) {
    const isKey = name === kind.keyName;
    if (!isKey && kind.opaqueTexts?.includes(name) !== true) continue;
    const schema = kind.attributes[name]?.schema;
    if (value.type === 'map') {
      const longest = onlyKeywords(schema, mapKeywords) ? longestText(schema.additionalProperties) : undefined;
      for (const inner of value.entries.values()) {
        if (inner.value.type !== 'scalar' || typeof inner.value.value !== 'string') continue;
        if (longest === undefined) return undefined;
        places.push({ offset: inner.value.offset, longest, isKey: false });
      }
    } else if (value.type === 'scalar' && typeof value.value === 'string') {
      // Keys are checked one by one.
      const longest = isKey ? Number.POSITIVE_INFINITY : longestText(schema);
      if (longest === undefined) return undefined;
      places.push({ offset: value.offset, longest, isKey });
    }
  }
  return places.some(({ isKey }) => isKey) ? places : undefined;
}

/** What these say does not depend on the texts. */
const mapKeywords = ['type', 'description', 'minProperties', 'maxProperties', 'propertyNames', 'additionalProperties'];
const textKeywords = ['type', 'description', 'maxLength'];

/** Up to this length a text fits whatever it says; undefined where it has to be looked at. */
function longestText(schema: JsonValue | undefined): number | undefined {
  if (!onlyKeywords(schema, textKeywords) || schema.type !== 'string') return undefined;
  return typeof schema.maxLength === 'number' ? schema.maxLength : undefined;
}

function onlyKeywords(schema: JsonValue | undefined, known: readonly string[]): schema is JsonObject {
  return isObject(schema) && Object.keys(schema).every((keyword) => known.includes(keyword));
}
