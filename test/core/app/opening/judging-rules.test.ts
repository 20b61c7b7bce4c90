// Tests that a commit gives everything that the judgement of a plan depends on, and that the stricter side counts where both say something.
import { rm, symlink } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { applyChanges } from '../../../../src/core/app/apply.ts';
import { readRules } from '../../../../src/core/app/opening/base-ref.ts';
import { openPlanSource } from '../../../../src/core/app/opening/open-plan.ts';
import { planChanges } from '../../../../src/core/app/plan.ts';
import { savePlan } from '../../../../src/core/app/plans/plan-file.ts';
import { planUndo } from '../../../../src/core/app/undo.ts';
import type { BehavioursFile } from '../../../../src/core/model/behaviours.ts';
import { Refusal } from '../../../../src/core/model/errors.ts';
import { rehearseApply } from '../../../../src/tools/rehearsal/rehearse.ts';
import { startRepository } from '../../../support/git.ts';
import { Place } from '../../../support/place.ts';
import { copiesOf } from '../../../support/temporary-folder.ts';
import { type TestPorts, testPorts } from '../support/ports.ts';

const signer = 'ann ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIApBbB+UFyhZKS7Xih4o0FYPCgb7A20P7i4Mx2odnChT';

type Files = Readonly<Record<string, string>>;

/** The application of `app.yaml`. Bob is in state, and `people.yaml` deactivates him: one danger. */
const app = (more = ''): Files => ({
  'app.yaml': `version: 1\napplication: { base_url: "emulator:e"${more} }\n`,
});
const people = (bob: string): Files => ({
  'people.yaml': `version: 1\nusers: { ann: { nickname: Ann }, bob: { nickname: Bob${bob} } }\n`,
});
const dangers = (most: number): Files => ({
  'policy.yaml': `version: 1\npolicy: { approvals: { dangers: ${most}, signers: [${signer}] } }\n`,
});
const ignoring = (line: string): Files => ({ '.chatformignore': `${line}\n` });
const reading = (value: number): Files => ({
  'chatform-behaviours.json': JSON.stringify({
    format_version: '1.0',
    application: 'emulator:e',
    date: '2026-01-01T00:00:00Z',
    chatform: '0.3.0',
    behaviours: { changesPerWindow: { value, evidence: 'x' } },
  }),
});

interface Counted {
  readonly isUnsigned?: boolean;
  readonly limits?: Readonly<Record<string, number>>;
  readonly rate_plan?: string;
  readonly rate_share?: number;
  readonly place?: string | undefined;
  readonly reading?: number | undefined;
}

interface Edit {
  readonly edit: string;
  readonly base: Files;
  readonly request: Files;
  readonly counted: Counted;
  /** What the warning names. Absent: the edit only tightens, or is a danger of its own. */
  readonly named?: string;
}

