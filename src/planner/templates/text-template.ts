// A text with placeholders: keeps the pieces between them, and puts values in their places.

/** Enclose the number of a placeholder. They are private-use characters, which JSON does not escape. */
const [opening, ending] = ['\uE000', '\uE001'];
const placeholders = /\uE000(\d+)\uE001/u;

export function placeholderFor(place: number): string {
  return `${opening}${place}${ending}`;
}

export function hasPlaceholder(text: string): boolean {
  return text.includes(opening);
}

export class TextTemplate {
  readonly #head: string;
  /** The number of the value that stands before each piece. */
  readonly #places: readonly number[];
  readonly #pieces: readonly string[];
  /** True when head and pieces are. */
  readonly isAscii: boolean;

  /** `text` has placeholders in it. */
  constructor(text: string) {
    const [head = '', ...rest] = text.split(placeholders).map(compact);
    this.#head = head;
    this.#places = rest.filter((_part, index) => index % 2 === 0).map(Number);
    this.#pieces = rest.filter((_part, index) => index % 2 === 1);
    this.isAscii = [head, ...this.#pieces].every(isAscii);
  }

  /** The text with the values in place of the placeholders. */
  filled(values: readonly string[]): string {
    let text = this.#head;
    for (let index = 0; index < this.#places.length; index += 1) {
      text += values[this.#places[index] as number] as string;
      text += this.#pieces[index] as string;
    }
    return text;
  }
}

function isAscii(text: string): boolean {
  for (const sign of text) if (sign > '\u007f') return false;
  return true;
}

/** Makes V8 keep the text in one byte a character where possible: a slice of a text with placeholders would take two. */
function compact(text: string): string {
  return isAscii(text) ? Buffer.from(text, 'latin1').toString('latin1') : text;
}

/** The values that fill the placeholders of one creation. */
export class TemplateValues {
  /** As they stand in JSON, between the quotes. */
  readonly texts: string[] = [];
  /** True: they hold nothing but ASCII, so that a character is a byte. False: they may hold anything. */
  isAscii = true;

  put(place: number, text: string): void {
    this.texts[place] = this.#escaped(text);
  }

  #escaped(text: string): string {
    for (let place = 0; place < text.length; place += 1) {
      const unit = text.charCodeAt(place);
      if (unit > 127) this.isAscii = false;
      // Quote, backslash, control characters, and surrogates, of which JSON escapes unpaired ones.
      if (unit === 34 || unit === 92 || unit < 32 || (unit >= 0xd800 && unit <= 0xdfff)) {
        this.isAscii = false;
        return JSON.stringify(text).slice(1, -1);
      }
    }
    return text;
  }
}
