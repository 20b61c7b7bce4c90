// Reads the manifests at the base of this request through git, without a checkout.
//
// The base is the merge base of the request and REF, so that later merges of others do not count as changes of the request.
// Everything that the judgement of a plan depends on comes from the base, because a request must not loosen the rules that it is
// checked against: the policy with its approvals, the readings, the limits, and the place of the state. A file that the request's
// .chatformignore hides cannot change them, because the base is read with its own. The request's own acknowledgements
// count, since reviewers read them (semantics §9.7). A plan by the rules of the request shows what they would add.

import { equalJson, type JsonObject } from '../../lib/json.ts';
import type { FileAccess } from '../../manifest/files/access.ts';
import type { LoadedManifest } from '../../manifest/passes/loaded-manifest.ts';
import { actions } from '../../model/action.ts';
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import { baseWarnings, type OwnRules, type Plan } from '../../model/plan.ts';
import { policyKeys } from '../../model/policy.ts';
import { addsText, loosenedPaths } from '../../model/policy-keys.ts';
import { type ReadingsFile, readingsFileName } from '../../model/readings.ts';
import type { DeclaredPlace } from '../../model/stores/declared-place.ts';
import { attribute } from '../../planner/attribution.ts';
import type { JudgedPlan } from '../../planner/judges/judge.ts';
import { ownRulesSentence } from '../../view/summary/verdict.ts';
import { planWords } from '../../view/text/plan-problems.ts';
import type { Ports } from '../context/ports.ts';
import { readingsBeside } from '../context/readings-beside.ts';
import { invalidManifests } from '../context/refusals.ts';
import { demandValid, loadDeclared, notifyRemarks } from '../opening/load-declared.ts';
import { atCommit, baseRef } from './commit.ts';

export interface GitBase {
  /** Undefined if the manifests of the base have errors and cannot be compared. */
  readonly manifest: LoadedManifest | undefined;
  /** The manifests under review, checked against the policy of the base. */
  readonly head: LoadedManifest;
  readonly remarks: readonly Diagnostic[];
  /** The readings at the base. */
  readonly readings: readonly ReadingsFile[];
  /** Absent if the request has the rules of the base. */
  readonly own?: OwnJudgement;
}

/** The manifests under review by their own rules. */
interface OwnJudgement {
  readonly manifest: LoadedManifest;
  readonly readings: readonly ReadingsFile[];
  readonly name: string;
  readonly edits: RuleEdits;
}

/** What a request edits of the rules by which plans are judged. */
interface RuleEdits {
  readonly names: readonly string[];
  /** Whether one of the edits allows more than the base. */
  readonly isLooser: boolean;
}

/**
 * Refused (64) when there is no git, no repository, no such commit, or no common base; (65) when the manifests are not
 * valid, also under the policy of the base, or show a variable that is a secret there.
 */
export async function readBase(ref: string, paths: readonly string[], ports: Ports): Promise<GitBase> {
  const { commit, value } = await atCommit(ref, baseRef, ports, async (files) => ({
    base: await loadDeclared(paths, ports, { files }),
    readings: await collected(readingsBeside(paths, ports, files)),
  }));
  const { base, readings } = value;
  // The base comes first, because problems of the request must not show what is a secret at the base.
  const { variables } = base;
  const head = await loadDeclared(paths, ports, { base: variables });
  demandValid(head);
  const errors = base.diagnostics.filter(({ severity, code }) => severity === 'error' && !isAbsence(code));
  const name = `${ref} (${commit.slice(0, 12)})`;
  const moved = placeRemarks(name, base, head);
  if (hasErrors(errors)) {
    notifyRemarks(head, ports);
    return { manifest: undefined, head: atPlaceOf(base, head), remarks: [...moved, unusable(name, errors)], readings };
  }
  // A base without manifests has no rules: this request introduces them.
  if (base.files.length === 0) {
    notifyRemarks(head, ports);
    return { manifest: base, head: atPlaceOf(base, head), remarks: moved, readings };
  }
  const ownReadings = await collected(readingsBeside(paths, ports));
  const edits = ruleEdits({ manifest: base, readings }, { manifest: head, readings: ownReadings });
  const own: OwnJudgement = { manifest: atPlaceOf(base, head), readings: ownReadings, name, edits };
  const isEdited = edits.names.length > 0;
  const judged = isEdited ? await loadDeclared(paths, ports, { rules: base.policy, base: variables }) : head;
  if (hasErrors(judged.diagnostics))
    throw invalidManifests([...judged.diagnostics, ...(isEdited ? [editedRules(own)] : [])]);
  // The policy of the base decides which warnings are shown, too.
  notifyRemarks(judged, ports);
  const { acknowledge, source } = head.policy;
  const { source: _ofBase, ...policy } = base.policy;
  return {
    manifest: base,
    head: {
      ...withLimitsOf(base, atPlaceOf(base, withoutRules(judged))),
      ...(base.planRules === undefined ? {} : { planRules: base.planRules }),
      policy: { ...policy, acknowledge, ...(source === undefined ? {} : { source }) },
    },
    remarks: moved,
    readings,
    ...(isEdited ? { own } : {}),
  };
}

