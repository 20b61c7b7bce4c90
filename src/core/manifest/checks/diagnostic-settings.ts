// Reads `policy.diagnostics`, and compiles the globs of values that are not secrets.
import { isList, isObject, type JsonValue } from '../../../lib/json.ts';
import { globMatcher } from '../../../lib/patterns/glob.ts';
import {
  type DiagnosticSetting,
  type DiagnosticSettings,
  diagnosticLevels,
  secretValueCode,
} from '../../model/policy.ts';
import { type ManifestDocument, spotIn } from '../document/document.ts';
import type { Problems } from '../problems/problems.ts';

export function readDiagnosticSettings(document: ManifestDocument, problems: Problems): DiagnosticSettings | undefined {
  const { policy } = document.outline;
  const declared = isObject(policy) ? policy.diagnostics : undefined;
  if (!isObject(declared)) return undefined;
  return Object.fromEntries(
    Object.entries(declared).map(([code, value]) => [
      code,
      settingOf(value, ['policy', 'diagnostics', code], document, problems),
    ]),
  );
}

function settingOf(
  value: JsonValue,
  path: readonly string[],
  document: ManifestDocument,
  problems: Problems,
): DiagnosticSetting {
  const { level, reason, except } = isObject(value) ? value : { level: value };
  const validLevel = diagnosticLevels.find((name) => name === level);
  const { source, offset } = spotIn(document, path, 'key');
  return {
    ...(validLevel === undefined ? {} : { level: validLevel }),
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(isList(except) ? { except: validGlobs(except, [...path, 'except'], document, problems) } : {}),
    source: source.position(offset),
  };
}

function validGlobs(
  globs: readonly JsonValue[],
  path: readonly string[],
  document: ManifestDocument,
  problems: Problems,
): string[] {
  return globs.flatMap((glob, index) => {
    if (typeof glob !== 'string') return [];
    try {
      globMatcher(glob, 'text');
      return [glob];
    } catch (error) {
      const detail = `${error instanceof Error ? error.message : 'The glob is not valid'}.`;
      problems.add('manifest.bad-pattern', detail, spotIn(document, [...path, String(index)]));
      return [];
    }
  });
}

/** Whether a value, given as `ADDRESS.PATH`, is declared not to be a secret. */
export type NoSecret = (value: string) => boolean;

export function noSecretsIn(settings: DiagnosticSettings | undefined): NoSecret {
  const matchers = (settings?.[secretValueCode]?.except ?? []).map((glob) => globMatcher(glob, 'text'));
  return (value) => matchers.some((matches) => matches(value));
}
