// Runs one test: applies what was applied before, edits, plans, applies on the simulated platform, and compares.
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { equalJson, isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { disk } from '../../manifest/files.ts';
import type { LoadedManifest } from '../../manifest/load.ts';
import { kindOf } from '../../model/address.ts';
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import { Refusal } from '../../model/errors.ts';
import type { Plan } from '../../model/plan.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import { printPosition } from '../../model/source.ts';
import type { TestFailure } from '../../model/test-result.ts';
import { loadDeclared } from '../manifests/load-declared.ts';
import { nowOf, planManifests } from '../manifests/plan-manifests.ts';
import type { Ports } from '../ports.ts';
import { type Application, resolveApplication } from '../session/application.ts';
import { type Edits, editedFiles } from './edited-files.ts';
import type { Expected, FileEdit, Given, TestCase } from './read-tests.ts';
import { SimulatedEstate } from './simulated-estate.ts';

export type TestPorts = Pick<Ports, 'env' | 'cwd' | 'clock' | 'variablesFile'>;

/** What became of the plan under test. */
interface Outcome {
  readonly errors: readonly Diagnostic[];
  readonly refusals: readonly Diagnostic[];
  readonly plan?: Plan;
  readonly applied?: Ended;
}

interface Ended {
  readonly outcome: string;
  readonly durationMs: number;
  readonly state: StateSnapshot;
  /** Steps that the next plan has. */
  readonly nextSteps: number;
  readonly advice: string;
}

/** Every way in which the test is not met. */
export async function runTest({ given, expected, file }: TestCase, ports: TestPorts): Promise<readonly TestFailure[]> {
  const folder = dirname(file.path);
  try {
    return await play(given, expected, folder, ports);
  } catch (error) {
    if (error instanceof BadTest)
      return [{ what: 'given', expected: 'something that can be done', actual: error.message }];
    if (!(error instanceof Refusal)) throw error;
    const causes = error.diagnostics.map(shownDiagnostic);
    return [{ what: 'given', expected: 'a plan', actual: [error.message, error.advice, ...causes].join('\n') }];
  }
}

/** The test asks for what cannot be done: an edit that fits nothing, a call that is refused. */
class BadTest extends Error {}

async function play(
  given: Given,
  expected: Expected,
  folder: string,
  ports: TestPorts,
): Promise<readonly TestFailure[]> {
  const startsAt = new Date(`${given.date}T12:00:00Z`);
  const clock = { ...ports.clock, date: () => startsAt };
  const values = Object.entries(given.variables).map(([name, value]) => [`CHATFORM_VAR_${name}`, String(value)]);
  // A variable that is a secret needs a value, and never its own.
  const env = { ...withoutToken(ports.env), ...Object.fromEntries(values) };
  const loading = { ...ports, env, clock, ...(values.length === 0 ? {} : { variablesFile: undefined }) };
  const load = (paths: readonly string[], edits: Edits) =>
    loadDeclared(
      paths.map((path) => resolve(folder, path)),
      loading,
      { files: editedFiles(edits), missingVariables: 'warn' },
    );

  const edits = await editsOf(given.edits, folder);
  const manifest = await load(given.manifests, edits);
  const errors = manifest.diagnostics.filter(({ severity }) => severity === 'error');
  const base = given.applied === undefined ? undefined : await load(given.applied, new Map());
  if (base !== undefined && hasErrors(base.diagnostics)) {
    throw new BadTest(`What was applied before has errors:\n${base.diagnostics.map(shownDiagnostic).join('\n')}`);
  }
  if (errors.length > 0) return compare({ errors, refusals: [] }, expected);
  const application = applicationOf(manifest);
  const estate = new SimulatedEstate(application, startsAt, { cwd: ports.cwd, files: editedFiles(edits) });
  try {
    if (base !== undefined) await applyBefore(base, application, estate);
    for (const { method, path, body } of given.live) {
      const answer = estate.callAsOther(method, path, body);
      if (answer !== undefined) throw new BadTest(`The platform refuses ${method} ${path}: ${answer}`);
    }
    return compare(await underTest(manifest, application, estate, given, expected), expected);
  } finally {
    await estate.close();
  }
}

/** No test reaches an application: each has one of its own, at the speed that the manifests name. */
function applicationOf({ application }: LoadedManifest): Application {
  return resolveApplication({ baseUrl: 'emulator:test' }, { env: {} }, application);
}

async function applyBefore(base: LoadedManifest, application: Application, estate: SimulatedEstate) {
  const { plan, problems } = planManifests(base, application, await estate.state(), {
    now: nowOf(estate),
    isComparison: true,
  });
  if (problems.length > 0) throw new BadTest(problems.map(shownDiagnostic).join('\n'));
  const { report, refusal } = await estate.apply(plan, { existing: base.policy.existing });
  if (refusal !== undefined) throw refusal;
  if (report?.outcome !== 'done') {
    const failures = (report?.failures ?? []).map((failure) => JSON.stringify(failure));
    throw new BadTest(`What was applied before ends as ${report?.outcome}:\n${failures.join('\n')}`);
  }
}

async function underTest(
  manifest: LoadedManifest,
  application: Application,
  estate: SimulatedEstate,
  { refresh, faults, kill }: Given,
  expected: Expected,
): Promise<Outcome> {
  const planned = async () => {
    const live = refresh ? await estate.refresh(manifest) : undefined;
    return planManifests(manifest, application, await estate.state(), { now: nowOf(estate), live });
  };
  let first: Awaited<ReturnType<typeof planned>>;
  try {
    first = await planned();
  } catch (error) {
    // The input guard refuses before there is a plan.
    if (error instanceof Refusal && error.diagnostics.length > 0) return { errors: [], refusals: error.diagnostics };
    throw error;
  }
  const { plan, problems, refusals } = first;
  if (problems.length > 0 || refusals.length > 0) return { errors: problems, refusals, plan };
  const { outcome, end, durationMs } = expected;
  if (outcome === undefined && end === undefined && durationMs === undefined && kill === undefined) {
    return { errors: [], refusals: [], plan };
  }
  estate.setFaults(faults);
  const { existing } = manifest.policy;
  const from = estate.clock.now();
  let applied = await estate.apply(plan, { existing, ...(kill === undefined ? {} : { killAt: kill }) });
  // Killed: it is started again, and plans against what is left.
  if (kill !== undefined && applied.report?.outcome !== 'done') {
    await estate.recover();
    applied = await estate.apply((await planned()).plan, { existing });
  }
  const durationOfRun = estate.clock.now() - from;
  estate.setFaults({ rules: [] });
  const state = await estate.state();
  const next = planManifests(manifest, application, state, { now: nowOf(estate), isComparison: true });
  const { refusal, report } = applied;
  return {
    errors: [],
    refusals: [],
    plan,
    applied: {
      outcome: report?.outcome ?? 'refused',
      durationMs: durationOfRun,
      state,
      nextSteps: next.plan.steps.length,
      advice:
        refusal === undefined ? (report?.failures ?? []).map((one) => JSON.stringify(one)).join('\n') : refusal.message,
    },
  };
}

function compare({ errors, refusals, plan, applied }: Outcome, expected: Expected): TestFailure[] {
  const failures: TestFailure[] = [];
  const differ = (what: string, left: JsonValue, right: JsonValue, more: readonly string[] = []) => {
    if (equalJson(left, right)) return;
    failures.push({
      what: `expect.${what}`,
      expected: shown(left),
      actual: [shown(right), ...more].filter((one) => one !== '').join('\n'),
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

function compareEnd(applied: Ended | undefined, { outcome = 'done', end, durationMs }: Expected): TestFailure[] {
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
      actual: [applied.outcome, applied.advice].filter((one) => one !== '').join('\n'),
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

/** The part of a value that another one names. */
function partOf(value: JsonValue | undefined, named: JsonValue): JsonValue {
  if (!isObject(named) || !isObject(value)) return value ?? null;
  return Object.fromEntries(
    Object.entries(named).map(([key, inner]): [string, JsonValue] => [
      key,
      partOf(Object.hasOwn(value, key) ? value[key] : undefined, inner),
    ]),
  );
}

/** By action, and by effect where the test names effects. */
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

/** Lines that a diff compares well. */
function shown(value: JsonValue): string {
  if (Array.isArray(value))
    return value.length === 0
      ? '(none)'
      : value.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))).join('\n');
  return isObject(value) ? JSON.stringify(value, null, 2) : String(value);
}

function shownDiagnostic({ code, detail, source, address }: Diagnostic): string {
  const place = source === undefined ? '' : ` ${printPosition(source)}`;
  return `${code}${place}${address === undefined ? '' : ` ${address}`}: ${detail}`;
}

async function editsOf(edits: readonly FileEdit[], folder: string): Promise<Edits> {
  const made = new Map<string, string | undefined>();
  for (const { file, replace, with: by = '', write, remove } of edits) {
    const path = resolve(folder, file);
    if (write !== undefined || remove === true) {
      made.set(path, write);
      continue;
    }
    const text = made.has(path) ? made.get(path) : await readFile(path, 'utf8').catch(() => undefined);
    if (text === undefined) throw new BadTest(`There is no ${file} to edit.`);
    const count = replace === undefined ? 0 : text.split(replace).length - 1;
    if (count !== 1)
      throw new BadTest(
        `${JSON.stringify(replace)} stands ${count} times in ${file}. Name a text that stands there once.`,
      );
    made.set(
      path,
      text.replace(replace ?? '', () => by),
    );
  }
  // Paths are compared with links followed.
  const real = await Promise.all([...made].map(async ([path, text]) => [await realPathOf(path), text] as const));
  return new Map(real);
}

async function realPathOf(path: string): Promise<string> {
  return disk.realPath(path).catch(async () => {
    const parent = await disk.realPath(dirname(path)).catch(() => dirname(path));
    return resolve(parent, path.slice(dirname(path).length + 1));
  });
}

function withoutToken(env: TestPorts['env']): TestPorts['env'] {
  const { CHATFORM_API_TOKEN: _secret, ...others } = env;
  return others;
}