const policy = 'approvals of the policy';
const shares = 'application.limits, application.rate_share';
const behaviours = 'changesPerWindow (emulator:e) of chatform-behaviours.json';
const edits: readonly Edit[] = [
  { edit: 'policy loosened', base: dangers(0), request: dangers(5), counted: { isUnsigned: true }, named: policy },
  { edit: 'policy tightened', base: dangers(5), request: dangers(0), counted: { isUnsigned: true } },
  { edit: 'policy removed', base: dangers(0), request: {}, counted: { isUnsigned: true }, named: policy },
  { edit: 'policy added', base: {}, request: dangers(0), counted: { isUnsigned: true } },
  {
    edit: 'limits loosened',
    base: app(', limits: { POST: 4 }, rate_share: 0.5'),
    request: app(', limits: { POST: 40 }'),
    counted: { limits: { POST: 4 }, rate_share: 0.5 },
    named: shares,
  },
  {
    edit: 'limits tightened',
    base: app(', limits: { POST: 4 }'),
    request: app(', limits: { POST: 2 }, rate_share: 0.5'),
    counted: { limits: { POST: 2 }, rate_share: 0.5 },
  },
  {
    edit: 'limits removed',
    base: app(', limits: { POST: 4 }, rate_share: 0.5'),
    request: app(),
    counted: { limits: { POST: 4 }, rate_share: 0.5 },
    named: shares,
  },
  {
    edit: 'limits added',
    base: app(),
    request: app(', limits: { POST: 40 }, rate_share: 0.5, rate_plan: 100k_mau'),
    counted: { limits: { POST: 5 }, rate_share: 0.5, rate_plan: 'free_trial' },
    named: 'application.rate_plan, application.limits, application.rate_share',
  },
  { edit: 'behaviours loosened', base: reading(7), request: reading(900), counted: { reading: 7 }, named: behaviours },
  {
    edit: 'behaviours tightened',
    base: reading(900),
    request: reading(7),
    counted: { reading: 900 },
    named: behaviours,
  },
  { edit: 'behaviours removed', base: reading(7), request: {}, counted: { reading: 7 }, named: behaviours },
  { edit: 'behaviours added', base: {}, request: reading(900), counted: { reading: undefined }, named: behaviours },
  {
    edit: 'ignore list that hides the policy',
    base: { ...dangers(0), ...ignoring('x.yaml') },
    request: { ...dangers(0), ...ignoring('policy.yaml') },
    counted: { isUnsigned: true },
    named: `${policy}, .chatformignore`,
  },
  {
    edit: 'ignore list with one line less',
    base: { ...dangers(0), ...ignoring('x.yaml\ny.yaml') },
    request: { ...dangers(0), ...ignoring('x.yaml') },
    counted: { isUnsigned: true },
    named: '.chatformignore',
  },
  {
    edit: 'ignore list removed',
    base: { ...dangers(0), ...ignoring('x.yaml') },
    request: dangers(0),
    counted: { isUnsigned: true },
    named: '.chatformignore',
  },
  {
    edit: 'ignore list added',
    base: dangers(0),
    request: { ...dangers(0), ...ignoring('policy.yaml') },
    counted: { isUnsigned: true },
    named: `${policy}, .chatformignore`,
  },
  {
    edit: 'place of the state moved',
    base: app(', state: "file:kept"'),
    request: app(', state: "file:fake"'),
    counted: { place: 'file:kept' },
  },
  {
    edit: 'place of the state removed',
    base: app(', state: "file:kept"'),
    request: app(),
    counted: { place: 'file:kept' },
  },
  {
    edit: 'place of the state added',
    base: app(),
    request: app(', state: "file:fake"'),
    counted: { place: undefined },
  },
];

const applied = copiesOf(async (cwd) => {
  const at = new Place(cwd);
  await at.write({ ...app(), ...people(''), '.gitignore': '.chatform/\ne\n*.chatform\n' });
  const ports = { ...(await testPorts({})), cwd };
  await applyChanges({ paths: ['.'] }, ports);
});

async function requestOf({ base, request }: Edit): Promise<TestPorts> {
  const at = new Place(await applied());
  await at.write(base);
  startRepository(at.cwd);
  for (const name of Object.keys(base)) if (request[name] === undefined) await rm(at.path(name));
  await at.write({ ...app(), ...request, ...people(', deactivated: true') });
  return { ...(await testPorts({})), cwd: at.cwd, env: { PATH: process.env.PATH } };
}

const paths = ['.'];

function changesIn(files: readonly (BehavioursFile | undefined)[]): unknown {
  const [result] = files.map((file) => file?.behaviours.changesPerWindow);
  return result !== undefined && 'value' in result ? result.value : undefined;
}

async function isRefusedUnsigned(run: Promise<unknown>): Promise<boolean> {
  return run.then(
    () => false,
    (error: unknown) => {
      if (error instanceof Refusal && error.code.startsWith('signature.')) return true;
      throw error;
    },
  );
}

async function countedByApply(paths: readonly string[], ports: TestPorts, { counted }: Edit): Promise<Counted> {
  const options = { paths, approvalsRef: 'main' };
  const { application, statePlace } = await openPlanSource(options, ports, 'error');
  return {
    ...application.settings,
    place: statePlace?.place,
    reading: changesIn([application.behaviours]) as number | undefined,
    ...(counted.isUnsigned === undefined ? {} : { isUnsigned: await isRefusedUnsigned(applyChanges(options, ports)) }),
  };
}

