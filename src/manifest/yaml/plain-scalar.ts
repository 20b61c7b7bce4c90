// Reads single values of the plain subset of YAML, and classifies its characters.
import type { ScalarTree } from './tree.ts';

/** Thrown for a text outside the subset. One instance, so that throwing captures no stack. */
export const outside = new Error('outside of the subset');

export const space = 32;
export const lineFeed = 10;
export const carriageReturn = 13;
export const tab = 9;
export const hash = 35;
export const colon = 58;
export const dash = 45;
export const comma = 44;
export const doubleQuote = 34;
export const singleQuote = 39;
export const openBrace = 123;
export const closeBrace = 125;
export const openBracket = 91;
export const closeBracket = 93;

export function isBlank(code: number): boolean {
  return code === space || code === lineFeed || code === carriageReturn;
}

export function isFlowSign(code: number): boolean {
  return code === comma || code === openBrace || code === closeBrace || code === openBracket || code === closeBracket;
}

const indicators: ReadonlySet<number> = new Set(Array.from('?:,[]{}#&*!|>\'"%@`\n\r\t ', (sign) => sign.charCodeAt(0)));

export function isIndicator(code: number): boolean {
  return indicators.has(code);
}

export function textTree(offset: number, text: string): ScalarTree {
  return { type: 'scalar', offset, value: text, text };
}

/** Constants and numbers of the core schema. Rare forms of numbers are left to the library. */
export function plainTree(offset: number, text: string): ScalarTree {
  const code = text.charCodeAt(0);
  const isNumeric = (code >= 48 && code <= 57) || code === dash || code === 43 || code === 46;
  if (isNumeric && /^[-+]?[.\d][\d.a-fxoA-FXO+-]*$|^[-+]?\.(?:inf|nan)$/iu.test(text)) {
    if (!/^-?\d{1,15}(?:\.\d{1,15})?$/u.test(text)) throw outside;
    return { type: 'scalar', offset, value: Number(text), text };
  }
  const constant = text.length <= 5 ? constants.get(text) : undefined;
  return { type: 'scalar', offset, value: constant === undefined ? text : constant, text };
}

const constants: ReadonlyMap<string, boolean | null> = new Map([
  ...['~', 'null', 'Null', 'NULL'].map((text): [string, null] => [text, null]),
  ...['true', 'True', 'TRUE'].map((text): [string, boolean] => [text, true]),
  ...['false', 'False', 'FALSE'].map((text): [string, boolean] => [text, false]),
]);

export function unquoted(inner: string, quote: number): string {
  if (quote === singleQuote) return inner.replaceAll("''", "'");
  if (!inner.includes('\\')) return inner;
  if (!/^(?:[^\\]|\\["\\/bfnrt])*$/u.test(inner)) throw outside;
  return JSON.parse(`"${inner}"`) as string;
}
