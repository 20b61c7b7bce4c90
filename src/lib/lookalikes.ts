// Finds texts that people cannot tell apart: letters of another script, and characters that are not shown.

import { isAscii } from './json.ts';

/** Cyrillic and Greek letters that look like `latin` in most fonts: a part of Unicode's confusables. */
const letters = 'аеорсхуіјѕһԁԛԝӏАВЕКМНОРСТХУІЈЅανορικυΑΒΕΖΗΙΚΜΝΟΡΤΥΧ';
const latin = 'aeopcxyijshdqwlABEKMHOPCTXYIJSavopikuABEZHIKMNOPTYX';
const table = new Map(Array.from(letters, (letter, place) => [letter, latin[place] ?? letter]));

const unseen = /\p{Default_Ignorable_Code_Point}/gu;
const latinLetter = /\p{Script=Latin}/u;
const otherLetter = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

/** Returns a text that is the same for texts that look alike. ASCII texts are returned unchanged. */
export function lookOf(text: string): string {
  if (isAscii(text)) return text;
  const shown = text.normalize('NFKC').replace(unseen, '');
  return Array.from(shown, (letter) => table.get(letter) ?? letter).join('');
}

/** Returns a word of Latin letters and of letters of another script that look Latin, or undefined if there is none. */
export function mixedWord(text: string): string | undefined {
  if (isAscii(text)) return undefined;
  const words = text.match(/\p{Letter}+/gu) ?? [];
  return words.find((word) => latinLetter.test(word) && otherLetter.test(word) && lookOf(word) !== word);
}

/** Escapes every character that is not ASCII, so that texts that look alike can be told apart: `jos\u{e9}`. */
export function spelledOut(text: string): string {
  return text.replace(/[^\0-\x7f]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Describes each character that is not ASCII, such as `"а" is U+0430`. */
export function foreignCharacters(text: string): string {
  const found = new Set(Array.from(text).filter((character) => !isAscii(character)));
  const names = Array.from(found, (character) => {
    const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
    return /\p{Default_Ignorable_Code_Point}/u.test(character) ? `${code} is not shown` : `"${character}" is ${code}`;
  });
  return names.slice(0, 5).join(', ');
}
