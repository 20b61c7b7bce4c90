// The tools: what each takes, how long it may run, and the document that it returns.
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ownFile, refuseLinks } from '../../core/app/context/own-file.ts';
import type { Diagnostic } from '../../core/model/diagnostic.ts';
import { Refusal, usage } from '../../core/model/errors.ts';
import { exitCode } from '../../core/model/exit-code.ts';
import { useCases } from '../../core/model/library/use-cases.ts';
import type { Plan } from '../../core/model/plan.ts';
import { ownName } from '../../lib/own-names.ts';
import { chatformCommand } from '../../lib/tools/pasted-words.ts';
import { applicationFlags, stateFlags } from '../flags/command-input.ts';
import { argumentOf, pathArgumentOf, type Tool, type ToolArguments, type ToolCall } from './arguments.ts';

const minute = 60_000;
const paths = pathArgumentOf(useCases.plan.paths);
const selection = {
  targets: argumentOf(useCases.plan.target),
  exclude: argumentOf(useCases.plan.exclude),
};

export const tools: Readonly<Record<string, Tool>> = {
  validate: {
    description: 'Check manifests offline. Returns all problems with file, line, column and what to do.',
    takes: { paths },
    result: 'diagnostics',
    timeoutMs: minute,
    isOnline: false,
    run: async ({ callArguments, ports }) => {
      const [{ validateManifests }, { validationDocument }] = await Promise.all([
        import('../../core/app/validate.ts'),
        import('../../core/view/json/results.ts'),
      ]);
      return validationDocument(await validateManifests({ paths: callArguments.list('paths') }, ports));
    },
  },
  plan: {
    description:
      'Plan what an apply would do, and save the plan. Returns file and hash for the person who applies it, with the verdict, dangers, requests and duration.',
    takes: {
      paths,
      ...selection,
      refresh: argumentOf(useCases.plan.refresh, 'the server needs a token for it'),
    },
    result: 'plan',
    timeoutMs: 5 * minute,
    isOnline: true,
    run: planAndSave,
  },
  explain: {
    description: 'Explain one object: where its values come from, and what would happen to it and why.',
    takes: { address: argumentOf(useCases.explain.address), paths },
    required: ['address'],
    result: 'results#explained',
    timeoutMs: minute,
    isOnline: false,
    run: async ({ callArguments, input, ports }) => {
      const [{ explainAddress }, { hideSecretsOfExplanation }] = await Promise.all([
        import('../../core/app/explain.ts'),
        import('../../core/view/text/hidden-secrets.ts'),
      ]);
      const options = { ...applicationFlags(input), ...stateFlags(input), paths: callArguments.list('paths') };
      return hideSecretsOfExplanation(
        await explainAddress({ ...options, address: callArguments.text('address') ?? '' }, ports),
      );
    },
  },
  explain_access: {
    description:
      'Say what a user can read, write and moderate, or who can in a channel, now and after an apply, each with the line that decides.',
    takes: { address: argumentOf(useCases.explainAccess.address), paths },
    required: ['address'],
    result: 'results#access',
    timeoutMs: minute,
    isOnline: false,
    run: async ({ callArguments, input, ports }) => {
      const { explainAccess } = await import('../../core/app/explain-access.ts');
      const options = { ...applicationFlags(input), ...stateFlags(input), paths: callArguments.list('paths') };
      return explainAccess({ ...options, address: callArguments.text('address') ?? '' }, ports);
    },
  },
  rehearse: {
    description: 'Run the plan of manifests on a simulated platform in virtual time. Sends nothing.',
    takes: { paths, ...selection },
    result: 'results#rehearsed',
    timeoutMs: 5 * minute,
    isOnline: false,
    run: async ({ callArguments, input, ports }) => {
      const [{ rehearseApply }, { beginsAsPlan }, { rehearsalDocument }] = await Promise.all([
        import('../../tools/rehearsal/rehearse.ts'),
        import('../../core/app/plans/plan-file.ts'),
        import('../../core/view/json/results.ts'),
      ]);
      // A plan file may name files anywhere, while those of manifests are confined.
      for (const path of callArguments.list('paths'))
        if (await beginsAsPlan(path, ports.cwd)) throw usage('This is a saved plan.', 'Name its manifests.');
      const { apiTokenFile: _token, ...application } = applicationFlags(input);
      const options = { ...application, ...stateFlags(input), ...chosen(callArguments), skipConflicts: false };
      return rehearsalDocument(await rehearseApply(options, ports));
    },
  },
  drift: {
    description: 'Read the platform and show what others changed since the last apply. Changes nothing.',
    takes: { paths, ...selection, unmanaged: argumentOf(useCases.drift.unmanaged) },
    result: 'plan',
    timeoutMs: 5 * minute,
    isOnline: true,
    run: async ({ callArguments, input, ports, maxBytes }) => {
      const { readDrift } = await import('../../core/app/drift.ts');
      const options = { ...applicationFlags(input), ...stateFlags(input), ...chosen(callArguments) };
      const plan = await readDrift({ ...options, unmanaged: callArguments.flag('unmanaged') }, ports);
      return planDocument(plan, [], maxBytes);
    },
  },
  test: {
    description: 'Run the *.test.yaml files of manifests on a simulated platform. Sends nothing.',
    takes: { paths: pathArgumentOf(useCases.runTests.paths), name: argumentOf(useCases.runTests.name) },
    result: 'results#tested',
    timeoutMs: 5 * minute,
    isOnline: false,
    run: async ({ callArguments, ports }) => {
      const { runTests } = await import('../../tools/rehearsal/test.ts');
      return runTests({ paths: callArguments.list('paths'), name: callArguments.text('name') }, ports);
    },
  },
  convert: {
    description:
      'Show what the first messages of tables (CSV, NDJSON, JSON, dumps of databases), and the rows that belong to them, become by a mapping: chatform://schema/mapping. Writes nothing.',
    takes: {
      exported: { type: 'paths', description: 'the files of the tables' },
      mapping: pathArgumentOf(useCases.convert.mapping),
      sample: { type: 'count', description: 'rows of each table (default: 5)' },
    },
    required: ['exported', 'mapping'],
    result: 'results#sampled',
    timeoutMs: 5 * minute,
    isOnline: false,
    run: sampleRows,
  },
  verify: {
    description: 'Check on the platform that every declared message arrived, once and in order. Changes nothing.',
    takes: { paths, all: argumentOf(useCases.verify.all) },
    result: 'migration',
    timeoutMs: 5 * minute,
    isOnline: true,
    run: async ({ callArguments, input, ports }) => {
      const { verifyMessages } = await import('../../core/app/verify.ts');
      const options = {
        ...applicationFlags(input),
        paths: callArguments.list('paths'),
        isWhole: callArguments.flag('all'),
      };
      return verifyMessages(options, ports);
    },
  },
};