describe('the commit and the stricter side judge a request with its', () => {
  test.for(edits)('$edit', async (edit) => {
    const ports = await requestOf(edit);
    const { plan } = await planChanges({ paths, baseRef: 'main' }, ports);
    const { behaviours: ofBase } = await readRules('main', 'plan', paths, ports);
    const byPlan = {
      ...plan.settings,
      place: plan.settings.state,
      reading: changesIn(ofBase),
      isUnsigned: plan.warnings.some(({ code }) => code === 'plan.needs-signature'),
    };
    expect(byPlan, 'plan --base-ref').toMatchObject(edit.counted);
    const warning = plan.warnings.find(({ code }) => code === 'plan.rules-edited');
    expect(warning?.detail.split(/ differs? from/u)[0]).toBe(edit.named);

    // Made without --base-ref, as its author may do.
    const own = await planChanges({ paths, isToBeSaved: true }, ports);
    await savePlan(own.plan, 'own.chatform', ports);
    expect(await countedByApply(['own.chatform'], ports, edit), 'a saved plan').toMatchObject(edit.counted);
    expect(await countedByApply(paths, ports, edit), 'apply --approvals-ref').toMatchObject(edit.counted);
  });
});

test('a saved plan with dangers needs the signature that the folder demands, whatever its own policy says', async () => {
  const ports = await requestOf({ edit: '', base: {}, request: {}, counted: {} });
  const { plan } = await planChanges({ paths, isToBeSaved: true }, ports);
  await savePlan(plan, 'own.chatform', ports);
  await new Place(ports.cwd).write(dangers(0));
  expect(await isRefusedUnsigned(applyChanges({ paths: ['own.chatform'] }, ports))).toBe(true);
  await new Place(ports.cwd).write(dangers(1));
  expect(await isRefusedUnsigned(applyChanges({ paths: ['own.chatform'] }, ports))).toBe(false);
});

test.for<{ what: string; files: Files; outcome: string; says?: string; requireSignature?: boolean }>([
  {
    what: 'its own folder demands it',
    files: { ...inFolder('prod', dangers(0)), ...inFolder('test', dangers(5), 'f') },
    outcome: 'signature.missing',
  },
  {
    what: 'only another application demands it',
    files: { ...inFolder('prod', dangers(5)), ...inFolder('test', dangers(0), 'f') },
    outcome: 'done',
  },
  {
    what: 'the base that its folder extends demands it',
    files: {
      ...inFolder('prod', { 'more.yaml': 'version: 1\nextends: ../base\n' }),
      ...inFolder('test', {}, 'f'),
      'base/policy.yaml': dangers(0)['policy.yaml'] ?? '',
    },
    outcome: 'signature.missing',
  },
  {
    what: 'two folders are about its application',
    files: { ...inFolder('prod', dangers(5)), ...inFolder('test', dangers(5)) },
    outcome: 'signature.which-policy',
  },
  {
    what: 'no folder is about its application',
    files: { ...inFolder('prod', dangers(5), 'g'), ...inFolder('test', dangers(5), 'f') },
    outcome: 'signature.which-policy',
  },
  {
    what: 'its folder declares two applications',
    files: {
      ...inFolder('prod', dangers(5)),
      'prod/other.yaml': app()['app.yaml'] ?? '',
      ...inFolder('test', {}, 'f'),
    },
    outcome: 'signature.which-policy',
  },
  {
    what: 'a policy around the folders demands it',
    files: { ...inFolder('prod', {}), ...inFolder('test', {}, 'f'), ...dangers(0) },
    outcome: 'signature.which-policy',
    says: 'prod declares emulator:e, but a policy outside of that folder may apply to it (policy.yaml:2:1).',
  },
  {
    what: 'a policy beside the folders demands it',
    files: {
      ...inFolder('prod', dangers(5)),
      ...inFolder('test', {}, 'f'),
      'other/policy.yaml': dangers(0)['policy.yaml'] ?? '',
    },
    outcome: 'signature.which-policy',
  },
  {
    what: 'a policy in the folder of an unknown application demands it',
    files: {
      ...inFolder('prod', {}),
      ...inFolder('test', { ...dangers(0), 'more.yaml': 'version: 1\nvariables: { stage: {} }\n' }, `\${stage}`),
    },
    outcome: 'signature.which-policy',
  },
  {
    what: 'a file around the folders that cannot be read may demand it',
    files: { ...inFolder('prod', {}), ...inFolder('test', {}, 'f'), 'policy.yaml': 'version: 1\npolicy: {\n' },
    outcome: 'manifest.invalid',
  },
  {
    what: 'the folder around a copy of its application demands it',
    files: { ...app(), ...dangers(0), ...inFolder('copy', {}) },
    outcome: 'signature.which-policy',
    says: 'app.yaml:2:1, copy/app.yaml:2:1 share the folder .',
  },
  {
    what: 'the flag demands it and only another application has signers',
    files: { ...inFolder('prod', {}), ...inFolder('test', dangers(0), 'f') },
    requireSignature: true,
    outcome: 'signature.no-signers',
    says: 'No policy.approvals for emulator:e in the working folder',
  },
  {
    what: 'the policy of its only application is declared twice',
    files: { ...app(), ...dangers(0), 'sub/policy.yaml': dangers(5)['policy.yaml'] ?? '' },
    outcome: 'manifest.invalid',
  },
])('a saved plan needs a signature if $what: $outcome', async ({ files, outcome, says = '', requireSignature }) => {
  const ports = await requestOf({ edit: '', base: {}, request: {}, counted: {} });
  const { plan } = await planChanges({ paths, isToBeSaved: true }, ports);
  await savePlan(plan, 'own.chatform', ports);
  const at = new Place(ports.cwd);
  for (const name of ['app.yaml', 'people.yaml']) await rm(at.path(name));
  await at.write(files);
  startRepository(at.cwd);
  // The commit first, because the other apply may run.
  for (const approvalsRef of ['main', undefined]) {
    const run = applyChanges({ paths: ['own.chatform'], approvalsRef, requireSignature }, ports).then(
      () => ({ code: 'done', message: '' }),
      (error: unknown) => error,
    );
    expect(await run, approvalsRef).toMatchObject({ code: outcome, message: expect.stringContaining(says) });
  }
});

