// How are problems shown as annotations in a GitHub pull request? By workflow commands, at most ten of a kind.
import { compareDiagnostics, type Diagnostic, type Severity } from '../model/diagnostic.ts';
import { safe, safeLines } from './text.ts';
import { listOf, plural } from './words.ts';

/** GitHub shows no more of one kind in one step. */
const maxOfKind = 10;
const commands: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', note: 'notice' };

export function* diagnosticsForGithub(diagnostics: readonly Diagnostic[]): Generator<string> {
  const shown: Record<Severity, number> = { error: 0, warning: 0, note: 0 };
  for (const diagnostic of [...diagnostics].sort(compareDiagnostics)) {
    shown[diagnostic.severity] += 1;
    if (shown[diagnostic.severity] <= maxOfKind) yield annotation(diagnostic);
  }
  const rest = (Object.keys(shown) as Severity[]).flatMap((severity) => {
    const more = shown[severity] - maxOfKind;
    return more > 0 ? [plural(more, `more ${severity}`)] : [];
  });
  if (rest.length > 0) yield `… and ${listOf(rest)}; see --format json`;
}

function annotation({ severity, code, summary, detail, address, source }: Diagnostic): string {
  const properties = {
    ...(source === undefined ? {} : { file: source.file, line: source.line, col: source.column }),
    title: `${summary} (${code})`,
  };
  const list = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(safe(String(value)))}`);
  const text = [...safeLines(detail), ...(address === undefined ? [] : [`in ${safe(address)}`])].join('\n');
  return `::${commands[severity]} ${list.join(',')}::${escapeMessage(text)}`;
}

function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
