// Drafts the update of an object in state to its declaration.

import { equalJson, type JsonObject } from '../../../lib/json.ts';
import type { AttributeDefinition, KindDefinition, StepDraft } from '../../kinds/definition/kind.ts';
import { type AttributeChange, printPath } from '../../model/change.ts';
import type { ChangeNote, ChangeReason } from '../../model/reasons.ts';
import type { StateRecord } from '../../model/record.ts';
import type { Resource } from '../../model/resource.ts';
import { disabledAttributeChange } from '../draft/disabled-state.ts';
import { hasError, type ObjectDraft } from '../draft/draft.ts';
import { declaredAttributes, differing, ignoredOf, type ObservedState } from '../live/observed-state.ts';
import { knownAttributes, notesOfUnknown, unknownNames } from '../live/unknown-values.ts';
import { kindChange, notesOfKind, type RelatedObjects } from './creation.ts';
import { diffAttributes } from './diff.ts';
import { callable, recordStep } from './record-step.ts';

/** `observedState` is present if a refresh found differences. */
export function draftUpdate(
  kind: KindDefinition,
  resource: Resource,
  record: StateRecord,
  observedState?: Omit<ObservedState, 'departed' | 'leftAlone' | 'invited' | 'unknown'> &
    Partial<Pick<ObservedState, 'unknown'>>,
  related: RelatedObjects = {},
): ObjectDraft {
  const { address } = resource;
  const { attribute } = kind.disabledState;
  const ignored = ignoredOf(kind, record, resource);
  const { unknown: marked = [] } = record;
  const unknown = observedState?.unknown ?? marked;
  const was = knownAttributes(kind, unknown, observedState?.was ?? record.attributes, resource, ignored);
  const difference = diffAttributes(kind, was, resource.attributes, ignored, unknown);
  const before = observedState === undefined ? was : { ...was, ...fixedIn(kind, observedState.found) };
  const leftOpen = record.bracket === true;
  const isClosed = leftOpen || (observedState?.isClosed ?? record.attributes[attribute] === true);
  const isIgnored = ignored.includes(attribute);
  const wanted = isIgnored ? was[attribute] : resource.attributes[attribute];
  const returns = record.retired === true;
  // If the manifest never declared the disabled state, it is unmanaged.
  const isOurs = returns || wanted !== undefined || record.attributes[attribute] !== undefined;
  const opens = isClosed && isOurs && !isIgnored && wanted !== true;
  const closes = !isClosed && !isIgnored && wanted === true;
  const context = { ...related, ignored, opens, ...(unknown.length === 0 ? {} : { unknown }) };
  const change = kindChange('update', address, before, resource.attributes, difference.attributes, context);
  const problems = [...difference.problems, ...kind.checks(change), ...(observedState?.problems ?? [])];
  const calls = hasError(problems) ? [] : kind.steps({ ...change, attributes: callable(kind, difference.attributes) });
  const closedChange = disabledAttributeChange(attribute, was[attribute], wanted, { opens, returns });
  const attributes = closedChange === undefined ? difference.attributes : [...difference.attributes, closedChange];
  const settled = hasError(problems)
    ? undefined
    : recordStep(kind, record, was, resource, calls, attributes, {
        opensOrCloses: opens || closes || leftOpen,
        learned: marked.filter((path) => !unknown.includes(path)),
        madeAnew: observedState?.madeAnew,
      });
  return {
    kind,
    address,
    record,
    resource,
    attributes,
    steps: settled === undefined ? calls : [...calls, settled],
    opens,
    closes,
    leftOpen: leftOpen && !opens,
    staysClosed: isClosed && !opens,
    ...(isOurs ? {} : { isClosedByOthers: true }),
    completesCreation: record.creating === true,
    problems,
    notes: [
      ...notesOfReleases(difference.attributes, calls),
      // The reason already says that memberships may have changed.
      ...(returns ? [] : notesOfUnknown(unknown, difference.attributes)),
      ...(observedState?.notes ?? []),
      ...notesOfKind(kind, change),
    ],
    reason: reasonOfUpdate(kind, record, resource, {
      attributes,
      unknown,
      seen: observedState?.was,
      takesOver: settled !== undefined,
    }),
  };
}

/** One note for each value that is no longer managed: a call that replaces the whole map leaves it out, or it stays. */
function notesOfReleases(attributes: readonly AttributeChange[], calls: readonly StepDraft[]): ChangeNote[] {
  const leftOut = new Set(
    calls.flatMap(({ edits }) => edits.flatMap(({ op, path }) => (op === 'unset' ? [printPath(path)] : []))),
  );
  const released = attributes.filter(({ how }) => how === 'release').map(({ path }) => printPath(path));
  return released.map((attribute) => ({
    code: leftOut.has(attribute) ? 'attribute_left_out' : 'attribute_released',
    attribute,
  }));
}

/** Returns the live values that an apply does not change. They replace the values of state. */
function fixedIn(kind: KindDefinition, liveAttributes: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(liveAttributes).filter(([name]) => isLeft(kind.attributes[name])));
}

function isLeft(definition: AttributeDefinition | undefined): boolean {
  return definition?.change === 'create_only' || definition?.isChangedByPlatform === true;
}

function reasonOfUpdate(
  kind: KindDefinition,
  record: StateRecord,
  resource: Resource,
  {
    attributes,
    unknown,
    seen,
    takesOver,
  }: {
    readonly attributes: readonly AttributeChange[];
    readonly unknown: NonNullable<StateRecord['unknown']>;
    /** What a refresh found. Undefined if the platform was not read, or is as at the last apply. */
    readonly seen: JsonObject | undefined;
    readonly takesOver: boolean;
  },
): ChangeReason {
  if (record.retired === true) return { code: 'declared_again' };
  if (record.creating === true) return { code: 'creation_interrupted' };
  if (record.bracket === true) return { code: 'left_open' };
  const edited = differing(kind, record.attributes, declaredAttributes(kind, resource));
  const moved = seen === undefined ? [] : differing(kind, record.attributes, seen);
  const unknownOnes = unknownNames(unknown, attributes);
  const names = [...new Set(attributes.map(({ path }) => path[0] ?? ''))].filter((name) => !unknownOnes.includes(name));
  const others = names.filter((name) => !edited.includes(name) && moved.includes(name));
  // Includes a disabled state that is declared or removed as false, which equals an absent one.
  const editedNames = names.filter((name) => !others.includes(name));
  const [only] = editedNames;
  if (attributes.length === 1 && only === kind.disabledState.attribute)
    return { code: 'disabled_state_edited', attribute: only };
  if (names.length > 0) return { code: 'attributes_differ', edited: editedNames, changed_on_platform: others };
  if (unknownOnes.length > 0) return { code: 'values_unknown', attributes: unknownOnes };
  if (!equalJson({ ...record.lifecycle }, { ...resource.lifecycle })) return { code: 'lifecycle_edited' };
  return { code: takesOver ? 'live_values_taken' : 'needed_enabled' };
}