/** Refused (64) for another name. */
export function toolNamed(name: string): Tool {
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (tool !== undefined) return tool;
  throw new Refusal(
    'mcp.unknown',
    exitCode.usage,
    'This tool does not exist.',
    `The tools are ${Object.keys(tools).join(', ')}. Nothing here applies a plan or changes state.`,
  );
}

function chosen(callArguments: ToolArguments): {
  readonly paths: readonly string[];
  readonly targets: readonly string[];
  readonly excluded: readonly string[];
} {
  return {
    paths: callArguments.list('paths'),
    targets: callArguments.list('targets'),
    excluded: callArguments.list('exclude'),
  };
}

/** Only files: a folder may contain links that lead elsewhere. */
async function sampleRows({ callArguments, ports }: ToolCall): Promise<object> {
  const { sampleTables } = await import('../../migration/sample-tables.ts');
  const exported = callArguments.list('exported').map((path) => resolve(ports.cwd, path));
  for (const path of exported)
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw usage('A table is not a file.', 'Name its files.');
  const mapping = resolve(ports.cwd, callArguments.text('mapping') ?? '');
  return { format_version: '1.0', rows: await sampleTables({ exported, mapping }, callArguments.count('sample') ?? 5) };
}

/** Plans that a safety rule refuses are returned with the reasons, and are not saved. */
async function planAndSave({ callArguments, input, ports, maxBytes, demandToSave }: ToolCall): Promise<object> {
  const [{ planChanges }, { savePlan }] = await Promise.all([
    import('../../core/app/plan.ts'),
    import('../../core/app/plans/plan-file.ts'),
  ]);
  const { plan, refusals, isRefreshed } = await planChanges(
    {
      ...applicationFlags(input),
      ...stateFlags(input),
      ...chosen(callArguments),
      // The policy decides unless the client asks for it.
      refresh: callArguments.text('refresh'),
      isToBeSaved: true,
    },
    ports,
  );
  const document = await planDocument(plan, refusals, maxBytes);
  if (refusals.length > 0) return { ...document, saved: null };
  const folder = ownFile(ports.cwd, 'plans');
  const file = `${ownName('plans')}/${plan.hash.slice(0, 16)}.chatform`;
  refuseLinks(folder, join(ports.cwd, file), 'file');
  demandToSave();
  await savePlan(plan, file, ports);
  const apply = chatformCommand('apply', file, '--approved-hash', plan.hash);
  return { ...document, saved: { file, hash: plan.hash, is_refreshed: isRefreshed, apply_by_a_person: apply } };
}

/** The document of `plan --format json`, after the verdict and the dangers. */
async function planDocument(plan: Plan, refusals: readonly Diagnostic[], maxBytes: number): Promise<object> {
  const [{ planAsJson }, { hideSecretsOfPlan }, { verdictWithState }, { dangersOf }] = await Promise.all([
    import('../../core/view/json/plan.ts'),
    import('../../core/view/text/hidden-secrets.ts'),
    import('../../core/view/summary/verdict.ts'),
    import('../../core/view/summary/dangers.ts'),
  ]);
  // The remaining bytes are for the fields that are added to the plan.
  const text = [...planAsJson(hideSecretsOfPlan(plan), { maxBytes: Math.floor(maxBytes / 2), refusals })].join('');
  const ofPlan = plan.warnings.filter(({ dangerous }) => dangerous === true);
  const dangers = [
    ...dangersOf(plan.changes).map(({ title, dangers: found }) => ({
      title,
      actions: found.map(({ label, positions, messages }) => ({ label, objects: positions.length, messages })),
    })),
    ...ofPlan.map(({ summary, detail }) => ({ title: summary, detail })),
  ];
  return { verdict: verdictWithState(plan), dangers, ...(JSON.parse(text) as object) };
}
