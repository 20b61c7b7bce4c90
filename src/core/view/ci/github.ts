// Annotates a GitHub pull request with problems and plans, by workflow commands in the log.

import { plural, printNumber } from '../../../lib/words.ts';
import type { Diagnostic, Severity } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import { compareDiagnostics } from '../../model/sorted-diagnostics.ts';
import { alsoAt, type EqualProblems, equalProblems } from '../summary/equal-problems.ts';
import { commandOf } from '../summary/status.ts';
import { listingSentences, unmanagedSentence } from '../summary/unmanaged.ts';
import { verdictWithState } from '../summary/verdict.ts';
import { cutAfter } from '../text/budget.ts';
import type { ViewOptions } from '../text/options.ts';
import { safe, safeLines } from '../text/text.ts';
import { findingsOf, repositoryPath } from './findings.ts';

/** GitHub shows this many annotations of one kind per step and drops the rest. */
const maxOfKind = 10;
/** Diagnostics of one kind that are grouped by cause. The others are only counted. */
const maxGrouped = 5_000;
/** Characters for the places of one group. */
const placesWidth = 200;
const commands: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', note: 'notice' };

export function diagnosticsForGithub(
  diagnostics: readonly Diagnostic[],
  options: Pick<ViewOptions, 'maxBytes' | 'folder'> = {},
): Generator<string> {
  return annotations([...diagnostics].sort(compareDiagnostics), [], options);
}

/** The headline, the count of what is not managed, and drift become notices, dangers become warnings. */
export function planForGithub(plan: Plan, options: ViewOptions): Generator<string> {
  const { unmanaged } = plan;
  const counted = unmanaged === undefined ? [] : [`${unmanagedSentence(unmanaged)} ${listingSentences(unmanaged)}`];
  const notices = [verdictWithState(plan), ...counted].map((text) =>
    command('note', { title: `chatform ${commandOf(plan)}` }, safe(text)),
  );
  return annotations(findingsOf(plan, options), notices, options);
}

function* annotations(
  diagnostics: Iterable<Diagnostic>,
  notices: readonly string[],
  { maxBytes, folder: folderOf }: Pick<ViewOptions, 'maxBytes' | 'folder'>,
): Generator<string> {
  const folder = folderOf?.();
  const kinds = {
    error: { first: [] as Diagnostic[], total: 0, room: maxOfKind },
    warning: { first: [] as Diagnostic[], total: 0, room: maxOfKind },
    note: { first: [] as Diagnostic[], total: 0, room: maxOfKind - notices.length },
  };
  for (const diagnostic of diagnostics) {
    const kind = kinds[diagnostic.severity];
    kind.total += 1;
    if (kind.first.length < maxGrouped) kind.first.push(diagnostic);
  }
  const lines = (['error', 'warning', 'note'] as const).flatMap((severity) => {
    const { first, total, room } = kinds[severity];
    // One cause may have hundreds of places, and must not hide the others.
    const groups = total > room ? equalProblems(first) : first.map((diagnostic): EqualProblems => [diagnostic]);
    const isAll = groups.length <= room && first.length === total;
    const annotated = isAll ? groups : groups.slice(0, room - 1);
    const count = annotated.reduce((sum, { length }) => sum + length, 0);
    const remainder = `${printNumber(count)} of ${plural(total, severity)} annotated. See --format json for the rest.`;
    return [
      ...annotated.map((group) => annotation(group, folder)),
      ...(isAll ? [] : [command(severity, { title: 'chatform' }, remainder)]),
    ];
  });
  yield* cutAfter([...notices, ...lines], '', maxBytes);
}

/** The first problem of the group at its line, with the places of the others. */
function annotation(group: EqualProblems, folder: string | undefined): string {
  const [{ severity, code, summary, detail, address, source }] = group;
  const others = alsoAt(group, placesWidth);
  const place =
    source === undefined ? {} : { file: repositoryPath(source.file, folder), line: source.line, col: source.column };
  const lines = [
    ...safeLines(detail),
    ...(address === undefined ? [] : [`in ${safe(address)}`]),
    ...(others === undefined ? [] : [others]),
  ];
  return command(severity, { ...place, title: `${summary} (${code})` }, lines.join('\n'));
}

function command(severity: Severity, properties: Readonly<Record<string, string | number>>, text: string): string {
  const list = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(safe(String(value)))}`);
  return `::${commands[severity]} ${list.join(',')}::${escapeText(text)}\n`;
}

function escapeText(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeText(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
