// How does a declared object stand in YAML? One attribute a line, one member a line; `fmt` has the last word on layout.
import { isList, isObject, type JsonObject, type JsonValue } from '../../model/json.ts';

/** Short maps and lists stand on one line as far as this column. */
const maxColumn = 100;
/** Maps that grow by a line a change, however short they are. */
const oneALine: ReadonlySet<string> = new Set(['members']);

/** A section with its objects, in the order given. */
export function* sectionText(section: string, objects: Iterable<readonly [string, JsonObject]>): Generator<string> {
  yield `${section}:\n`;
  for (const [key, block] of objects) {
    const start = `  ${scalar(key)}:`;
    if (Object.keys(block).length === 0) yield `${start} {}\n`;
    else {
      yield `${start}\n`;
      for (const [name, value] of Object.entries(block)) yield* entry(name, value, '    ');
    }
  }
}

function* entry(name: string, value: JsonValue, indent: string): Generator<string> {
  const start = `${indent}${scalar(name)}:`;
  const line = `${start} ${inlineText(value)}`;
  const isBlock = (isObject(value) || isList(value)) && (oneALine.has(name) || line.length > maxColumn);
  if (isEmpty(value) && indent.length > 4) yield `${start}\n`;
  else if (!isBlock) yield `${line}\n`;
  else {
    yield `${start}\n`;
    if (isList(value)) for (const item of value) yield `${indent}  - ${inlineText(item)}\n`;
    else for (const [key, inner] of Object.entries(value)) yield* entry(key, inner, `${indent}  `);
  }
}

/** A value on one line. */
export function inlineText(value: JsonValue): string {
  if (isList(value)) return `[${value.map(inlineText).join(', ')}]`;
  if (isObject(value)) {
    const entries = Object.entries(value).map(([key, inner]) => `${scalar(key)}: ${inlineText(inner)}`);
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  return typeof value === 'string' ? scalar(value) : JSON.stringify(value);
}

/** A member's line without statuses. */
function isEmpty(value: JsonValue): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

/** Ids and words that no YAML reads as anything but text. */
const plain = /^[\p{L}_][\p{L}\p{N}_.@/-]*(?: [\p{L}\p{N}_.@/-]+)*$/u;
const otherThanText = /^(?:null|true|false|yes|no|on|off|y|n)$/iu;
/** What no file may hold as it is, or what ends a line for some readers. */
const escaped = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/gu;

/** In double quotes unless it reads the same without. */
function scalar(text: string): string {
  if (plain.test(text) && !otherThanText.test(text)) return text;
  return JSON.stringify(text).replaceAll(escaped, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