async function collected<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
}

/** The place of the state that counts with --base-ref: that of the base, without a check of its manifests. */
export async function placeAtBase(
  ref: string,
  paths: readonly string[],
  ports: Ports,
): Promise<DeclaredPlace | undefined> {
  const load = (files: FileAccess) => loadDeclared(paths, ports, { files, isForSettings: true });
  return (await atCommit(ref, baseRef, ports, load)).value.statePlace;
}

function atPlaceOf({ statePlace }: LoadedManifest, { statePlace: _ofHead, ...head }: LoadedManifest): LoadedManifest {
  return { ...head, ...(statePlace === undefined ? {} : { statePlace }) };
}

const limitNames = ['rate_plan', 'limits', 'rate_share'] as const;

/** The request's own limits apply if the base declares no application. */
function withLimitsOf({ application: before }: LoadedManifest, head: LoadedManifest): LoadedManifest {
  if (before === undefined || head.application === undefined) return head;
  const { rate_plan: _plan, limits: _limits, rate_share: _share, ...application } = head.application;
  const { rate_plan, limits, rate_share } = before;
  return {
    ...head,
    application: { ...application, limits, rate_share, ...(rate_plan === undefined ? {} : { rate_plan }) },
  };
}

function withoutRules({ planRules: _own, ...manifest }: LoadedManifest): LoadedManifest {
  return manifest;
}

/** The plan of the head with a cause for every change. `planOf` plans other manifests against the same state. */
export function comparedWith(
  { manifest, remarks }: GitBase,
  plan: Plan,
  planOf: (manifest: LoadedManifest) => Plan,
): Plan {
  const attributed = manifest === undefined ? plan : attribute(plan, planOf(manifest), planWords);
  return remarks.length === 0 ? attributed : { ...attributed, warnings: [...remarks, ...attributed.warnings] };
}

/** A path that is new in this request does not exist in the base, which is not an error. */
function isAbsence(code: string): boolean {
  return code === 'manifest.not-found' || code === 'manifest.no-manifests';
}

function unusable(name: string, errors: readonly Diagnostic[]): Diagnostic {
  const [first] = errors;
  return {
    severity: 'warning',
    code: baseWarnings.invalid,
    summary: 'The base cannot be compared with',
    detail: `The manifests at ${name} have ${errors.length} ${errors.length === 1 ? 'error' : 'errors'} (${first?.code}: ${first?.detail}). The plan does not say which changes this request causes, and it uses the policy of this request.`,
  };
}

/** The danger of a request that changes the place of the state, which a plan of the request must not read. */
function placeRemarks(name: string, base: LoadedManifest, head: LoadedManifest): Diagnostic[] {
  const [before, after] = [base.statePlace, head.statePlace];
  if (before?.place === after?.place) return [];
  const source = after?.source ?? before?.source;
  const old = before?.place ?? (hasErrors(base.diagnostics) ? 'not known' : 'not declared');
  return [
    {
      severity: 'warning',
      code: baseWarnings.stateMoved,
      summary: 'This request changes the place of the state',
      detail: `application.state is ${old} at ${name}, and ${after?.place ?? 'not declared'} in this request. This plan does not use the new place. After the merge everybody does: unless the state was copied there (chatform state pull, chatform state push), every object is planned as new.`,
      dangerous: true,
      ...(source === undefined ? {} : { source }),
    },
  ];
}

