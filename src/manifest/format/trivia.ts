// Sorts the spaces, line ends, comments and anchors between the values of a syntax tree.
import type { CST } from 'yaml';
import type { Lines, Names } from './layout.ts';
import { joinNames, noNames } from './layout.ts';

/** A line without values: a comment with its column, or a blank line. */
export interface Loose {
  readonly text: string;
  readonly indent: number;
}

export interface Trivia {
  /** Anchors and tags, separated by a space. */
  readonly props: string;
  readonly names: Names;
  /** The comment on the line where the tokens begin, with the spaces before it. */
  readonly comment: string;
  /** Comments and blank lines below. */
  readonly loose: readonly Loose[];
}

/** `atLineStart`: the tokens begin on a line of their own, so a comment there does not belong to a value before it. */
export function readTrivia(tokens: readonly CST.SourceToken[], atLineStart: boolean): Trivia {
  const props: string[] = [];
  const loose: Loose[] = [];
  let names = noNames;
  let comment = '';
  let space = '';
  let lineIsEmpty = atLineStart;
  let isFirstLine = !atLineStart;
  for (const { type, source, indent } of tokens) {
    if (type === 'space') space = source;
    else if (type === 'newline') {
      for (const _end of source.matchAll(/\n/gu)) {
        if (lineIsEmpty) loose.push({ text: '', indent: 0 });
        lineIsEmpty = true;
        isFirstLine = false;
      }
    } else {
      lineIsEmpty = false;
      if (type === 'comment') {
        if (isFirstLine && comment === '') comment = /^ +$/u.test(space) ? space + source : ` ${source}`;
        else loose.push({ text: source, indent });
      }
      if (type === 'anchor') names = joinNames([names, { anchors: new Set([source.slice(1)]), aliases: new Set() }]);
      if (type === 'anchor' || type === 'tag') props.push(source);
    }
    if (type !== 'space') space = '';
  }
  return { props: props.join(' '), names, comment: comment.trimEnd(), loose };
}

/** Separates the lines that belong to a part deeper than `indent` from the lines after it. */
export function splitLoose(loose: readonly Loose[], indent: number): { inside: Lines; after: readonly Loose[] } {
  const first = loose.findIndex((line) => line.text !== '' && line.indent <= indent);
  let end = first === -1 ? loose.length : first;
  while (end > 0 && loose[end - 1]?.text === '') end -= 1;
  return { inside: textsOf(loose.slice(0, end)), after: loose.slice(end) };
}

export function textsOf(loose: readonly Loose[]): Lines {
  return loose.map(({ text }) => text.trimEnd());
}
