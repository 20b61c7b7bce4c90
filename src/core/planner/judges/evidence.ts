// Collects what the judges look at beyond the plan, while the objects of the plan are drafted.
import { compareText } from '../../../lib/json.ts';
import type { Collect, Collector, Series } from '../../../lib/series.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import type { Policy } from '../../model/policy.ts';
import type { StateRecord } from '../../model/record.ts';
import type { Finding } from '../draft/finding.ts';
import { ignoredOf } from '../live/observed-state.ts';
import type { OrderedDraft } from '../order/steps.ts';
import { EffectTally } from './effects.ts';

/** Takes every record of state and every object of the plan. Drafts are not kept, so that memory stays flat. */
export class Evidence {
  readonly #policy: Policy;
  readonly #collect: Collect;
  readonly #protected: Finding[] = [];
  #notified: Collector<string> | undefined;
  #ended: Series<string> | undefined;
  /** Absent while the plan removes nothing and state is empty. */
  #tally: EffectTally | undefined;

  constructor(policy: Policy, collect: Collect) {
    this.#policy = policy;
    this.#collect = collect;
  }

  addRecord(kind: KindDefinition, record: StateRecord): void {
    this.#tallied().addRecord(kind, record);
  }

  addObject(ordered: OrderedDraft): void {
    const { draft, steps, bracket } = ordered;
    // Completing a creation removes nothing, except for messages that it erases.
    const isCreation = draft.completesCreation && steps.every(({ action }) => action !== 'erase');
    if (!isCreation) this.#tallied().addObject(ordered);
    if (draft.removal !== undefined) this.#protected.push(...protectedRemoval(ordered));
    if (bracket) this.#protected.push(...refusedReopening(ordered, this.#policy));
  }

  /** Must get each person who notices something once. */
  addNotified(id: string): void {
    this.#notified ??= this.#collect<string>();
    this.#notified.push(id);
  }

  /** The people who notice something, if the policy limits their number. */
  get notified(): Series<string> {
    this.#ended ??= this.#notified?.end() ?? [];
    return this.#ended;
  }

  /** Whether no object of the plan or of state has an effect to count. */
  get hasNoEffects(): boolean {
    return this.#tally === undefined;
  }

  get effects(): EffectTally {
    return this.#tallied();
  }

  /** Removals of protected objects and forbidden reopenings, sorted by address. */
  get protectedObjects(): readonly Finding[] {
    return [...this.#protected].sort((left, right) => compareText(left.address ?? '', right.address ?? ''));
  }

  #tallied(): EffectTally {
    this.#tally ??= new EffectTally(this.#collect);
    return this.#tally;
  }
}

/** The last applied `protect` decides. Otherwise one edit could remove it together with the object (semantics §4.4). */
function protectedRemoval({ draft }: OrderedDraft): Finding[] {
  if (draft.removal === undefined || draft.record?.lifecycle?.protect !== true) return [];
  return [
    {
      severity: 'error',
      problem: { code: 'safety.protected', address: draft.address },
      address: draft.address,
    },
  ];
}

/**
 * Refuses work that needs a disabled object reopened if the policy does not allow that, or if others may have enabled it, so
 * that disabling it again would undo what they did (semantics §1.6, §3).
 */
function refusedReopening({ draft, bracket }: OrderedDraft, policy: Policy): Finding[] {
  const { kind, record, resource, found } = draft;
  const attribute = kind.disabledState.attribute;
  const rule = attribute === 'frozen' ? policy.reopen.frozen : policy.reopen.deactivated;
  // If chatform left it open, state knows that it has to be disabled.
  const isUnread =
    found === undefined &&
    record !== undefined &&
    record.bracket !== true &&
    ignoredOf(kind, record, resource).includes(attribute);
  if (!bracket || (rule === 'allow' && !isUnread)) return [];
  return [
    {
      severity: 'error',
      problem: { code: 'safety.reopen', address: draft.address, attribute, isUnread },
      address: draft.address,
      ...(draft.resource === undefined ? {} : { source: draft.resource.source }),
    },
  ];
}
