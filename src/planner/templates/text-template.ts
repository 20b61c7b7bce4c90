// How is a text made that differs from others in a few places only? Its pieces are kept, and what differs is put between.

/** What stands in a text where something differs: no text of ours has these characters, and JSON spells them as they are. */
const [opening, ending] = ['\uE000', '\uE001'];
const marks = /\uE000(\d+)\uE001/u;

export function placeholderFor(place: number): string {
  return `${opening}${place}${ending}`;
}

export function hasPlaceholder(text: string): boolean {
  return text.includes(opening);
}

export class TextTemplate {
  readonly #head: string;
  /** What comes in, by its place, and what follows upon it. */
  readonly #places: readonly number[];
  readonly #pieces: readonly string[];
  /** Of head and pieces. */
  readonly isAscii: boolean;

  /** `text` with marks in it. */
  constructor(text: string) {
    const [head = '', ...rest] = text.split(marks).map(compact);
    this.#head = head;
    this.#places = rest.filter((_part, index) => index % 2 === 0).map(Number);
    this.#pieces = rest.filter((_part, index) => index % 2 === 1);
    this.isAscii = [head, ...this.#pieces].every(isAscii);
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
}

function isAscii(text: string): boolean {
  for (const sign of text) if (sign > '\u007f') return false;
  return true;
}

/** In the engine's form of a byte a character, where it can be: parts of a text with marks would be in that of two. */
function compact(text: string): string {
  return isAscii(text) ? Buffer.from(text, 'latin1').toString('latin1') : text;
}

/** What is put in. */
export class TemplateValues {
  /** As they stand within a JSON text, between its quotes. */
  readonly texts: string[] = [];
  /** Surely nothing else was put in since it was set: then a character is a byte. */
  isAscii = true;

  put(place: number, text: string): void {
    this.texts[place] = this.#spelled(text);
  }

  #spelled(text: string): string {
    for (let place = 0; place < text.length; place += 1) {
      const unit = text.charCodeAt(place);
      if (unit > 127) this.isAscii = false;
      // Quote, backslash, control characters; halves of pairs, of which one alone would be escaped.
      if (unit === 34 || unit === 92 || unit < 32 || (unit >= 0xd800 && unit <= 0xdfff)) {
        this.isAscii = false;
        return JSON.stringify(text).slice(1, -1);
      }
    }
    return text;
  }
}
