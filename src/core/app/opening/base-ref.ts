// Reads the manifests at the base of this request through git, without a checkout.
//
// The base is the merge base of the request and REF, so that later merges of others do not count as changes of the request.
// Everything that the judgement of a plan depends on comes from the base, because a request must not loosen the rules that it is
// checked against: the policy with its approvals, the behaviours, the limits, and the place of the state. A file that the request's
// .chatformignore hides cannot change them, because the base is read with its own. The request's own acknowledgements
// count, since reviewers read them (semantics §9.7). A plan by the rules of the request shows what they would add.

import type { LoadedManifest } from '../../manifest/passes/loaded-manifest.ts';
import { actions } from '../../model/action.ts';
import type { BehavioursFile } from '../../model/behaviours.ts';
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import { baseWarnings, type OwnRules, type Plan } from '../../model/plan.ts';
import type { ApprovalsPolicy } from '../../model/policy.ts';
import type { DeclaredPlace } from '../../model/stores/declared-place.ts';
import { attribute } from '../../planner/attribution.ts';
import type { JudgedPlan } from '../../planner/judges/judge.ts';
import { ownRulesSentence } from '../../view/summary/verdict.ts';
import { planWords } from '../../view/text/plan-problems.ts';
import { behavioursBeside } from '../context/behaviours-beside.ts';
import type { Ports } from '../context/ports.ts';
import { invalidManifests } from '../context/refusals.ts';
import { approvalsRef, baseRef } from '../git/commit.ts';
import { behavioursOf, type RuleEdits, ruleEdits, rulesAt, stricterLimits } from './judging-rules.ts';
import { type LoadDeclaredOptions, loadDeclared, notifyRemarks } from './load-declared.ts';

export interface GitBase {
  /** Undefined if the manifests of the base have errors and cannot be compared. */
  readonly manifest: LoadedManifest | undefined;
  /** The manifests under review, checked against the policy of the base. */
  readonly head: LoadedManifest;
  readonly remarks: readonly Diagnostic[];
  /** The behaviours at the base. */
  readonly behaviours: readonly BehavioursFile[];
  /** Absent if the request has the rules of the base. */
  readonly own?: OwnJudgement;
}

/** The manifests under review by their own rules. */
interface OwnJudgement {
  readonly manifest: LoadedManifest;
  readonly behaviours: readonly BehavioursFile[];
  readonly name: string;
  readonly edits: RuleEdits;
}

/**
 * The rules at the base of a plan, or at the commit that approves an apply. Refused (64) without git, a repository, the commit or a
 * common base. Refused (65) when the manifests are not valid, also under the policy of the base, or show a variable that is a secret
 * there. For an apply, refused (65) when the manifests at the commit have errors.
 */
export async function readRules(
  ref: string,
  part: 'plan' | 'apply',
  paths: readonly string[],
  ports: Ports,
  loading: LoadDeclaredOptions = {},
): Promise<GitBase> {
  const from = part === 'plan' ? baseRef : approvalsRef;
  const { commit, manifest: base, behaviours } = await rulesAt(ref, from, paths, ports);
  // The base comes first, because problems of the request must not show what is a secret at the base.
  const { variables } = base;
  const head = await loadDeclared(paths, ports, { ...loading, base: variables });
  if (hasErrors(head.diagnostics)) throw invalidManifests(head.diagnostics);
  const errors = base.diagnostics.filter(({ severity, code }) => severity === 'error' && !absences.includes(code));
  const name = `${ref} (${commit.slice(0, 12)})`;
  const moved = placeRemarks(name, base, head);
  if (hasErrors(errors)) {
    if (part === 'apply') throw invalidManifests(errors);
    notifyRemarks(head, ports);
    return {
      manifest: undefined,
      head: atPlaceOf(base, head),
      remarks: [...moved, unusable(name, errors)],
      behaviours,
    };
  }
  // A base without manifests has no rules: this request introduces them.
  if (base.files.length === 0) {
    notifyRemarks(head, ports);
    return { manifest: base, head: atPlaceOf(base, head), remarks: moved, behaviours };
  }
  const ownBehaviours = await behavioursOf(behavioursBeside(paths, ports));
  const edits = ruleEdits({ manifest: base, behaviours }, { manifest: head, behaviours: ownBehaviours }, ports);
  const ownJudgement: OwnJudgement = { manifest: atPlaceOf(base, head), behaviours: ownBehaviours, name, edits };
  const isEdited = edits.names.length > 0;
  const judged = isEdited
    ? await loadDeclared(paths, ports, { ...loading, rules: base.policy, base: variables })
    : head;
  if (hasErrors(judged.diagnostics))
    throw invalidManifests([...judged.diagnostics, ...(isEdited ? [editedRules(ownJudgement)] : [])]);
  // The policy of the base decides which warnings are shown, too.
  notifyRemarks(judged, ports);
  const { acknowledge, source, approvals: ownApprovals } = head.policy;
  const { planRules: _ownRules, ...judgedHead } = judged;
  const { source: _ofBase, ...policy } = base.policy;
  const approvals = stricterApprovals(base.policy.approvals, ownApprovals);
  return {
    manifest: base,
    head: {
      ...withLimitsOf(base, atPlaceOf(base, judgedHead)),
      ...(base.planRules === undefined ? {} : { planRules: base.planRules }),
      policy: {
        ...policy,
        ...(approvals === undefined ? {} : { approvals }),
        acknowledge,
        ...(source === undefined ? {} : { source }),
      },
    },
    remarks: moved,
    behaviours,
    ...(isEdited ? { own: ownJudgement } : {}),
  };
}