test('a file of another program that cannot be read demands nothing, unless it may declare a policy', async () => {
  const ports = await requestOf({ edit: '', base: {}, request: dangers(5), counted: {} });
  const { plan } = await planChanges({ paths, isToBeSaved: true }, ports);
  await savePlan(plan, 'own.chatform', ports);
  const at = new Place(ports.cwd);
  const outside = new Place(await applied());
  await symlink(outside.path('people.yaml'), at.path('link.yaml'));
  await at.write({ 'charts/service.yaml': 'version: 1\nkind: [\npolicy: {}\n' });
  const run = { paths: ['own.chatform'] };
  await expect(applyChanges(run, ports)).rejects.toMatchObject({
    code: 'manifest.invalid',
    advice: expect.stringContaining('--approvals-from'),
  });
  await at.write({ 'charts/service.yaml': 'version: 1\nkind: [\n' });
  await expect(applyChanges(run, ports)).resolves.toMatchObject({ wasDone: false });
});

test('limits and place of a saved plan come from the folder of its application at the commit', async () => {
  const ports = await requestOf({ edit: '', base: {}, request: {}, counted: {} });
  const { plan } = await planChanges({ paths, isToBeSaved: true }, ports);
  await savePlan(plan, 'own.chatform', ports);
  const at = new Place(ports.cwd);
  for (const name of ['app.yaml', 'people.yaml']) await rm(at.path(name));
  const other = 'version: 1\napplication: { base_url: "emulator:f", limits: { POST: 1 }, state: "file:other" }\n';
  await at.write({ 'a-first/app.yaml': other, ...inFolder('prod', app(', limits: { POST: 2 }, state: "file:kept"')) });
  startRepository(at.cwd);
  const { application, statePlace } = await openPlanSource(
    { paths: ['own.chatform'], approvalsRef: 'main' },
    ports,
    'error',
  );
  expect([application.settings.limits, statePlace?.place]).toEqual([{ POST: 2 }, 'file:prod/kept']);
});

/** The files in a folder of the application `emulator:e`, or of another one. */
function inFolder(folder: string, files: Files, emulator = 'e'): Files {
  const own = { 'app.yaml': `version: 1\napplication: { base_url: "emulator:${emulator}" }\n`, ...files };
  return Object.fromEntries(Object.entries(own).map(([name, text]) => [`${folder}/${name}`, text]));
}

