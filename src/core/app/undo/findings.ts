// Notes on an undo: what is not restored, what the next apply would change, and which run is undone.

import { equalJson } from '../../../lib/json.ts';
import { chatformCommand } from '../../../lib/tools/pasted-words.ts';
import { firstOf, printBytes } from '../../../lib/words.ts';
import type { Address } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import { applyEntry, type StateRecord } from '../../model/record.ts';
import type { Resource } from '../../model/resource.ts';
import type { SourcePosition } from '../../model/source.ts';
import { diffAttributes } from '../../planner/diff/diff.ts';
import { ignoredOf } from '../../planner/live/observed-state.ts';
import { type Loss, lossReasons } from '../../planner/undo/restoration.ts';
import { findKind } from '../../resources/index.ts';
import type { TrailEntry } from '../context/trail.ts';
import type { RunToUndo } from './run-to-undo.ts';

const maxNamed = 20;

/** By reason. `run` is the number of the run. */
const sentences: Readonly<Record<Loss['reason'], (run: number) => string>> = {
  deleted: (run) =>
    `Run ${run} deleted these, and the platform cannot restore them. If they are declared again, they become new objects without their history`,
  gone: () => 'These are gone from the platform',
  messages: (run) => `Messages that run ${run} sent, edited or deleted stay as they are`,
  changed_since: () => 'Later runs changed these, so they stay as they are',
  changed_elsewhere: () =>
    'Others have changed these on the platform since then, so they stay as they are and state takes their live values',
  impossible: () => 'The platform cannot change these back',
  hidden: () => 'State does not contain images, codes and tokens, so these stay as they are',
  ignored: () => 'lifecycle.ignore_changes names these, so they stay as they are',
  unknown: () =>
    'These were not managed before, so their earlier values are unknown: they stay or become empty, as the change shows',
  in_doubt: () =>
    'An interrupted run began to change these, and state does not contain their values, so nothing is sent and they are no longer managed',
  forgotten: () => 'These are no longer in state. To manage them again, use chatform adopt',
  existed: (run) =>
    `Run ${run} took these existing objects into state, so they are not removed. To stop managing them, use chatform state forget`,
};

/** One warning for each reason. */
export function lossesForPeople(losses: readonly Loss[], run: number): Diagnostic[] {
  return lossReasons.flatMap((reason): Diagnostic[] => {
    const texts = new Set(
      losses
        .filter((loss) => loss.reason === reason)
        .map(({ address, what }) => (what === undefined ? address : `${address} (${what})`)),
    );
    if (texts.size === 0) return [];
    return [
      {
        severity: 'warning',
        code: 'undo.not-restored',
        summary: 'Not everything is undone',
        detail: `${sentences[reason](run)}: ${firstOf([...texts], maxNamed, ', and')}.`,
      },
    ];
  });
}

export function runNote({ entry, kept }: RunToUndo, continues: TrailEntry | undefined): Diagnostic {
  const { number, command, started_at, outcome } = entry;
  const unfinished =
    continues === undefined
      ? ''
      : ` Run ${continues.number} was an undo of it that did not finish, and this undo continues it. To undo that run instead: ${chatformCommand('undo', String(continues.number))}.`;
  return {
    severity: 'note',
    code: 'undo.run',
    summary: 'The plan undoes a run',
    detail: `Run ${number} is the ${command} of ${started_at} (${outcome}). State keeps ${printBytes(kept.bytes)} from before it, about ${kept.objects.size} ${kept.objects.size === 1 ? 'object' : 'objects'}.${unfinished}`,
  };
}

/** Says which lines of the manifests would change objects again that the plan changes. */
export function nextApplyWarning(plan: Plan, resources: Iterable<Resource>, state: StateSnapshot): Diagnostic[] {
  const after = recordsAfter(plan, state);
  if (after.size === 0) return [];
  const places: { readonly source?: SourcePosition; readonly text: string }[] = [];
  const remaining = new Map(after);
  for (const resource of resources) {
    const { address, source, attributeSources } = resource;
    if (!remaining.has(address)) continue;
    remaining.delete(address);
    for (const name of changedAgain(resource, after.get(address))) {
      const position = attributeSources?.[name] ?? source;
      places.push({
        source: position,
        text: `${position.file}:${position.line} (${address}${name === '' ? '' : ` ${name}`})`,
      });
    }
  }
  for (const [address, record] of remaining)
    if (record !== undefined && record.retired !== true) places.push({ text: `${address} (not declared)` });
  const [first] = places;
  if (first === undefined) return [];
  return [
    {
      severity: 'warning',
      code: 'undo.manifests-differ',
      summary: 'The manifests contradict the undo',
      detail: `The next apply would change these again: ${firstOf(
        places.map(({ text }) => text),
        maxNamed,
        ', and',
      )}. Change the manifests first, for example with git revert.`,
      ...(first.source === undefined ? {} : { source: first.source }),
    },
  ];
}

function recordsAfter({ steps }: Plan, state: StateSnapshot): Map<Address, StateRecord | undefined> {
  const records = new Map<Address, StateRecord | undefined>();
  for (const { address, entry } of steps) {
    if (findKind(address)?.isChild === true) continue;
    records.set(address, applyEntry(records.has(address) ? records.get(address) : state.get(address), entry));
  }
  return records;
}

/** The attributes that an apply would change. An empty name means the whole object. */
function changedAgain(resource: Resource, record: StateRecord | undefined): string[] {
  const kind = findKind(resource.address);
  if (kind === undefined || record === undefined || record.retired === true) return [''];
  const { attribute } = kind.disabledState;
  const ignored = ignoredOf(kind, record, resource);
  const { attributes, problems } = diffAttributes(kind, record.attributes, resource.attributes, ignored);
  const isClosed = [record, resource].map((record) => record.attributes[attribute] === true);
  const closed = !ignored.includes(attribute) && !equalJson(isClosed[0], isClosed[1]) ? [attribute] : [];
  return [...new Set([...attributes, ...problems].map(({ path }) => path[0] ?? '')), ...closed];
}
