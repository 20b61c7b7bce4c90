// Reads the manifests at the base of this request through git, without a checkout.
//
// The base is the merge base of the request and REF, so that later merges of others do not count as changes of the request.
// The policy of the base applies, because a request must not loosen the rules that it is checked against. The request's own
// acknowledgements count, since reviewers read them (semantics §9). The place of the state is that of the base, too, because a
// request could name a state that hides its changes.

import { equalJson, type JsonObject } from '../../lib/json.ts';
import type { FileAccess } from '../../manifest/files/access.ts';
import type { LoadedManifest } from '../../manifest/passes/loaded-manifest.ts';
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import { baseWarnings, type Plan } from '../../model/plan.ts';
import type { DeclaredPlace } from '../../model/stores/declared-place.ts';
import { attribute } from '../../planner/attribution.ts';
import { planWords } from '../../view/text/plan-problems.ts';
import type { Ports } from '../context/ports.ts';
import { invalidManifests } from '../context/refusals.ts';
import { demandValid, loadDeclared, notifyRemarks } from '../opening/load-declared.ts';
import { atCommit, baseRef } from './commit.ts';

export interface GitBase {
  /** Undefined if the manifests of the base have errors and cannot be compared. */
  readonly manifest: LoadedManifest | undefined;
  /** The manifests under review, checked against the policy of the base. */
  readonly head: LoadedManifest;
  readonly remarks: readonly Diagnostic[];
}

/**
 * Refused (64) when there is no git, no repository, no such commit, or no common base; (65) when the manifests are not
 * valid, also under the policy of the base, or show a variable that is a secret there.
 */
export async function readBase(ref: string, paths: readonly string[], ports: Ports): Promise<GitBase> {
  const { commit, value: base } = await atCommit(ref, baseRef, ports, (files) => loadDeclared(paths, ports, { files }));
  // The base comes first, because problems of the request must not show what is a secret at the base.
  const { variables } = base;
  const head = await loadDeclared(paths, ports, { base: variables });
  demandValid(head);
  const errors = base.diagnostics.filter(({ severity, code }) => severity === 'error' && !isAbsence(code));
  const name = `${ref} (${commit.slice(0, 12)})`;
  const moved = placeRemarks(name, base, head);
  if (hasErrors(errors)) {
    notifyRemarks(head, ports);
    return { manifest: undefined, head: atPlaceOf(base, head), remarks: [...moved, unusable(name, errors)] };
  }
  // A base without manifests has no rules: this request introduces them.
  if (base.files.length === 0) {
    notifyRemarks(head, ports);
    return { manifest: base, head: atPlaceOf(base, head), remarks: moved };
  }
  const remarks = policyRemarks(name, base, head);
  const judged =
    remarks.length === 0 ? head : await loadDeclared(paths, ports, { rules: base.policy, base: variables });
  if (hasErrors(judged.diagnostics)) throw invalidManifests([...judged.diagnostics, ...remarks]);
  // The policy of the base decides which warnings are shown, too.
  notifyRemarks(judged, ports);
  const { acknowledge, source } = head.policy;
  const { source: _ofBase, ...policy } = base.policy;
  return {
    manifest: base,
    head: {
      ...atPlaceOf(base, withoutRules(judged)),
      ...(base.planRules === undefined ? {} : { planRules: base.planRules }),
      policy: { ...policy, acknowledge, ...(source === undefined ? {} : { source }) },
    },
    remarks: [...moved, ...remarks],
  };
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

/** Rules that the merge would change: this plan uses the old ones, the apply after the merge the new ones. */
function policyRemarks(name: string, base: LoadedManifest, head: LoadedManifest): Diagnostic[] {
  const { acknowledge: _old, source: _there, ...before } = base.policy;
  const { acknowledge: _new, source, ...after } = head.policy;
  const withoutPlaces = ({ restrictions = [], rules = [], diagnostics = {} }: LoadedManifest['policy']) => ({
    restrictions: restrictions.map(({ source: _place, ...entry }) => entry),
    rules: rules.map(({ source: _place, ...rule }) => rule),
    diagnostics: Object.fromEntries(
      Object.entries(diagnostics).map(([code, { source: _place, ...setting }]) => [code, setting]),
    ),
  });
  const policyBefore = { ...before, ...withoutPlaces(base.policy) } as unknown as JsonObject;
  const policyAfter = { ...after, ...withoutPlaces(head.policy) } as unknown as JsonObject;
  // Keys that the request removes count, too.
  const keys = new Set([...Object.keys(policyAfter), ...Object.keys(policyBefore)]);
  const edited = [...keys].filter((key) => !equalJson(policyBefore[key], policyAfter[key]));
  if (edited.length === 0) return [];
  return [
    {
      severity: 'warning',
      code: baseWarnings.policyEdited,
      summary: 'This request edits the policy',
      detail: `${edited.join(', ')} of the policy differs from ${name}. This plan uses the policy of the base; an apply after the merge uses the new policy and may plan differently. Merge the policy change first, on its own.`,
      ...(source === undefined ? {} : { source }),
    },
  ];
}