/** A policy that allows the planned deactivation of Bob, and one that does not. */
const forbidding: readonly { what: string; loose: string; strict: string; code: string }[] = [
  {
    what: 'budget',
    loose: '',
    strict: 'removals: { max_share: 0, free_count: 0 }',
    code: 'safety.over-budget',
  },
  {
    what: 'budget, and acknowledges another number',
    loose: '',
    strict: 'removals: { max_share: 0, free_count: 0 }, acknowledge: [{ effect: user.deactivate, count: 2 }]',
    code: 'safety.over-budget',
  },
  {
    what: 'rule',
    loose: 'rules: [{ name: calm, when: "count(\'user.deactivate\') > 1", message: m }]',
    strict: 'rules: [{ name: calm, when: "count(\'user.deactivate\') > 0", message: m }]',
    code: 'safety.rule',
  },
];

test.for(forbidding)(
  'a saved plan is judged by the $what of the folder, not by its own',
  async ({ loose, strict, code }) => {
    const policyFile = (text: string): Files => ({ 'policy.yaml': `version: 1\npolicy: { ${text} }\n` });
    const ports = await requestOf({ edit: '', base: {}, request: policyFile(loose), counted: {} });
    const { plan } = await planChanges({ paths, isToBeSaved: true }, ports);
    await savePlan(plan, 'own.chatform', ports);
    const at = new Place(ports.cwd);
    await at.write(policyFile(strict));
    const run = { paths: ['own.chatform'] };
    await expect(applyChanges(run, ports)).rejects.toMatchObject({ exitCode: 5, diagnostics: [{ code }] });
    // Manifests that the option names replace those of the folder.
    await at.write(policyFile(loose));
    await expect(applyChanges({ ...run, approvalsFrom: 'policy.yaml' }, ports)).resolves.toMatchObject({
      wasDone: false,
    });
  },
);

test('a saved plan whose effects the folder acknowledges is applied', async () => {
  const acknowledging =
    'removals: { max_share: 0, free_count: 0 }, acknowledge: [{ effect: user.deactivate, count: 1 }]';
  const ports = await requestOf({
    edit: '',
    base: {},
    request: { 'policy.yaml': `version: 1\npolicy: { ${acknowledging} }\n` },
    counted: {},
  });
  const { plan } = await planChanges({ paths, isToBeSaved: true }, ports);
  await savePlan(plan, 'own.chatform', ports);
  await expect(applyChanges({ paths: ['own.chatform'] }, ports)).resolves.toMatchObject({ wasDone: false });
  await expect(applyChanges({ paths: ['own.chatform'] }, ports)).resolves.toMatchObject({ wasDone: true });
});

/** What refuses a plan that renames Ann and invites Bob, which is no danger. */
const harmless: readonly { what: string; loose: string; strict: string; code: string }[] = [
  {
    what: 'rule',
    loose: 'rules: [{ name: calm, when: "false", message: m }]',
    strict: 'rules: [{ name: calm, when: "true", message: m }]',
    code: 'safety.rule',
  },
  {
    what: 'restriction of verbs',
    loose: 'restrictions: [{ files: people.yaml, users: [".*"], group_channels: [".*"], verbs: [create, update] }]',
    strict: 'restrictions: [{ files: people.yaml, users: [".*"], group_channels: [".*"], verbs: [create] }]',
    code: 'safety.restricted',
  },
  {
    what: 'restriction of keys',
    loose: 'restrictions: [{ files: people.yaml, users: [".*"], group_channels: [".*"] }]',
    strict: 'restrictions: [{ files: people.yaml, users: ["^bob"], group_channels: [".*"] }]',
    code: 'safety.restricted',
  },
  {
    what: 'limit of people who notice something',
    loose: 'notify: { at_most: 2 }',
    strict: 'notify: { at_most: 1 }',
    code: 'safety.notify',
  },
];

