// Plans a million creations that differ only in their texts: one is planned with placeholders, all others fill them in.
//
// Where the placeholders come out in the step, the change and the record of that one creation, the texts of the others
// go. These texts are all that is kept of a creation until its step or its change is read.

import { equalJson, isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { type Address, addressOf, keyOf } from '../../model/address.ts';
import type { Change } from '../../model/change.ts';
import type { LimitsOf } from '../../model/limits.ts';
import type { PlanTemplate } from '../../model/plan.ts';
import type { Policy } from '../../model/policy.ts';
import { applyEntry, textOfRecord } from '../../model/record.ts';
import type { Resource } from '../../model/resource.ts';
import type { SourcePosition } from '../../model/source.ts';
import type { Step } from '../../model/step.ts';
import type { DisablePolicy, KindDefinition } from '../../resources/define.ts';
import { changeOf } from '../diff/changes.ts';
import type { ObjectPlan } from '../diff/draft.ts';
import { planObject } from '../diff/object-plan.ts';
import { nothingCreated } from '../order/created-objects.ts';
import { orderAlone } from '../order/order.ts';
import { ShortCreations } from './short-creations.ts';
import { hasPlaceholder, placeholderFor, TemplateValues, TextTemplate } from './text-template.ts';

/** In an estate whose objects are all different, each object would have a shape of its own. */
const maxShapes = 32;
/** Key, file, line and column come before the texts of the attributes. */
const fixedValues = 4;

/** A creation, as a template and the values that fill it. */
export interface TemplatedCreation {
  readonly template: CreationTemplate;
  readonly address: Address;
  readonly values: TemplateValues;
}

/** What creations of one shape have in common. */
export interface CreationTemplate {
  readonly number: number;
  readonly kind: KindDefinition;
  /** The step and the change of the creation from which the template was made. */
  readonly step: Step;
  readonly change: Change;
  /** The step as JSON. */
  readonly stepText: TextTemplate;
}

export interface TemplateContext {
  readonly policy: Policy;
  readonly disablePolicy: DisablePolicy;
  readonly limitsOf: LimitsOf;
}

/** One attribute of a shape: a text, the texts of a map by key, or a value that is the same for all. */
type Slot =
  | { readonly name: string; readonly type: 'text' }
  | { readonly name: string; readonly type: 'texts'; readonly keys: readonly string[] }
  | { readonly name: string; readonly type: 'value'; readonly value: JsonValue };

/** Objects of one kind that declare the same attributes in the same order, and differ only in texts. */
interface Shape {
  readonly kind: KindDefinition;
  readonly slots: readonly Slot[];
  readonly lifecycle: JsonValue;
}

export class CreationTemplates {
  readonly #context: TemplateContext;
  /** Makes the creations again from the short texts that are kept of them. */
  readonly creations = new ShortCreations();
  readonly #templates: PlanTemplate[] = [];
  /** Without a template when such objects have to be planned one by one. */
  readonly #shapes: { readonly shape: Shape; readonly template: CreationTemplate | undefined }[] = [];

  constructor(context: TemplateContext) {
    this.#context = context;
  }

  /** By number. */
  get templates(): readonly PlanTemplate[] {
    return this.#templates;
  }

  /** `resource` is new. Undefined when it has to be planned by itself. */
  find(kind: KindDefinition, resource: Resource): TemplatedCreation | undefined {
    if (kind.opaqueTexts === undefined) return undefined;
    const { address } = resource;
    const values = new TemplateValues();
    for (const { shape, template } of this.#shapes) {
      if (shape.kind !== kind || !readValues(shape, resource, values)) continue;
      return template === undefined ? undefined : { template, address, values };
    }
    if (this.#shapes.length === maxShapes) return undefined;
    const shape = shapeOf(kind, resource);
    const template = readValues(shape, resource, values) ? this.#templateOf(shape, resource, values) : undefined;
    this.#shapes.push({ shape, template });
    return template === undefined ? undefined : { template, address, values };
  }

  /** Plans the resource twice, with its own texts and with placeholders. Undefined when filling in does not give the same. */
  #templateOf(shape: Shape, resource: Resource, { texts: own }: TemplateValues): CreationTemplate | undefined {
    const { kind } = shape;
    // A metadata key may look like a placeholder, and would be filled in.
    if (hasPlaceholder(JSON.stringify([shape.slots, shape.lifecycle]))) return undefined;
    const templated = this.#planned(kind, withPlaceholders(shape, resource));
    const planned = this.#planned(kind, resource);
    if (templated === undefined || planned === undefined) return undefined;
    const { request } = templated.step;
    const { limitsOf } = this.#context;
    const hasOwnLimit =
      request !== undefined &&
      [...limitsOf(request), ...(limitsOf.ofFirstListed?.(request) ?? [])].some(({ name }) => hasPlaceholder(name));
    const [templatedRecord, record] = [templated, planned].map(({ step }) => applyEntry(undefined, step.entry));
    if (templatedRecord === undefined || record === undefined) return undefined;
    const serialized = {
      kind: kind.kind,
      step: JSON.stringify(templated.step),
      change: withPlaceholderPosition(JSON.stringify(templated.change)),
      record: textOfRecord(templatedRecord),
    };
    const texts = {
      step: new TextTemplate(serialized.step),
      change: new TextTemplate(serialized.change),
      record: new TextTemplate(serialized.record),
    };
    const isRight =
      texts.step.filled(own) === JSON.stringify(planned.step) &&
      texts.change.filled(own) === JSON.stringify(planned.change) &&
      texts.record.filled(own) === textOfRecord(record);
    if (hasOwnLimit || !isRight) return undefined;
    const template = { number: this.#templates.length, kind, ...planned, stepText: texts.step };
    this.#templates.push(serialized);
    this.creations.add(serialized);
    return template;
  }

  /** Undefined when the creation takes more than one call, or depends on other objects. */
  #planned(kind: KindDefinition, resource: Resource): Pick<CreationTemplate, 'step' | 'change'> | undefined {
    const { policy, disablePolicy } = this.#context;
    const plan = planObject(kind, { resource, record: undefined }, { policy });
    if (plan === undefined || !isSingleCall(plan)) return undefined;
    const object = orderAlone(plan, disablePolicy, nothingCreated);
    const [step] = object.steps;
    return step === undefined ? undefined : { step, change: changeOf(object, []) };
  }
}

function isSingleCall({ problems, drafts, opens, closes, staysClosed, leftOpen = false }: ObjectPlan): boolean {
  const [draft, ...others] = drafts;
  if (draft === undefined || others.length > 0) return false;
  const { creates, exists, active, between, names } = draft;
  return (
    creates !== undefined &&
    [exists, active, between, names].every((named) => named === undefined) &&
    problems.length === 0 &&
    !(opens || closes || staysClosed || leftOpen)
  );
}

function shapeOf(kind: KindDefinition, { attributes, lifecycle }: Resource): Shape {
  const slots = Object.entries(attributes).map(([name, value]) => slotOf(kind, name, value));
  return { kind, slots, lifecycle: lifecycle as JsonObject };
}

function slotOf(kind: KindDefinition, name: string, value: JsonValue): Slot {
  if (kind.opaqueTexts?.includes(name) !== true) return { name, type: 'value', value };
  if (typeof value === 'string') return { name, type: 'text' };
  const areTexts = isObject(value) && Object.values(value).every((inner) => typeof inner === 'string');
  return areTexts ? { name, type: 'texts', keys: Object.keys(value) } : { name, type: 'value', value };
}

/** Overwrites `into` with the texts of the resource. False when the resource has another shape. */
function readValues({ slots, lifecycle }: Shape, resource: Resource, into: TemplateValues): boolean {
  const { attributes } = resource;
  into.isAscii = true;
  into.put(0, keyOf(resource.address));
  putPosition(resource.source, into);
  let length = fixedValues;
  let place = 0;
  for (const name in attributes) {
    const slot = slots[place];
    const value = attributes[name];
    place += 1;
    if (slot?.name !== name || value === undefined) return false;
    length = readSlot(slot, value, into, length);
    if (length < 0) return false;
  }
  into.texts.length = length;
  return place === slots.length && equalJson(lifecycle, resource.lifecycle as JsonObject);
}

function putPosition({ file, line, column }: SourcePosition, into: TemplateValues): void {
  into.put(1, file);
  // With String(line), V8 would cache the text of every number for a while: a million lines take 40 MB.
  into.texts[2] = line.toFixed(0);
  into.texts[3] = `${column}`;
}

/** The number of values so far; negative when the slot holds another value. */
function readSlot(slot: Slot, value: JsonValue, into: TemplateValues, length: number): number {
  if (slot.type === 'value') return equalJson(slot.value, value) ? length : -1;
  if (slot.type === 'text') {
    if (typeof value !== 'string') return -1;
    into.put(length, value);
    return length + 1;
  }
  if (!isObject(value)) return -1;
  let place = 0;
  for (const key in value) {
    const text = value[key];
    if (slot.keys[place] !== key || typeof text !== 'string') return -1;
    into.put(length + place, text);
    place += 1;
  }
  return place === slot.keys.length ? length + place : -1;
}

/** Line and column are numbers: `withPlaceholderPosition` puts their placeholders into the serialized text. */
function withPlaceholders({ kind, slots }: Shape, { lifecycle }: Resource): Resource {
  let place = fixedValues;
  const attributes = slots.map((slot): [string, JsonValue] => {
    if (slot.type === 'value') return [slot.name, slot.value];
    if (slot.type === 'text') return [slot.name, placeholderFor(place++)];
    return [slot.name, Object.fromEntries(slot.keys.map((key) => [key, placeholderFor(place++)]))];
  });
  return {
    address: addressOf(kind.kind, placeholderFor(0)),
    attributes: Object.fromEntries(attributes),
    lifecycle,
    source: { file: placeholderFor(1), line: 0, column: 0 },
  };
}

function withPlaceholderPosition(text: string): string {
  const file = `"source":{"file":"${placeholderFor(1)}",`;
  return text.replace(
    `${file}"line":0,"column":0}`,
    `${file}"line":${placeholderFor(2)},"column":${placeholderFor(3)}}`,
  );
}
