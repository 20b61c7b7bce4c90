// Compares the outcome of a plan with the expectations of its test.

import { kindOf } from '../../../core/model/address.ts';
import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import type { Plan } from '../../../core/model/plan.ts';
import type { StateSnapshot } from '../../../core/model/ports.ts';
import type { TestFailure } from '../../../core/model/report.ts';
import { printPosition } from '../../../core/model/source.ts';
import { equalJson, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { ExpectedOutcome } from './read-tests.ts';

/** The outcome of the plan under test. */
export interface TestOutcome {
  readonly errors: readonly Diagnostic[];
  readonly refusals: readonly Diagnostic[];
  readonly plan?: Plan;
  readonly applied?: TestRun;
}

interface TestRun {
  readonly outcome: string;
  readonly durationMs: number;
  readonly state: StateSnapshot;
  /** The number of steps of the next plan. */
  readonly nextSteps: number;
  readonly advice: string;
}

/** All differences between the outcome and the expectations. */
export function compare({ errors, refusals, plan, applied }: TestOutcome, expected: ExpectedOutcome): TestFailure[] {
  const failures: TestFailure[] = [];
  const differ = (what: string, left: JsonValue, right: JsonValue, more: readonly string[] = []) => {
    if (equalJson(left, right)) return;
    failures.push({
      what: `expect.${what}`,
      expected: shown(left),
      actual: [shown(right), ...more].filter((line) => line !== '').join('\n'),
    });
  };
  const codesOf = (list: readonly Diagnostic[]) => [...new Set(list.map(({ code }) => code))].sort();
  differ('errors', [...(expected.errors ?? [])].sort(), codesOf(errors), errors.map(shownDiagnostic));
  differ('refusals', [...(expected.refusals ?? [])].sort(), codesOf(refusals), refusals.map(shownDiagnostic));
  if (expected.warnings !== undefined) {
    const found = codesOf(plan?.warnings ?? []);
    differ('warnings', [...expected.warnings].sort(), expected.warnings.filter((code) => found.includes(code)).sort(), [
      `among: ${found.join(', ')}`,
    ]);
  }
  if (expected.addresses !== undefined) {
    differ(
      'addresses',
      [...expected.addresses].sort(),
      plan === undefined ? [] : [...plan.changes].map(({ address }) => address).sort(),
    );
  }
  if (expected.counts !== undefined)
    differ('counts', sorted(withoutZeros(expected.counts)), sorted(countsOf(plan, expected.counts)));
  if (expected.outcome !== undefined || expected.end !== undefined || expected.durationMs !== undefined) {
    failures.push(...compareEnd(applied, expected));
  }
  return failures;
}

function compareEnd(
  applied: TestRun | undefined,
  { outcome = 'done', end, durationMs }: ExpectedOutcome,
): TestFailure[] {
  if (applied === undefined) {
    return outcome === 'refused'
      ? []
      : [{ what: 'expect.outcome', expected: outcome, actual: 'refused: nothing was applied' }];
  }
  const failures: TestFailure[] = [];
  if (applied.outcome !== outcome) {
    failures.push({
      what: 'expect.outcome',
      expected: outcome,
      actual: [applied.outcome, applied.advice].filter((line) => line !== '').join('\n'),
    });
  }
  if (durationMs !== undefined && applied.durationMs > durationMs) {
    failures.push({
      what: 'expect.duration',
      expected: `at most ${durationMs / 1000} s`,
      actual: `${applied.durationMs / 1000} s`,
    });
  }
  for (const [address, wanted] of Object.entries(end ?? {})) {
    const record = applied.state.get(address as Parameters<StateSnapshot['get']>[0]);
    const found =
      record === undefined || wanted === null ? (record?.attributes ?? null) : partOf(record.attributes, wanted);
    if (!equalJson(wanted, found))
      failures.push({ what: `expect.end.${address}`, expected: shown(wanted), actual: shown(found) });
  }
  if (outcome === 'done' && applied.outcome === 'done' && applied.nextSteps > 0) {
    failures.push({ what: 'the next plan', expected: 'nothing to do', actual: `${applied.nextSteps} steps` });
  }
  return failures;
}

/** The part of a value that the expectation mentions. */
function partOf(value: JsonValue | undefined, named: JsonValue): JsonValue {
  if (!isObject(named) || !isObject(value)) return value ?? null;
  return Object.fromEntries(
    Object.entries(named).map(([key, inner]): [string, JsonValue] => [
      key,
      partOf(Object.hasOwn(value, key) ? value[key] : undefined, inner),
    ]),
  );
}

/** Counts by action, and by effect if the test mentions effects. */
function countsOf(plan: Plan | undefined, named: Readonly<Record<string, number>>): JsonObject {
  const counts: Record<string, number> = {};
  const byEffect = Object.keys(named).some((name) => name.includes('.'));
  for (const { address, actions } of plan?.changes ?? []) {
    for (const action of actions) {
      const name = byEffect ? `${kindOf(address)}.${action}` : action;
      counts[name] = (counts[name] ?? 0) + 1;
    }
  }
  return counts;
}

function withoutZeros(counts: Readonly<Record<string, number>>): JsonObject {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

function sorted(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** A value as lines for a diff. */
function shown(value: JsonValue): string {
  if (Array.isArray(value))
    return value.length === 0
      ? '(none)'
      : value.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))).join('\n');
  return isObject(value) ? JSON.stringify(value, null, 2) : String(value);
}

export function shownDiagnostic({ code, detail, source, address }: Diagnostic): string {
  const place = source === undefined ? '' : ` ${printPosition(source)}`;
  return `${code}${place}${address === undefined ? '' : ` ${address}`}: ${detail}`;
}