test.for(harmless)(
  'a saved plan without dangers is judged by the $what of the folder',
  async ({ loose, strict, code }) => {
    const policyFile = (text: string): Files => ({ 'policy.yaml': `version: 1\npolicy: { ${text} }\n` });
    const ports = await requestOf({ edit: '', base: {}, request: policyFile(loose), counted: {} });
    const at = new Place(ports.cwd);
    await at.write({
      'people.yaml':
        'version: 1\nusers: { ann: { nickname: Anne }, bob: { nickname: Bob } }\ngroup_channels: { team: { members: { ann: , bob: } } }\n',
    });
    const { plan } = await planChanges({ paths, isToBeSaved: true }, ports);
    expect(plan.changes.slice().some(({ dangerous }) => dangerous)).toBe(false);
    await savePlan(plan, 'own.chatform', ports);
    await at.write(policyFile(strict));
    const run = { paths: ['own.chatform'] };
    await expect(applyChanges(run, ports)).rejects.toMatchObject({ exitCode: 5, diagnostics: [{ code }] });
    await expect(rehearseApply(run, ports)).rejects.toMatchObject({ exitCode: 5, diagnostics: [{ code }] });
    await at.write(policyFile(loose));
    await expect(rehearseApply(run, ports)).resolves.toMatchObject({ report: { exit_code: 0 } });
    await expect(applyChanges(run, ports)).resolves.toMatchObject({ wasDone: false });
  },
);

test('a rehearsal warns of the signature that an apply would demand, of manifests and of a saved plan', async () => {
  const ports = await requestOf({ edit: '', base: {}, request: {}, counted: {} });
  const { plan } = await planChanges({ paths, isToBeSaved: true }, ports);
  await savePlan(plan, 'own.chatform', ports);
  const warnings = () =>
    ports.notices.flatMap((notice) => (notice.type === 'remarks' ? notice.diagnostics.map(({ code }) => code) : []));
  for (const rehearsed of [paths, ['own.chatform']]) await rehearseApply({ paths: rehearsed }, ports);
  expect(warnings()).toEqual([]);
  await new Place(ports.cwd).write(dangers(0));
  for (const rehearsed of [paths, ['own.chatform']])
    await expect(rehearseApply({ paths: rehearsed }, ports)).resolves.toMatchObject({ report: { exit_code: 0 } });
  expect(warnings()).toEqual(['signature.not-saved', 'signature.missing']);
});

test('an undo that was saved is not judged by restrictions, which are about what files declare', async () => {
  const ports = await requestOf({ edit: '', base: {}, request: {}, counted: {} });
  await applyChanges({ paths }, ports);
  const { plan } = await planUndo({ paths, isToBeSaved: true }, ports);
  await savePlan(plan, 'undo.chatform', ports);
  await new Place(ports.cwd).write({
    'policy.yaml': 'version: 1\npolicy: { restrictions: [{ files: "**/*.yaml", users: [".*"], verbs: [] }] }\n',
  });
  await expect(applyChanges({ paths: ['undo.chatform'] }, ports)).resolves.toMatchObject({ wasDone: false });
});

test.for([
  { limits: ', limits: { POST: 1 }, rate_share: 0.5', counted: { limits: { POST: 1 }, rate_share: 0.5 } },
  { limits: '', counted: { rate_plan: 'free_trial' } },
  { limits: ', rate_plan: 100k_mau', counted: { rate_plan: '25k_mau', rate_share: 1 } },
])('the stricter limits of a saved plan and of the folder count:$limits', async ({ limits, counted }) => {
  const ports = await requestOf({ edit: '', base: {}, request: app(', rate_plan: 25k_mau'), counted: {} });
  const { plan } = await planChanges({ paths, isToBeSaved: true }, ports);
  await savePlan(plan, 'own.chatform', ports);
  await new Place(ports.cwd).write(app(limits));
  const { application } = await openPlanSource({ paths: ['own.chatform'] }, ports, 'error');
  expect(application.settings).toMatchObject(counted);
});

test('an apply is refused if either the commit or the request forbids its plan', async () => {
  const rule = (level: string): Files => ({
    'policy.yaml': `version: 1\npolicy: { rules: [{ name: calm, when: "count('user.deactivate') > 0", message: m, level: ${level} }] }\n`,
  });
  for (const [base, request] of [
    ['error', 'warning'],
    ['warning', 'error'],
  ] as const) {
    const ports = await requestOf({ edit: '', base: rule(base), request: rule(request), counted: {} });
    const run = applyChanges({ paths, approvalsRef: 'main' }, ports);
    await expect(run, `${base} at the commit`).rejects.toMatchObject({ exitCode: 5 });
  }
});
