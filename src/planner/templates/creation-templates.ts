// How are a million creations planned that are alike but for what their texts say?
//
// One of them is planned with marks in the place of its texts. Where the marks come out in its step, its change and its
// record, the texts of all others go: to plan one of them means to put its texts in. They are also all that is kept of it
// until somebody asks for its step or its change.

import { digestText } from '../../lib/digest.ts';
import { equalJson, isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { type Address, addressOf, keyOf } from '../../model/address.ts';
import type { Change } from '../../model/change.ts';
import type { LimitsOf } from '../../model/limits.ts';
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
import { hasPlaceholder, placeholderFor, TemplateValues, TextTemplate } from './text-template.ts';

/** Of estates whose objects are all different, each would be another shape. */
const maxShapes = 32;
/** Stands between the texts that are kept; as a control character it is in none of them as they are spelled. */
const separator = '\t';
/** No JSON begins with it (model/series.ts). */
const shortMark = '@';
/** Key, file, line and column come before the texts of the attributes. */
const ownParts = 4;

/** A creation that follows a pattern. Valid until the next one is asked for: of a million, each would be garbage at once. */
export interface TemplatedCreation {
  readonly pattern: CreationTemplate;
  readonly address: Address;
  readonly parts: TemplateValues;
}

/** What all its creations have in common. */
export interface CreationTemplate {
  readonly number: number;
  readonly kind: KindDefinition;
  /** Those of the creation that it was made from. */
  readonly step: Step;
  readonly change: Change;
  readonly texts: { readonly step: TextTemplate; readonly change: TextTemplate; readonly record: TextTemplate };
}

export interface TemplateContext {
  readonly policy: Policy;
  readonly closing: DisablePolicy;
  readonly limitsOf: LimitsOf;
}

/** One attribute: a text, the texts of a map by key, or a value that is the same for all. */
type Part =
  | { readonly name: string; readonly type: 'text' }
  | { readonly name: string; readonly type: 'texts'; readonly keys: readonly string[] }
  | { readonly name: string; readonly type: 'value'; readonly value: JsonValue };

/** Undefined in the place of the pattern: such objects are planned one by one. */
interface Shape {
  readonly kind: KindDefinition;
  readonly parts: readonly Part[];
  readonly lifecycle: JsonValue;
  readonly pattern: CreationTemplate | undefined;
}

export class CreationTemplates {
  readonly #context: TemplateContext;
  readonly #patterns: CreationTemplate[] = [];
  readonly #shapes: Shape[] = [];
  readonly #parts = new TemplateValues();

  constructor(context: TemplateContext) {
    this.#context = context;
  }

  /** Of an object that is new. Undefined when it follows no pattern and has to be planned by itself. */
  find(kind: KindDefinition, resource: Resource): TemplatedCreation | undefined {
    if (kind.opaqueTexts === undefined) return undefined;
    const pattern = this.#shapeOf(kind, resource)?.pattern;
    return pattern === undefined ? undefined : { pattern, address: resource.address, parts: this.#parts };
  }

  /** Puts the parts where they are expected. */
  #shapeOf(kind: KindDefinition, resource: Resource): Shape | undefined {
    for (const shape of this.#shapes) {
      if (shape.kind === kind && readParts(shape, resource, this.#parts)) return shape;
    }
    if (this.#shapes.length === maxShapes) return undefined;
    const parts = Object.entries(resource.attributes).map(([name, value]) => partOf(kind, name, value));
    const outline = { kind, parts, lifecycle: resource.lifecycle as JsonObject };
    const isRead = readParts(outline, resource, this.#parts);
    const same = [parts, outline.lifecycle];
    const pattern = isRead ? this.#patternOf(kind, resource, withMarks(outline, resource), same) : undefined;
    const shape = { ...outline, pattern };
    this.#shapes.push(shape);
    return shape;
  }

  /** From what `shortText` gave. */
  stepOf(short: string): Step {
    return JSON.parse(this.#filled(short, 'step')) as Step;
  }

  changeOf(short: string): Change {
    return JSON.parse(this.#filled(short, 'change')) as Change;
  }

  #filled(short: string, what: keyof CreationTemplate['texts']): string {
    const [number = '', ...parts] = short.split(separator);
    return this.#patterns[Number(number.slice(shortMark.length))]?.texts[what].filled(parts) ?? '';
  }

  /**
   * Of a creation whose parts stand where they are expected, and the same with marks in their places. `same`: what it shares
   * with the others. Undefined when something about it is not known from that and its texts alone.
   */
  #patternOf(
    kind: KindDefinition,
    resource: Resource,
    withMarks: Resource,
    same: unknown,
  ): CreationTemplate | undefined {
    // A metadata key may look like a mark; what is no mark would then be filled in as one.
    if (hasPlaceholder(JSON.stringify(same))) return undefined;
    const marked = this.#created(kind, withMarks);
    const own = this.#created(kind, resource);
    if (marked === undefined || own === undefined) return undefined;
    const { request } = marked.step;
    const isCountedApart =
      request !== undefined && this.#context.limitsOf(request).some(({ name }) => hasPlaceholder(name));
    const [record, ownRecord] = [marked, own].map(({ step }) => applyEntry(undefined, step.entry));
    if (record === undefined || ownRecord === undefined) return undefined;
    const texts = {
      step: new TextTemplate(JSON.stringify(marked.step)),
      change: new TextTemplate(withMarkedPlace(JSON.stringify(marked.change))),
      record: new TextTemplate(textOfRecord(record)),
    };
    const parts = this.#parts.texts;
    const isRight =
      texts.step.filled(parts) === JSON.stringify(own.step) &&
      texts.change.filled(parts) === JSON.stringify(own.change) &&
      texts.record.filled(parts) === textOfRecord(ownRecord);
    if (isCountedApart || !isRight) return undefined;
    const pattern = { number: this.#patterns.length, kind, ...own, texts };
    this.#patterns.push(pattern);
    return pattern;
  }

  /** Undefined when it takes more than one call, or has to do with other objects. */
  #created(kind: KindDefinition, resource: Resource): Pick<CreationTemplate, 'step' | 'change'> | undefined {
    const { policy, closing } = this.#context;
    const plan = planObject(kind, resource, undefined, undefined, policy);
    if (plan === undefined || !isSingleCall(plan)) return undefined;
    const object = orderAlone(plan, closing, nothingCreated);
    const [step] = object.steps;
    return step === undefined ? undefined : { step, change: changeOf(object, []) };
  }
}

/** What a creation can be made from again. */
export function shortText({ pattern, parts: { texts } }: TemplatedCreation): string {
  let text = shortMark + pattern.number;
  for (let place = 0; place < texts.length; place += 1) text += separator + texts[place];
  return text;
}

/** As `digestOfRecord` has it, of the record that the creation makes. */
export function digestOfCreated({ pattern, parts }: TemplatedCreation): string {
  return digestText(pattern.texts.record.filled(parts.texts));
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

function partOf(kind: KindDefinition, name: string, value: JsonValue): Part {
  if (kind.opaqueTexts?.includes(name) !== true) return { name, type: 'value', value };
  if (typeof value === 'string') return { name, type: 'text' };
  const areTexts = isObject(value) && Object.values(value).every((inner) => typeof inner === 'string');
  return areTexts ? { name, type: 'texts', keys: Object.keys(value) } : { name, type: 'value', value };
}

/** False when the object is of another shape. */
function readParts({ parts, lifecycle }: Omit<Shape, 'pattern'>, resource: Resource, into: TemplateValues): boolean {
  const { attributes } = resource;
  into.isAscii = true;
  into.put(0, keyOf(resource.address));
  putPlace(resource.source, into);
  let length = ownParts;
  let place = 0;
  for (const name in attributes) {
    const part = parts[place];
    const value = attributes[name];
    place += 1;
    if (part?.name !== name || value === undefined) return false;
    length = readPart(part, value, into, length);
    if (length < 0) return false;
  }
  into.texts.length = length;
  return place === parts.length && equalJson(lifecycle, resource.lifecycle as JsonObject);
}

function putPlace({ file, line, column }: SourcePosition, into: TemplateValues): void {
  into.put(1, file);
  // Spelled the usual way it would be kept in a table of the engine's for a while: of a million lines, 40 MB pile up.
  into.texts[2] = line.toFixed(0);
  into.texts[3] = `${column}`;
}

/** The number of parts that are there now; negative when the value is another one. */
function readPart(part: Part, value: JsonValue, into: TemplateValues, length: number): number {
  if (part.type === 'value') return equalJson(part.value, value) ? length : -1;
  if (part.type === 'text') {
    if (typeof value !== 'string') return -1;
    into.put(length, value);
    return length + 1;
  }
  if (!isObject(value)) return -1;
  let place = 0;
  for (const key in value) {
    const text = value[key];
    if (part.keys[place] !== key || typeof text !== 'string') return -1;
    into.put(length + place, text);
    place += 1;
  }
  return place === part.keys.length ? length + place : -1;
}

function withMarks({ kind, parts }: Omit<Shape, 'pattern'>, { lifecycle }: Resource): Resource {
  let place = ownParts;
  const attributes = parts.map((part): [string, JsonValue] => {
    if (part.type === 'value') return [part.name, part.value];
    if (part.type === 'text') return [part.name, placeholderFor(place++)];
    return [part.name, Object.fromEntries(part.keys.map((key) => [key, placeholderFor(place++)]))];
  });
  return { ...markedPlace(kind), attributes: Object.fromEntries(attributes), lifecycle };
}

/** The line and the column are numbers, and get their marks when they are spelled. */
function markedPlace({ kind }: KindDefinition): Pick<Resource, 'address' | 'source'> {
  return { address: addressOf(kind, placeholderFor(0)), source: { file: placeholderFor(1), line: 0, column: 0 } };
}

function withMarkedPlace(text: string): string {
  const file = `"source":{"file":"${placeholderFor(1)}",`;
  return text.replace(
    `${file}"line":0,"column":0}`,
    `${file}"line":${placeholderFor(2)},"column":${placeholderFor(3)}}`,
  );
}
