// Counts texts that look like HTML, or like UTF-8 that was decoded wrongly, because people would read them so.
import type { MappingEntry } from './mapping.ts';
import { withoutMojibake } from './texts/mojibake.ts';

interface TextLook {
  /** The function of expressions that mends such texts. */
  readonly method: string;
  readonly inWords: string;
  readonly advice: string;
  is(text: string): boolean;
}

const html =
  /<\/?(?:a|at|b|blockquote|br|code|del|div|em|font|h[1-6]|hr|i|img|li|ol|p|pre|s|span|strike|strong|sub|sup|table|td|th|tr|u|ul)(?:\s[^<>]*)?\/?>|&(?:amp|apos|gt|lt|nbsp|quot|#\d{1,7}|#x[\da-f]{1,6});/iu;

const looks: readonly TextLook[] = [
  {
    method: 'html',
    inWords: 'look like HTML',
    advice: 'To send plain text, compute it',
    is: (text) => html.test(text),
  },
  {
    method: 'mojibake',
    inWords: 'look like UTF-8 that was read as Latin-1 or Windows-1252',
    advice: 'To decode it again, compute it',
    is: (text) => withoutMojibake(text) !== text,
  },
];

interface FoundTexts {
  readonly at: string;
  /** Whether the mapping mends these texts. They may still quote HTML. */
  readonly isMended: boolean;
  count: number;
}

export class TextHints {
  /** By field: the number of texts, and those with each look. */
  readonly #fields = new Map<string, { all: number; readonly found: Map<TextLook, FoundTexts> }>();

  /** Call it once for each row. `name` is the field of the entry. */
  note({ path, mends }: MappingEntry, name: string, text: string | undefined, at: string): void {
    if (text === undefined) return;
    const label = [...path, name].join('.');
    const field = this.#fields.get(label) ?? { all: 0, found: new Map<TextLook, FoundTexts>() };
    this.#fields.set(label, field);
    field.all += 1;
    for (const look of looks) {
      if (!look.is(text)) continue;
      const texts = field.found.get(look) ?? { at, isMended: mends(name, look.method), count: 0 };
      field.found.set(look, texts);
      texts.count += 1;
    }
  }

  *notes(): Generator<string> {
    for (const [label, { all, found }] of this.#fields)
      for (const [{ inWords, method, advice }, { at, isMended, count }] of found) {
        if (isMended) continue;
        yield `${count.toLocaleString('en')} of ${all.toLocaleString('en')} values of ${label} ${inWords}: the first is at ${at}. ${advice}: { cel: row.COLUMN.${method}() }.`;
      }
  }
}
