// A JSON value with placeholders: makes the value that JSON.parse would make of the filled text, but parses nothing, and
// shares the parts that hold no placeholder.
import { isList, isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { hasPlaceholder, placeholderFor, TextTemplate } from './text-template.ts';

/** Makes a part of the value. */
type Make = (texts: readonly string[]) => JsonValue;

/** A placeholder that is no part of a JSON string stands for a number. */
const bareNumber = /(?<=[:,[])\uE000(\d+)\uE001(?=[,\]}])/gu;
/** Before the placeholder of a number, to tell it from that of a text; JSON texts hold no such control character. */
const numberMark = '\u0001';
const wholePlaceholder = /^(\u0001?)\uE000(\d+)\uE001$/u;

export class ValueTemplate {
  readonly #make: Make;

  /** `text`: the JSON, with placeholders. Throws a SyntaxError when it is none. */
  constructor(text: string) {
    const marked = text.replace(bareNumber, (_whole, place: string) =>
      JSON.stringify(numberMark + placeholderFor(Number(place))),
    );
    const value = JSON.parse(marked) as JsonValue;
    this.#make = makerOf(value) ?? (() => value);
  }

  /** `texts` stand as in JSON, between the quotes. */
  filled(texts: readonly string[]): JsonValue {
    return this.#make(texts);
  }
}

/** Undefined for a value without placeholders. */
function makerOf(value: JsonValue): Make | undefined {
  if (typeof value === 'string') return hasPlaceholder(value) ? textMaker(value) : undefined;
  if (isList(value)) return listMaker(value);
  return isObject(value) ? objectMaker(value) : undefined;
}

function textMaker(value: string): Make {
  const [, mark, digits] = wholePlaceholder.exec(value) ?? [];
  const place = Number(digits);
  if (mark === numberMark) return (texts) => Number(texts[place]);
  if (mark === '') return (texts) => textOf(texts[place] ?? '');
  const template = new TextTemplate(JSON.stringify(value).slice(1, -1));
  return (texts) => textOf(template.filled(texts));
}

/** `escaped`: as it stands in JSON, between the quotes. */
export function textOf(escaped: string): string {
  return escaped.includes('\\') ? (JSON.parse(`"${escaped}"`) as string) : escaped;
}

function listMaker(values: readonly JsonValue[]): Make | undefined {
  const makers = values.map(makerOf);
  if (makers.every((make) => make === undefined)) return undefined;
  return (texts) => values.map((value, place) => makers[place]?.(texts) ?? value);
}

function objectMaker(value: JsonObject): Make | undefined {
  const parts = Object.entries(value).map(([name, part]) => ({ name, part, make: makerOf(part) }));
  if (parts.every(({ make }) => make === undefined)) return undefined;
  return (texts) => {
    // A copy of `value` to be changed takes V8 a third longer. No key is `__proto__`: manifests may not hold it.
    const made: Record<string, JsonValue> = {};
    for (const { name, part, make } of parts) made[name] = make === undefined ? part : make(texts);
    return made;
  };
}