/** The signers of the base sign, and the smaller number of dangers and the larger number of signatures count. */
function stricterApprovals(base: ApprovalsPolicy | undefined, requestPolicy: ApprovalsPolicy | undefined) {
  if (base === undefined || requestPolicy === undefined) return base ?? requestPolicy;
  const dangers = [base.dangers, requestPolicy.dangers].filter((limit) => limit !== undefined);
  const signatures = [base.signatures, requestPolicy.signatures].filter((count) => count !== undefined);
  return {
    ...base,
    ...(dangers.length === 0 ? {} : { dangers: Math.min(...dangers) }),
    ...(signatures.length === 0 ? {} : { signatures: Math.max(...signatures) }),
  };
}

/** The place of the state that counts with --base-ref: that of the base, without a check of its manifests. */
export async function placeAtBase(
  ref: string,
  paths: readonly string[],
  ports: Ports,
): Promise<DeclaredPlace | undefined> {
  return (await rulesAt(ref, baseRef, paths, ports, { isForSettings: true })).manifest.statePlace;
}

function atPlaceOf({ statePlace }: LoadedManifest, { statePlace: _ofHead, ...head }: LoadedManifest): LoadedManifest {
  return { ...head, ...(statePlace === undefined ? {} : { statePlace }) };
}

/** The request's own limits apply if the base declares no application. */
function withLimitsOf({ application: before }: LoadedManifest, head: LoadedManifest): LoadedManifest {
  const { application } = head;
  if (before === undefined || application === undefined) return head;
  return { ...head, application: { ...application, ...stricterLimits(before, application) } };
}

/** The plan of the head with a cause for every change. `planOf` plans other manifests against the same state. */
export function comparedWith(
  { manifest, remarks }: GitBase,
  plan: Plan,
  planOf: (manifest: LoadedManifest) => Plan,
): Plan {
  return withRemarks(remarks, manifest === undefined ? plan : attribute(plan, planOf(manifest), planWords));
}

export function withRemarks(remarks: GitBase['remarks'], plan: Plan): Plan {
  return remarks.length === 0 ? plan : { ...plan, warnings: [...remarks, ...plan.warnings] };
}

/** A path that is new in this request does not exist in the base, which is not an error. */
const absences: readonly string[] = ['manifest.not-found', 'manifest.no-manifests'];

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

/** The plan by the rules of the base, with a warning unless the rules of the request only refuse more and change nothing. */
export function withOwnRules(ownJudgement: OwnJudgement, judged: JudgedPlan, byOwn: JudgedPlan): Plan {
  const { plan } = judged;
  const summary = Object.fromEntries(
    actions.flatMap((action) => {
      const more = (byOwn.plan.summary[action] ?? 0) - (plan.summary[action] ?? 0);
      return more > 0 ? [[action, more]] : [];
    }),
  );
  const isIrreversible = irreversible(byOwn.plan) > irreversible(plan);
  const isRefused = judged.refusals.length === 0 && byOwn.refusals.length + byOwn.problems.length > 0;
  const spared = sparedDangers(plan, byOwn.plan);
  const isEqual = !isIrreversible && !isRefused && spared.length === 0 && Object.keys(summary).length === 0;
  if (isEqual && !ownJudgement.edits.isLooser) return plan;
  const own_rules = isEqual
    ? undefined
    : { inputs: ownJudgement.edits.inputs, summary, isIrreversible, isRefused, spared };
  return {
    ...plan,
    ...(own_rules === undefined ? {} : { own_rules }),
    warnings: [editedRules(ownJudgement, own_rules), ...plan.warnings],
  };
}

/** The codes of dangers that the rules of the request take away, one for each danger. */
function sparedDangers(plan: Plan, byOwn: Plan): string[] {
  const left = dangerCodes(byOwn);
  return dangerCodes(plan).filter((code) => {
    const at = left.indexOf(code);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** Without the dangers of the comparison itself. */
function dangerCodes({ warnings }: Plan): string[] {
  const ofBase: readonly string[] = Object.values(baseWarnings);
  return warnings.flatMap(({ code, dangerous }) => (dangerous === true && !ofBase.includes(code) ? [code] : []));
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
    code: baseWarnings.rulesEdited,
    summary: 'This request edits what plans are judged by',
    detail: `${edits.names.join(', ')} ${edits.names.length === 1 ? 'differs' : 'differ'} from ${name}. This plan uses the rules of the base. An apply after the merge uses the new rules, and may plan differently.${more} Merge the change of the rules first, on its own.`,
    ...(source === undefined ? {} : { source }),
  };
}
