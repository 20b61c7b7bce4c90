// What the judgement of a plan depends on, in one list: the policy with its approvals, the limits, the behaviours, the ignore lists and
// the place of the state. With --base-ref and --approvals-ref all of it comes from a commit, because a request must not loosen the
// rules that it is checked against (semantics §9.7).

import { dirname } from 'node:path';
import { equalJson, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import { shownPath } from '../../../lib/paths.ts';
import type { LoadedManifest } from '../../manifest/passes/loaded-manifest.ts';
import { type BehavioursFile, behavioursFileName } from '../../model/behaviours.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import { ratePlans } from '../../model/limits.ts';
import { policyKeys } from '../../model/policy.ts';
import { addsText, loosenedPaths } from '../../model/policy-keys.ts';
import { printPosition } from '../../model/source.ts';
import { applicationIdentity } from '../../platform/base-url.ts';
import { callsOfLimit } from '../../platform/limits.ts';
import type { DeclaredApplication } from '../context/application.ts';
import { behavioursBeside } from '../context/behaviours-beside.ts';
import type { Ports } from '../context/ports.ts';
import { invalidManifests } from '../context/refusals.ts';
import { atCommit, type CommitFlag } from '../git/commit.ts';
import { type LoadDeclaredOptions, loadDeclared } from './load-declared.ts';

export interface JudgingRules {
  /** Its place of the state is compared by `placeRemarks` of base-ref.ts, because a move is a danger. */
  readonly manifest: LoadedManifest;
  readonly behaviours: readonly BehavioursFile[];
}

/** What a request edits of the rules by which plans are judged. */
export interface RuleEdits {
  /** The edited inputs, for the headline: `policy`, `behaviours`. */
  readonly inputs: readonly string[];
  /** `removals of the policy`. */
  readonly names: readonly string[];
  /** Whether one of the edits allows more than the base. */
  readonly isLooser: boolean;
}

/** The rules at a commit. Errors of the manifests are in the result. Refused as `atCommit` and `readBehaviours`. */
export async function rulesAt(
  ref: string,
  from: CommitFlag,
  paths: readonly string[],
  ports: Ports,
  loading: LoadDeclaredOptions = {},
): Promise<JudgingRules & { readonly commit: string }> {
  const { commit, value } = await atCommit(ref, from, ports, async (files) => ({
    manifest: await loadDeclared(paths, ports, { ...loading, files }),
    behaviours: await behavioursOf(behavioursBeside(paths, ports, files)),
  }));
  return { commit, ...value };
}

export async function behavioursOf(files: AsyncIterable<BehavioursFile>): Promise<BehavioursFile[]> {
  const list: BehavioursFile[] = [];
  for await (const file of files) list.push(file);
  return list;
}

/**
 * The settings in the working folder that are about an application. If the working folder declares several applications, only
 * the settings of the folder that declares this one count. `read` reads the settings of paths. Refused (5) unless exactly one folder
 * declares it, and if a policy elsewhere may also apply to the application, and (65) if files that may declare such a policy are not valid.
 */
export async function rulesAbout<Rules extends Pick<JudgingRules, 'manifest'>>(
  application: string,
  read: (paths: readonly string[]) => Promise<Rules>,
): Promise<Rules> {
  const ofFolder = await read(['.']);
  const { positions, diagnostics } = ofFolder.manifest;
  if (positions.application.length < 2) return ofFolder;
  const folders = [...new Set(positions.application.map(({ file }) => dirname(file)))];
  const ownFolders: { readonly folder: string; readonly rules: Rules }[] = [];
  const otherFolders: string[] = [];
  for (const folder of folders) {
    const rules = await read([folder]);
    const { application: declared, positions: inFolder } = rules.manifest;
    if (inFolder.application.length > 1)
      throw unknownPolicy(
        application,
        `${inFolder.application.map(printPosition).join(', ')} share the folder ${folder}`,
      );
    const url = declared?.base_url;
    // Without its variables, an application may be any.
    if (url === undefined) continue;
    if (applicationIdentity(url) === application) ownFolders.push({ folder, rules });
    else otherFolders.push(folder);
  }
  const [only, ...more] = ownFolders;
  if (only === undefined)
    throw unknownPolicy(application, `chatform found ${application} in none of the folders ${folders.join(', ')}`);
  if (more.length > 0)
    throw unknownPolicy(application, `${ownFolders.map(({ folder }) => folder).join(', ')} all declare ${application}`);
  const ownFiles = new Set(only.rules.manifest.files.map(({ file }) => file));
  const mayApply = (file: string) =>
    !ownFiles.has(file) && !otherFolders.some((folder) => file.startsWith(`${folder}/`));
  const expected = new Set([...positions.application, ...positions.policy].map(printPosition));
  // A file that cannot be read may contain a policy.
  const errors = diagnostics.filter(
    ({ code, severity, source }) =>
      severity === 'error' &&
      !(code === 'manifest.declared-twice' && source !== undefined && expected.has(printPosition(source))) &&
      (source === undefined || mayApply(source.file)),
  );
  if (errors.length > 0) throw invalidManifests(errors, adviceForFolder);
  const policies = positions.policy.filter(({ file }) => mayApply(file)).map(printPosition);
  if (policies.length === 0) return only.rules;
  throw unknownPolicy(
    application,
    `${only.folder} declares ${application}, but a policy outside of that folder may apply to it (${policies.join(', ')})`,
  );
}

/** For a working folder that has more than the manifests of a saved plan. */
export const adviceForFolder =
  'Fix the problems listed above, or name the manifests whose policy applies with --approvals-from.';

function unknownPolicy(application: string, reason: string): Refusal {
  return new Refusal(
    'signature.which-policy',
    exitCode.refused,
    `The working folder has several application blocks, so the policy and the limits for the plan of ${application} are unknown: ${reason}.`,
    'Nothing was done. Name the manifests whose policy applies with --approvals-from.',
  );
}

interface JudgingInput {
  /** In the headline of a plan. */
  readonly input: string;
  /** The compared values, by name. Undefined if nothing is declared: a first declaration edits nothing. */
  valuesOf(rules: JudgingRules, cwd: string): JsonObject | undefined;
  nameOf(key: string): string;
  isLooser(before: JsonObject, after: JsonObject): boolean;
}

const judgingInputs: readonly JudgingInput[] = [
  {
    input: 'policy',
    valuesOf: ({ manifest }) => comparable(manifest.policy),
    nameOf: (key) => `${key} of the policy`,
    isLooser: ({ may_loosen: wasFree, ...before }, { may_loosen: isFree, ...after }) =>
      loosenedPaths(policyKeys, before, after).length > 0 || addsText(wasFree ?? [], isFree ?? []),
  },
  {
    input: 'limits',
    valuesOf: ({ manifest: { application } }) =>
      application && (Object.fromEntries(limitNames.map((name) => [name, application[name] ?? null])) as JsonObject),
    nameOf: (key) => `application.${key}`,
    isLooser: (before, after) => !isAtMost(after, before),
  },
  {
    input: 'behaviours',
    valuesOf: ({ behaviours }) => behavioursByName(behaviours),
    nameOf: (key) => `${key} of ${behavioursFileName}`,
    // Only the platform knows which behaviour is the milder one.
    isLooser: () => true,
  },
  {
    input: 'ignore lists',
    valuesOf: ({ manifest }, cwd) =>
      Object.fromEntries([...manifest.ignoreLists].map(([path, text]) => [shownPath(cwd, path), text])),
    nameOf: (key) => key,
    // A further line may hide files, and a missing one may show others.
    isLooser: () => true,
  },
];

export function ruleEdits(before: JudgingRules, after: JudgingRules, { cwd }: Pick<Ports, 'cwd'>): RuleEdits {
  const edits = judgingInputs.flatMap(({ input, valuesOf, nameOf, isLooser }) => {
    const from = valuesOf(before, cwd);
    if (from === undefined) return [];
    const to = valuesOf(after, cwd) ?? {};
    const keys = differing(from, to);
    return keys.length === 0 ? [] : [{ input, names: keys.map(nameOf), isLooser: isLooser(from, to) }];
  });
  return {
    inputs: edits.map(({ input }) => input),
    names: edits.flatMap(({ names }) => names),
    isLooser: edits.some(({ isLooser }) => isLooser),
  };
}

/** Without acknowledgements and places in files. */
function comparable({ acknowledge: _own, source: _place, ...policy }: LoadedManifest['policy']): JsonObject {
  const { restrictions = [], rules = [], diagnostics = {} } = policy;
  return {
    ...policy,
    restrictions: restrictions.map(({ source: _at, ...entry }) => entry),
    rules: rules.map(({ source: _at, ...rule }) => rule),
    diagnostics: Object.fromEntries(
      Object.entries(diagnostics).map(([code, { source: _at, ...setting }]) => [code, setting]),
    ),
  } as unknown as JsonObject;
}

function behavioursByName(files: readonly BehavioursFile[]): JsonObject {
  return Object.fromEntries(
    files.flatMap(({ application, behaviours }) =>
      Object.entries(behaviours).flatMap(([name, result]) =>
        'value' in result ? [[`${name} (${application})`, result.value] as const] : [],
      ),
    ),
  );
}

/** Names that the request removes differ, too. */
function differing(before: JsonObject, after: JsonObject): string[] {
  const names = new Set([...Object.keys(after), ...Object.keys(before)]);
  return [...names].filter((name) => !equalJson(before[name] ?? null, after[name] ?? null));
}

const sizeNames = ['message_length', 'messages_per_migration'] as const;
const limitNames = ['rate_plan', 'limits', 'rate_share', 'meta_arrays', ...sizeNames] as const;

type DeclaredLimits = Pick<DeclaredApplication, (typeof limitNames)[number]>;

/** The stricter of both for each limit. A limit that only one of them declares is compared with the rate plan of the other. */
export function stricterLimits(
  one: DeclaredLimits,
  other: DeclaredLimits,
): DeclaredLimits & { readonly limits: object } {
  const both = [one, other];
  const ratePlan = ratePlans.find((name) => both.some(({ rate_plan = ratePlans[0] }) => rate_plan === name));
  const isDeclared = both.some(({ rate_plan }) => rate_plan !== undefined);
  const keys = new Set(both.flatMap(({ limits = {} }) => Object.keys(limits)));
  const metaArrays = one.meta_arrays ?? other.meta_arrays;
  return {
    ...(isDeclared && ratePlan !== undefined ? { rate_plan: ratePlan } : {}),
    limits: Object.fromEntries([...keys].map((key) => [key, Math.min(...both.map((set) => callsOfLimit(key, set)))])),
    rate_share: Math.min(...both.map(({ rate_share = 1 }) => rate_share)),
    ...(metaArrays === undefined ? {} : { meta_arrays: metaArrays }),
    ...Object.fromEntries(
      sizeNames.flatMap((name) => {
        const sizes = both.flatMap((set) => set[name] ?? []);
        return sizes.length === 0 ? [] : [[name, Math.min(...sizes)]];
      }),
    ),
  };
}

function isAtMost(after: JsonObject, before: JsonObject): boolean {
  const now: DeclaredLimits = withoutNull(after);
  const then: DeclaredLimits = withoutNull(before);
  const keys = ['GET', 'POST', 'PUT', 'DELETE', ...[now, then].flatMap(({ limits = {} }) => Object.keys(limits))];
  return (
    keys.every((key) => callsOfLimit(key, now) <= callsOfLimit(key, then)) &&
    (now.rate_share ?? 1) <= (then.rate_share ?? 1) &&
    sizeNames.every((name) => then[name] === now[name] || Number(now[name]) <= Number(then[name])) &&
    equalJson((now.meta_arrays ?? null) as JsonValue, (then.meta_arrays ?? null) as JsonValue)
  );
}

function withoutNull(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