interface JudgingRules {
  readonly manifest: LoadedManifest;
  readonly readings: readonly ReadingsFile[];
}

/** The one list of what the judgement of a plan depends on, apart from the place of the state (`placeRemarks`). */
function ruleEdits(before: JudgingRules, after: JudgingRules): RuleEdits {
  const [policyBefore, policyAfter] = [comparable(before.manifest.policy), comparable(after.manifest.policy)];
  const { may_loosen: wasFree, ...base } = policyBefore;
  const { may_loosen: isFree, ...head } = policyAfter;
  const policy = differing(policyBefore, policyAfter).map((name) => `${name} of the policy`);
  const [limitsBefore, limitsAfter] = [limitsOf(before.manifest), limitsOf(after.manifest)];
  const limits = before.manifest.application === undefined ? [] : differing(limitsBefore, limitsAfter);
  const readings = differing(readingsByName(before.readings), readingsByName(after.readings));
  const isOnlySlower = limits.every(
    (name) => name === 'rate_share' && Number(limitsAfter.rate_share) < Number(limitsBefore.rate_share),
  );
  return {
    names: [
      ...policy,
      ...limits.map((name) => `application.${name}`),
      ...readings.map((name) => `${name} of ${readingsFileName}`),
    ],
    isLooser:
      loosenedPaths(policyKeys, base, head).length > 0 ||
      addsText(wasFree ?? [], isFree ?? []) ||
      !isOnlySlower ||
      // Only the platform knows which reading is the milder one.
      readings.length > 0,
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

function limitsOf({ application }: LoadedManifest): JsonObject {
  return Object.fromEntries(limitNames.map((name) => [name, application?.[name] ?? null])) as JsonObject;
}

function readingsByName(files: readonly ReadingsFile[]): JsonObject {
  return Object.fromEntries(
    files.flatMap(({ application, readings }) =>
      Object.entries(readings).flatMap(([name, result]) =>
        'value' in result ? [[`${name} (${application})`, result.value] as const] : [],
      ),
    ),
  );
}

/** Names that the request removes differ, too. */
function differing(before: JsonObject, after: JsonObject): string[] {
  const names = new Set([...Object.keys(after), ...Object.keys(before)]);
  return [...names].filter((name) => !equalJson(before[name], after[name]));
}

/** The plan by the rules of the base, with a warning unless the rules of the request only refuse more and change nothing. */
export function withOwnRules(own: OwnJudgement, judged: JudgedPlan, byOwn: JudgedPlan): Plan {
  const { plan } = judged;
  const summary = Object.fromEntries(
    actions.flatMap((action) => {
      const more = (byOwn.plan.summary[action] ?? 0) - (plan.summary[action] ?? 0);
      return more > 0 ? [[action, more]] : [];
    }),
  );
  const isIrreversible = irreversible(byOwn.plan) > irreversible(plan);
  const isRefused = judged.refusals.length === 0 && byOwn.refusals.length + byOwn.problems.length > 0;
  const isEqual = !isIrreversible && !isRefused && Object.keys(summary).length === 0;
  if (isEqual && !own.edits.isLooser) return plan;
  const own_rules = isEqual ? undefined : { summary, isIrreversible, isRefused };
  return {
    ...plan,
    ...(own_rules === undefined ? {} : { own_rules }),
    warnings: [editedRules(own, own_rules), ...plan.warnings],
  };
}

function irreversible({ changes }: Plan): number {
  let count = 0;
  for (const { reversibility } of changes) if (reversibility === 'irreversible') count += 1;
  return count;
}

/** Rules that the merge would change: this plan uses the old ones, the apply after the merge the new ones. */
function editedRules({ name, edits, manifest }: OwnJudgement, effects?: OwnRules): Diagnostic {
  const { source } = manifest.policy;
  const sentence = ownRulesSentence({ own_rules: effects });
  const more = sentence === undefined ? '' : ` ${sentence}`;
  return {
    severity: 'warning',
    code: baseWarnings.policyEdited,
    summary: 'This request edits the policy',
    detail: `${edits.names.join(', ')} differs from ${name}. This plan uses the rules of the base. An apply after the merge uses the new rules, and may plan differently.${more} Merge the change of the rules first, on its own.`,
    ...(source === undefined ? {} : { source }),
  };
}
