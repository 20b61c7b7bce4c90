// Runs one test on the simulated platform: applies the initial manifests, edits, plans, applies, and compares.
import { dirname, resolve } from 'node:path';
import { type Application, resolveApplication } from '../../../core/app/context/application.ts';
import type { Ports } from '../../../core/app/context/ports.ts';
import { repositoryAround } from '../../../core/app/context/repository.ts';
import { loadDeclared } from '../../../core/app/opening/load-declared.ts';
import { nowOf, planManifests } from '../../../core/app/plans/plan-manifests.ts';
import { disk } from '../../../core/manifest/files/access.ts';
import type { LoadedManifest } from '../../../core/manifest/passes/loaded-manifest.ts';
import { hasErrors } from '../../../core/model/diagnostic.ts';
import { Refusal } from '../../../core/model/errors.ts';
import type { TestFailure } from '../../../core/model/report.ts';
import { hiddenPart, isInside } from '../../../lib/paths.ts';
import { SimulatedEstate } from '../simulation/simulated-estate.ts';
import { compare, shownDiagnostic, type TestOutcome } from './compare.ts';
import { BadTest, type Edits, editedFiles, editsOf } from './edited-files.ts';
import type { ExpectedOutcome, Given, TestCase } from './read-tests.ts';

/** All failed expectations of the test. */
export async function runTest({ given, expected, file }: TestCase, ports: Ports): Promise<readonly TestFailure[]> {
  const folder = dirname(file.path);
  try {
    await confine(given, folder, file.root, ports);
    return await play(given, expected, folder, ports);
  } catch (error) {
    if (error instanceof BadTest) return [{ what: 'given', expected: 'a test that can run', actual: error.message }];
    if (!(error instanceof Refusal)) throw error;
    const causes = error.diagnostics.map(shownDiagnostic);
    return [{ what: 'given', expected: 'a plan', actual: [error.message, error.advice, ...causes].join('\n') }];
  }
}

/** A test under review may read the same files as a manifest: those of the repository that are not hidden. */
async function confine(
  { manifests, applied = [], edits }: Given,
  folder: string,
  root: string,
  { cwd }: Pick<Ports, 'cwd'>,
): Promise<void> {
  const repository = await repositoryAround(cwd, false);
  for (const named of new Set([...manifests, ...applied, ...edits.map(({ file }) => file)])) {
    const path = resolve(folder, named);
    for (const place of [path, await disk.realPath(path).catch(() => path)]) {
      const within = [root, repository].find((folder) => isInside(folder, place));
      if (within === undefined)
        throw new BadTest(`${named} is outside the repository. A test can only use files of the repository.`);
      const hidden = hiddenPart(within, place);
      if (hidden !== undefined)
        throw new BadTest(`${named} leads to ${hidden}. Hidden files may contain credentials and are never read.`);
    }
  }
}

async function play(
  given: Given,
  expected: ExpectedOutcome,
  folder: string,
  ports: Ports,
): Promise<readonly TestFailure[]> {
  const startsAt = new Date(`${given.date}T12:00:00Z`);
  const clock = { ...ports.clock, date: () => startsAt };
  const values = Object.entries(given.variables).map(([name, value]) => [`CHATFORM_VAR_${name}`, String(value)]);
  // A secret variable needs a value, but never its real one.
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
    throw new BadTest(
      `The manifests applied before the test have errors:\n${base.diagnostics.map(shownDiagnostic).join('\n')}`,
    );
  }
  if (errors.length > 0) return compare({ errors, refusals: [] }, expected);
  const application = applicationOf(manifest);
  const files = editedFiles(edits);
  const estate = new SimulatedEstate({
    application,
    startsAt,
    cwd: ports.cwd,
    // A test needs no secrets, but it does need the files.
    variables: () => 'test',
    readFile: async (file) => Buffer.from(await files.readFile(resolve(ports.cwd, file))),
  });
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

/** Each test has its own simulated application with the rate limits of the manifests. */
function applicationOf({ application }: LoadedManifest): Application {
  return resolveApplication({ baseUrl: 'emulator:test' }, { env: {} }, application);
}

async function applyBefore(base: LoadedManifest, application: Application, estate: SimulatedEstate) {
  const { plan, problems } = planManifests(base, application, await estate.state(), {
    now: nowOf(estate),
    isComparison: true,
  });
  if (problems.length > 0) throw new BadTest(problems.map(shownDiagnostic).join('\n'));
  await estate.setUpExternalUsers(plan);
  const { report, refusal } = await estate.apply(plan, { existing: base.policy.existing });
  if (refusal !== undefined) throw refusal;
  if (report?.outcome !== 'done') {
    const failures = (report?.failures ?? []).map((failure) => JSON.stringify(failure));
    throw new BadTest(`The apply before the test ended as ${report?.outcome}:\n${failures.join('\n')}`);
  }
}

async function underTest(
  manifest: LoadedManifest,
  application: Application,
  estate: SimulatedEstate,
  { refresh, faults, kill }: Given,
  expected: ExpectedOutcome,
): Promise<TestOutcome> {
  const planned = async () => {
    const live = refresh ? await estate.refresh(manifest) : undefined;
    return planManifests(manifest, application, await estate.state(), { now: nowOf(estate), live });
  };
  let first: Awaited<ReturnType<typeof planned>>;
  try {
    first = await planned();
  } catch (error) {
    // The input guard refuses without a plan if the rest of the files allows none.
    if (error instanceof Refusal && error.diagnostics.length > 0) return { errors: [], refusals: error.diagnostics };
    throw error;
  }
  const { plan, problems, refusals } = first;
  if (problems.length > 0 || refusals.length > 0) return { errors: problems, refusals, plan };
  const { outcome, end, durationMs } = expected;
  if (outcome === undefined && end === undefined && durationMs === undefined && kill === undefined) {
    return { errors: [], refusals: [], plan };
  }
  estate.simulation.faults.replace(faults);
  const { existing } = manifest.policy;
  const from = estate.clock.now();
  await estate.setUpExternalUsers(plan);
  let applied = await estate.apply(plan, { existing, killAt: kill });
  // Killed: start again and plan the remaining work.
  if (kill !== undefined && applied.report?.outcome !== 'done') {
    await estate.recover();
    const again = (await planned()).plan;
    await estate.setUpExternalUsers(again);
    applied = await estate.apply(again, { existing });
  }
  const durationOfRun = estate.clock.now() - from;
  estate.simulation.faults.replace({ rules: [] });
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
        refusal === undefined
          ? (report?.failures ?? []).map((value) => JSON.stringify(value)).join('\n')
          : refusal.message,
    },
  };
}

function withoutToken(env: Ports['env']): Ports['env'] {
  const { CHATFORM_API_TOKEN: _secret, ...others } = env;
  return others;
}
