// Replaces personal data by a length and a tag. Equal values have equal tags.
//
// Kinds, attribute names, metadata keys, custom types, statuses, numbers and ids are shown as they are, since a plan cannot
// be reviewed without them. An id that looks like an e-mail address or a telephone number is still hidden.
import { createHmac } from 'node:crypto';
import { isList, isObject, type JsonValue } from '../../../lib/json.ts';
import { type Address, addressOf, keyOf, kindOf } from '../../model/address.ts';
import type { AttributeChange, Change, Drift, StoredValue } from '../../model/change.ts';
import type { Actor } from '../../model/ci-systems.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ApplyEvent, StepFailure } from '../../model/event.ts';
import type { Unmanaged } from '../../model/live.ts';
import type { PlanDuration } from '../../model/plan.ts';
import type { ChangeReason } from '../../model/reasons.ts';
import type { ApplyReport } from '../../model/report.ts';
import type { Signature } from '../../model/signing/signature.ts';
import type { SourcePosition } from '../../model/source.ts';
import type { PlannedStage, ReportedStage } from '../../model/stages/stages.ts';

/** Personal parts of a text made by chatform: quoted values, URLs, e-mail addresses, telephone numbers. */
const personal =
  /"(?:\\.|[^"\\])*"|\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s"'<>)]+|[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*|\+\d[\d ().-]{5,}\d/giu;

const tagLength = 10;

export class Redactor {
  readonly #key: string;
  readonly #impersonal: ReadonlySet<string>;

  constructor(key: string, impersonal: ReadonlySet<string> = new Set()) {
    this.#key = key;
    this.#impersonal = impersonal;
  }

