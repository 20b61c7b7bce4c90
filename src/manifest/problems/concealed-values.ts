// Keeps values of the environment out of diagnostics. A request under review can declare any variable of the runner, including
// a secret that other manifests read.
import type { Diagnostic } from '../../model/diagnostic.ts';

/** The number of first characters by which a shortened value is recognised. */
const recognised = 8;
/** The length from which a value is also concealed inside words. Shorter values are part of many words. */
const telling = 6;

export class ConcealedValues {
  /** Values by the names of their variables in the environment. */
  readonly #names = new Map<string, string>();

  add(name: string, value: string): void {
    if (value.trim() !== '') this.#names.set(value, name);
  }

  /** Replaces values in a diagnostic by the names of their variables. The excerpt shows the line as written. */
  concealedIn<T extends Diagnostic>(diagnostic: T): T {
    const { detail, address } = diagnostic;
    return {
      ...diagnostic,
      detail: this.#conceal(detail),
      ...(address === undefined ? {} : { address: this.#conceal(address) }),
    };
  }

  #conceal(text: string): string {
    return [...this.#names]
      .sort(([left], [right]) => right.length - left.length)
      .reduce((concealed, [value, name]) => concealOne(concealed, value, name), text);
  }
}

function concealOne(text: string, value: string, name: string): string {
  // As written, in JSON, and in a URL. A host is in lower case.
  const forms = new Set([
    value,
    value.trim(),
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value.toWellFormed()),
  ]);
  return [...forms].reduce((concealed, form) => concealForm(concealed, form, name), text);
}

function concealForm(text: string, form: string, name: string): string {
  const [wanted, lower] = [form.toLowerCase(), text.toLowerCase()];
  // Lower case changes the length of some letters.
  if (lower.length !== text.length || wanted.length !== form.length) return text.replaceAll(form, name);
  const start = wanted.slice(0, recognised);
  let concealed = '';
  let from = 0;
  for (let at = lower.indexOf(start); at >= 0; at = lower.indexOf(start, Math.max(at + 1, from))) {
    let end = at + start.length;
    while (end - at < wanted.length && lower[end] === wanted[end - at]) end += 1;
    if (wanted.length < telling && !isQuoted(text, at) && isInsideWord(text, at, end)) continue;
    concealed += text.slice(from, at) + name;
    from = end;
  }
  return concealed + text.slice(from);
}

/** Messages usually put authors' values in double quotes. */
function isQuoted(text: string, at: number): boolean {
  return text.slice(0, at).split('"').length % 2 === 0;
}

const wordCharacter = /[\p{L}\p{N}]/u;

function isInsideWord(text: string, at: number, end: number): boolean {
  return wordCharacter.test(text[at - 1] ?? '') || wordCharacter.test(text[end] ?? '');
}
