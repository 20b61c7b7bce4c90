// Groups problems that say the same, so that many of them are one block with the places of the others.

import { printNumber } from '../../../lib/words.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { foldToLine } from '../text/folding.ts';
import { safe } from '../text/text.ts';

export type EqualProblems = readonly [Diagnostic, ...Diagnostic[]];

/** The number of problems with the same words, in any file, from which only the first is shown as a whole. */
const manyEqual = 3;
/** That of problems of one file which say the same apart from figures. */
const manySimilar = 4;

/** Keeps the order of the first of each group. Problems without a place, and those that stand for others, stay alone. */
export function equalProblems(sorted: readonly Diagnostic[]): readonly EqualProblems[] {
  const placed = sorted.filter(({ source, count }) => source !== undefined && count === undefined);
  const equal = largeGroups(placed, manyEqual, ({ severity, code, detail }) => [severity, code, detail]);
  const others = placed.filter((problem) => !equal.has(problem));
  const similar = largeGroups(others, manySimilar, ({ severity, code, source, detail }) => {
    return [severity, code, source?.file, detail.replace(/\d+/gu, '0')];
  });
  return sorted.flatMap((problem): EqualProblems[] => {
    const group = equal.get(problem) ?? similar.get(problem) ?? [problem];
    return group[0] === problem ? [group] : [];
  });
}

/** The group of each problem that has at least `least` problems with the same name. */
function largeGroups(
  problems: readonly Diagnostic[],
  least: number,
  nameOf: (problem: Diagnostic) => readonly unknown[],
): ReadonlyMap<Diagnostic, EqualProblems> {
  const byName = new Map<string, [Diagnostic, ...Diagnostic[]]>();
  for (const problem of problems) {
    const name = JSON.stringify(nameOf(problem));
    const group = byName.get(name);
    if (group === undefined) byName.set(name, [problem]);
    else group.push(problem);
  }
  const large = [...byName.values()].filter(({ length }) => length >= least);
  return new Map(large.flatMap((group) => group.map((problem) => [problem, group] as const)));
}

/** `And 99 more, at lines 5, 6, 7, … and 96 more.`, or at `envs/b.yaml:3`. Undefined for a problem that is alone. */
export function alsoAt([first, ...others]: EqualProblems, columns: number): string | undefined {
  if (others.length === 0) return undefined;
  const files = new Set([first, ...others].map(({ source }) => source?.file));
  const isOneFile = files.size === 1;
  const places = new Set(
    others.map(({ source }) => (isOneFile ? '' : `${safe(source?.file ?? '')}:`) + String(source?.line ?? 0)),
  );
  const word = !isOneFile ? '' : places.size === 1 ? 'line ' : 'lines ';
  return `And ${printNumber(others.length)} more, at ${word}${foldToLine([...places], columns)}.`;
}
