// Annotates a GitHub pull request with problems and plans, by workflow commands in the log.

import { plural } from '../../../lib/words.ts';
import type { Diagnostic, Severity } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import { compareDiagnostics } from '../../model/sorted-diagnostics.ts';
import { listingSentences, unmanagedSentence } from '../summary/unmanaged.ts';
import { verdict } from '../summary/verdict.ts';
import { cutAfter } from '../text/budget.ts';
import type { ViewOptions } from '../text/options.ts';
import { safe, safeLines } from '../text/text.ts';
import { findingsOf, repositoryPath } from './findings.ts';

/** GitHub shows this many annotations of one kind per step and drops the rest. */
const maxOfKind = 10;
const commands: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', note: 'notice' };

export function diagnosticsForGithub(
  diagnostics: readonly Diagnostic[],
  options: Pick<ViewOptions, 'maxBytes' | 'folder'> = {},
): Generator<string> {
  return annotations([...diagnostics].sort(compareDiagnostics), [], options);
}

/** The verdict, the count of what is not managed, and drift become notices, dangers become warnings. */
export function planForGithub(plan: Plan, options: ViewOptions): Generator<string> {
  const { unmanaged } = plan;
  const counted = unmanaged === undefined ? [] : [`${unmanagedSentence(unmanaged)} ${listingSentences(unmanaged)}`];
  const notices = [verdict(plan), ...counted].map((text) => command('note', { title: 'chatform plan' }, safe(text)));
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
    if (kind.first.length < kind.room) kind.first.push(diagnostic);
  }
  const lines = (['error', 'warning', 'note'] as const).flatMap((severity) => {
    const { first, total, room } = kinds[severity];
    // If there are too many, the last annotation gives their number.
    const shown = total > room ? first.slice(0, room - 1) : first;
    const sum = `${shown.length} of ${plural(total, severity)} annotated. See --format json for the rest.`;
    return [
      ...shown.map((diagnostic) => annotation(diagnostic, folder)),
      ...(total > shown.length ? [command(severity, { title: 'chatform' }, sum)] : []),
    ];
  });
  yield* cutAfter([...notices, ...lines], '', maxBytes);
}

function annotation(
  { severity, code, summary, detail, address, source }: Diagnostic,
  folder: string | undefined,
): string {
  const place =
    source === undefined ? {} : { file: repositoryPath(source.file, folder), line: source.line, col: source.column };
  const lines = [...safeLines(detail), ...(address === undefined ? [] : [`in ${safe(address)}`])];
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
