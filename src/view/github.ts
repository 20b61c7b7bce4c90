// How do problems become annotations of a GitHub pull request? By workflow commands in the log.
import { compareDiagnostics, type Diagnostic, type Severity } from '../model/diagnostic.ts';
import { tally } from './diagnostics.ts';
import { safe, safeLines } from './text.ts';

/** GitHub shows so many of one kind in one step, and drops the rest. */
const maxOfKind = 10;
const commands: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', note: 'notice' };

export function* diagnosticsForGithub(diagnostics: readonly Diagnostic[]): Generator<string> {
  const sorted = [...diagnostics].sort(compareDiagnostics);
  for (const severity of ['error', 'warning', 'note'] as const) {
    const own = sorted.filter((diagnostic) => diagnostic.severity === severity);
    // When there are more than fit, the last place is for their sum.
    const shown = own.length > maxOfKind ? own.slice(0, maxOfKind - 1) : own;
    for (const diagnostic of shown) yield annotation(diagnostic);
    if (own.length > shown.length) {
      const text = `${tally(own)} in all, ${shown.length} of them annotated. The rest: --format json`;
      yield command(severity, { title: 'chatform' }, text);
    }
  }
}

function annotation({ severity, code, summary, detail, address, source }: Diagnostic): string {
  const place = source === undefined ? {} : { file: source.file, line: source.line, col: source.column };
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