  change(change: Change): Change {
    return {
      ...change,
      address: this.#address(change.address),
      attributes: change.attributes.map((attribute) => this.#attribute(attribute)),
      ...this.#source(change.source),
      reason: this.#reason(change.reason),
      notes: change.notes.map((note) => this.#text(note)),
      ...this.#codes(change),
    };
  }

  /** A bucket's name may contain a user's id. */
  duration({ bottleneck, buckets, chain, ...duration }: PlanDuration): PlanDuration {
    return {
      ...duration,
      ...(bottleneck === undefined ? {} : { bottleneck: this.#text(bottleneck) }),
      buckets: buckets.map((bucket) => ({ ...bucket, name: this.#text(bucket.name) })),
      ...(chain === undefined
        ? {}
        : { chain: { ...chain, from: this.#address(chain.from), to: this.#address(chain.to) } }),
    };
  }

  drift(drift: Drift): Drift {
    return {
      ...drift,
      address: this.#address(drift.address),
      attributes: drift.attributes.map((attribute) => this.#attribute(attribute)),
      ...this.#source(drift.source),
      note: this.#text(drift.note),
      ...this.#codes(drift),
    };
  }

  unmanaged({ kinds, ...unmanaged }: Unmanaged): Unmanaged {
    const shown = kinds.map(({ custom_types: types, ...kind }) => ({
      ...kind,
      ...(types === undefined
        ? {}
        : { custom_types: types.map((type) => ({ ...type, custom_type: this.#text(type.custom_type) })) }),
    }));
    return { ...unmanaged, kinds: shown };
  }

  /** What a gate says may contain anything. */
  stage<Stage extends PlannedStage & Pick<ReportedStage, 'gate'>>(stage: Stage): Stage {
    const { select, until, named, gate } = stage;
    return {
      ...stage,
      ...(select === undefined ? {} : { select: this.#text(select) }),
      ...(until === undefined ? {} : { until: this.#text(until) }),
      ...(named === undefined ? {} : { named: named.map((address) => this.#address(address as Address)) }),
      ...(gate?.why === undefined ? {} : { gate: { ...gate, why: this.hide(gate.why) } }),
    };
  }

  event(event: ApplyEvent): ApplyEvent {
    return {
      ...event,
      ...('select' in event ? { select: this.#text(event.select) } : {}),
      ...('step' in event ? { step: this.#text(event.step), address: this.#address(event.address) } : {}),
      ...('why' in event && event.why !== undefined
        ? { why: event.type === 'gate.ended' ? this.hide(event.why) : this.#text(event.why) }
        : {}),
      ...('sent' in event ? this.#stored(event) : {}),
      ...('failure' in event && event.failure !== undefined ? { failure: this.failure(event.failure) } : {}),
    };
  }

  /** People with access see from the job and the commit who it was. */
  actor({ user, host, ...actor }: Actor): Actor {
    return { ...actor, user: this.hide(user), host: this.hide(host) };
  }

  report({
    failures,
    left_open,
    not_members,
    data_requests,
    stages,
    stored_otherwise: stored,
    series,
    by,
    signature,
    ...report
  }: ApplyReport): ApplyReport {
    return {
      ...report,
      ...(stored === undefined
        ? {}
        : { stored_otherwise: { ...stored, values: stored.values.map((value) => this.#stored(value)) } }),
      ...(by === undefined ? {} : { by: this.actor(by) }),
      ...(signature === undefined ? {} : { signature: this.signature(signature) }),
      failures: failures.map((failure) => this.failure(failure)),
      ...(stages === undefined ? {} : { stages: stages.map((stage) => this.stage(stage)) }),
      ...(not_members === undefined
        ? {}
        : {
            not_members: not_members.map(({ address, user_id }) => ({
              address: this.#address(address),
              user_id: this.#text(user_id),
            })),
          }),
      ...(data_requests === undefined
        ? {}
        : { data_requests: data_requests.map((request) => ({ ...request, address: this.#address(request.address) })) }),
      ...(left_open === undefined ? {} : { left_open: left_open.map((address) => this.#address(address)) }),
      ...(series === undefined
        ? {}
        : {
            series: {
              ...series,
              calls: series.calls.map((call) => ({ ...call, address: this.#address(call.address) })),
            },
          }),
    };
  }

  signature({ by, others, ...signature }: Signature): Signature {
    return {
      ...signature,
      by: this.hide(by),
      ...(others === undefined ? {} : { others: others.map((signer) => ({ ...signer, by: this.hide(signer.by) })) }),
    };
  }

  failure(failure: StepFailure): StepFailure {
    const { address, message, missing_ids: ids } = failure;
    return {
      ...failure,
      address: this.#address(address),
      message: this.#text(message),
      ...(ids === undefined ? {} : { missing_ids: ids.map((id) => this.#text(id)) }),
    };
  }

  #stored({ address, path, sent, stored }: StoredValue): StoredValue {
    const hide = (text: string) => this.hide(text);
    return {
      address: this.#address(address),
      path: path.map((part) => this.#text(part)),
      sent: this.#value(sent, hide),
      ...(stored === undefined ? {} : { stored: this.#value(stored, hide) }),
    };
  }

  /** Without the source line, which shows what the author wrote. */
  diagnostic({ excerpt: _, ...diagnostic }: Diagnostic): Diagnostic {
    const { detail, address, source } = diagnostic;
    return {
      ...diagnostic,
      detail: this.#text(detail),
      ...(address === undefined ? {} : { address: this.#address(address) }),
      ...this.#source(source),
    };
  }

  #attribute({ path, before, after, how }: AttributeChange): AttributeChange {
    const isImpersonal = this.#impersonal.has(path[0] ?? '');
    const hide = (text: string) => (isImpersonal ? this.#text(text) : this.hide(text));
    return {
      path: path.map((part) => this.#text(part)),
      ...(before === undefined ? {} : { before: this.#value(before, hide) }),
      ...(after === undefined ? {} : { after: this.#value(after, hide) }),
      how,
    };
  }

  #value(value: JsonValue, hide: (text: string) => string): JsonValue {
    if (typeof value === 'string') return hide(value);
    if (isList(value)) return value.map((item) => this.#value(item, hide));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [this.#text(key), this.#value(inner, hide)]));
  }

  #reason(reason: ChangeReason): ChangeReason {
    if (reason.code !== 'gone_with_parents') return reason;
    return { ...reason, parents: reason.parents.map((parent) => this.#address(parent)) };
  }

  /** Hides the same parts of the data as of the words. */
  #codes<T>({ note_codes: notes }: { readonly note_codes?: readonly T[] }): { readonly note_codes?: readonly T[] } {
    if (notes === undefined) return {};
    const shown = (value: unknown): unknown =>
      typeof value === 'string'
        ? this.#text(value)
        : Array.isArray(value)
          ? value.map(shown)
          : typeof value === 'object' && value !== null
            ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shown(inner)]))
            : value;
    return { note_codes: notes.map((note) => shown(note) as T) };
  }

  #address(address: Address): Address {
    return addressOf(kindOf(address), this.#text(keyOf(address)));
  }

  #source(source: SourcePosition | undefined): { readonly source?: SourcePosition } {
    return source === undefined ? {} : { source: { ...source, file: this.#text(source.file) } };
  }

  #text(text: string): string {
    return text.replace(personal, (found) => this.hide(found));
  }

  hide(text: string): string {
    if (text === '') return '';
    const length = [...text].length;
    const tag = createHmac('sha256', this.#key).update(text).digest('hex').slice(0, tagLength);
    return `[${length} ${length === 1 ? 'character' : 'characters'}, ${tag}]`;
  }
}
