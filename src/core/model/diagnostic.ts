// Diagnostics report problems to users. Each kind of problem has a stable code.

import { ownValue, type PositiveCount } from '../../lib/json.ts';
import { asSentence, plural } from '../../lib/words.ts';
import type { Address } from './address.ts';
import type { DiagnosticSetting, DiagnosticSettings } from './policy.ts';
import { printPosition, type SourcePosition } from './source.ts';

export type Severity = 'error' | 'warning' | 'note';

/** One problem or note. Diagnostics are collected and shown together, never thrown. */
export interface Diagnostic {
  readonly severity: Severity;
  /** Stable, and documented in schema/diagnostics.md: manifest.unknown-key. */
  readonly code: string;
  /** A fixed text per code, without data of users. */
  readonly summary: string;
  /** What is wrong, why, and what to do. */
  readonly detail: string;
  readonly address?: Address;
  readonly source?: SourcePosition;
  /** The source line. */
  readonly excerpt?: string;
  /** How many problems it stands for, where the others are not listed. Default: 1. */
  readonly count?: PositiveCount;
  /** A danger of the plan, which is shown before the changes. */
  readonly dangerous?: true;
  /** The entry of policy.acknowledge with which the plan passes this refusal. */
  readonly acknowledge?: {
    /** user.deactivate. */
    readonly effect: string;
    readonly count: PositiveCount;
  };
}

export function hasErrors(diagnostics: Iterable<Diagnostic>): boolean {
  for (const diagnostic of diagnostics) if (diagnostic.severity === 'error') return true;
  return false;
}

/**
 * Applies `policy.diagnostics`. Errors and dangers stay. Each code of which something is left out has one note, so that nobody takes the
 * rest for everything.
 */
export function adjusted(
  diagnostics: readonly Diagnostic[],
  settings: DiagnosticSettings | undefined,
): readonly Diagnostic[] {
  if (settings === undefined) return diagnostics;
  const omitted = new Map<string, number>();
  const kept = diagnostics.flatMap((diagnostic): readonly Diagnostic[] => {
    const { severity, code, detail, count = 1, dangerous } = diagnostic;
    const setting = severity === 'error' || dangerous === true ? undefined : ownValue(settings, code);
    if (setting?.level === undefined || setting.level === severity) return [diagnostic];
    if (setting.level !== 'off')
      return [{ ...diagnostic, severity: setting.level, detail: `${detail} ${why(setting)}` }];
    omitted.set(code, (omitted.get(code) ?? 0) + count);
    return [];
  });
  return [...kept, ...Array.from(omitted, ([code, count]) => noteOfOmitted(code, count, settings[code]))];
}

function why({ level, reason, source }: DiagnosticSetting): string {
  return `The policy makes it ${level === 'error' ? 'an error' : 'a warning'} (${printPosition(source)})${reasonIn(reason)}`;
}

function noteOfOmitted(code: string, count: number, setting: DiagnosticSetting | undefined): Diagnostic {
  return {
    severity: 'note',
    code: 'manifest.switched-off',
    summary: 'The policy switches off a diagnostic',
    detail: `${plural(count, 'diagnostic')} with the code ${code} ${count === 1 ? 'is' : 'are'} not shown${reasonIn(setting?.reason)}`,
    ...(setting === undefined ? {} : { source: setting.source }),
  };
}

/** Ends a sentence with the reason, if there is one. */
function reasonIn(reason: string | undefined): string {
  return reason === undefined ? '.' : `: ${asSentence(reason)}`;
}
