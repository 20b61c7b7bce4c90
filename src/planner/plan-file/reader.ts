// Reads a plan file line by line, because it may be longer than a string may be, and checks that nobody edited it.
//
// A plan file is JSON in one layout (print.ts): a first line with the small fields, then sections with a line for each
// change, step or object. Any other layout is refused; `whyOtherwise` gives the reason. An accepted file is valid JSON as
// a whole: each line is, and exactly the right commas and brackets stand between them.

import { TextDigest } from '../../lib/digest.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import type { Collect, Collector } from '../../lib/series.ts';
import type { Address } from '../../model/address.ts';
import type { Change, Drift } from '../../model/change.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import { type LiveCondition, type Plan, planFormatVersion } from '../../model/plan.ts';
import { isRunMetadata } from '../../model/run-metadata.ts';
import type { Step } from '../../model/step.ts';
import { hashOf, hashPlan, PlanDigests } from './hash.ts';

/** The text does not have the layout of a plan file. */
export class OtherLayout extends Error {}

/** Characters that are hashed together. */
const digestedAtOnce = 1 << 16;
/** Characters: half of what a string may hold. */
const maxLine = 1 << 28;
const ending = /,"checksum":"([0-9a-f]{64})"\}$/u;
/** The begin of a section; an empty one ends on the same line. */
const opening = /^"([a-z]+)":([[{])(?:([\]}]),?)?$/u;
/** White space of JSON, which may follow the end. */
const blank = /^[ \t\r]*$/u;

/** Takes the text in pieces, then returns the plan; `collect` keeps its steps and changes. */
export class PlanFileReader {
  readonly #file: string;
  readonly #sections: Sections;
  readonly #checksum = new TextDigest();
  #undigested = '';
  #rest = '';
  #head: Head | undefined;
  #open: Section | undefined;
  /** Did the previous line end with a comma? Undefined at the begin of the file and of a section. */
  #comma: boolean | undefined;
  /** The checksum with which the file ends; known when its last line was read. */
  #written: string | undefined;

  constructor(file: string, collect: Collect) {
    this.#file = file;
    this.#sections = new Sections(collect);
  }

  /** Throws `OtherLayout`, or a refusal (exit code 6) when the plan has another format. */
  add(piece: string): void {
    if (this.#rest.length + piece.length > maxLine) throw new OtherLayout();
    this.#rest += piece;
    if (!piece.includes('\n')) return;
    const lines = this.#rest.split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#line(line);
  }

  /** To be called after the last piece. Throws `OtherLayout`, or a refusal (6) when the plan was edited since it was made. */
  end(): Plan {
    if (this.#rest !== '') this.add('\n');
    if (this.#head === undefined || this.#written === undefined) throw new OtherLayout();
    const { hash, plan } = this.#sections.end(this.#head);
    if (hash !== plan.hash) {
      throw refuse(
        `The steps in ${this.#file} do not fit its hash: the file was edited or cut.`,
        'Make the plan again.',
      );
    }
    this.#checksum.add(`${this.#undigested}}`);
    if (this.#checksum.end() !== this.#written) throw edited(this.#file);
    return plan;
  }

  #line(line: string): void {
    if (this.#written !== undefined) {
      if (!blank.test(line)) throw new OtherLayout();
      return;
    }
    const isEntry = this.#open !== undefined && !line.startsWith(this.#open.end);
    const end = isEntry ? null : ending.exec(line);
    const text = end === null ? line : line.slice(0, end.index);
    this.#undigested += end === null ? `${line}\n` : text;
    if (this.#undigested.length >= digestedAtOnce) {
      this.#checksum.add(this.#undigested);
      this.#undigested = '';
    }
    this.#written = end?.[1];
    const hasComma = text.endsWith(',');
    const own = hasComma ? text.slice(0, -1) : text;
    // No comma stands before the end of a section; before everything else there is one.
    const isEnd = this.#open !== undefined && !isEntry;
    if (this.#comma === isEnd) throw new OtherLayout();
    this.#comma = hasComma;
    if (this.#head === undefined) this.#head = headIn(`${own}}`, this.#file);
    else if (isEntry) this.#open?.take(own);
    else if (this.#open === undefined) this.#begin(text);
    else if (own.length === 1) this.#open = undefined;
    else throw new OtherLayout();
    if (end !== null && (hasComma || this.#open !== undefined)) throw new OtherLayout();
  }

  #begin(text: string): void {
    const [, name = '', start, end] = opening.exec(text) ?? [];
    const section = this.#sections.begin(name);
    if (start !== section.start || (end ?? section.end) !== section.end) throw new OtherLayout();
    if (end !== undefined) return;
    this.#open = section;
    this.#comma = undefined;
  }
}

type Head = Pick<Plan, 'application' | 'settings' | 'hash'> & JsonObject;

interface Section {
  readonly start: '[' | '{';
  readonly end: ']' | '}';
  /** `line`: without the comma that ends it. */
  take(line: string): void;
}

/** The sections, each collected by itself. */
class Sections {
  readonly #changes: Collector<Change>;
  readonly #steps: Collector<Step>;
  readonly #digests = new PlanDigests();
  readonly #preconditions: Collector<readonly [Address, readonly string[]]>;
  readonly #needed: Collector<readonly [Address, readonly Address[]]>;
  readonly #drift: Collector<Drift>;
  readonly #live: Collector<readonly [Address, readonly LiveCondition[]]>;
  readonly #begun = new Set<string>();

  constructor(collect: Collect) {
    this.#changes = collect();
    this.#steps = collect();
    this.#preconditions = collect();
    this.#needed = collect();
    this.#drift = collect();
    this.#live = collect();
  }

  begin(name: string): Section {
    if (this.#begun.has(name)) throw new OtherLayout();
    this.#begun.add(name);
    switch (name) {
      case 'changes':
        return listOf((line) => this.#changes.push(objectIn<Change>(line), line));
      case 'steps':
        return listOf((line) => this.#step(line));
      case 'preconditions':
        return membersOf((line) => this.#preconditions.push(memberIn(line)));
      case 'needed':
        return membersOf((line) => this.#needed.push(memberIn(line)));
      case 'drift':
        return listOf((line) => this.#drift.push(objectIn<Drift>(line), line));
      case 'live':
        return membersOf((line) => this.#live.push(memberIn(line)));
      default:
        throw new OtherLayout();
    }
  }

  /** `hash`: of the steps in the file. */
  end(head: Head): { readonly plan: Plan; readonly hash: string } {
    if (['changes', 'steps', 'preconditions'].some((name) => !this.#begun.has(name))) throw new OtherLayout();
    const { application } = head;
    const { existing = 'refuse' } = head.settings;
    const steps = this.#steps.end();
    const digests = this.#digests.end();
    const plan = {
      ...head,
      changes: this.#changes.end(),
      steps,
      preconditions: this.#preconditions.end(),
      ...(this.#begun.has('needed') ? { needed: this.#needed.end() } : {}),
      ...(this.#begun.has('drift') ? { drift: this.#drift.end() } : {}),
      ...(this.#begun.has('live') ? { live: this.#live.end() } : {}),
    } as unknown as Plan;
    const hash =
      digests === undefined ? hashPlan(application, steps, existing) : hashOf(application, existing, digests);
    return { plan, hash };
  }

  #step(line: string): void {
    const step = objectIn<Step>(line);
    if (typeof step.id !== 'string') throw new OtherLayout();
    this.#digests.add(step, line);
    this.#steps.push(step, line);
  }
}

function listOf(take: Section['take']): Section {
  return { start: '[', end: ']', take };
}

function membersOf(take: Section['take']): Section {
  return { start: '{', end: '}', take };
}

function objectIn<T>(line: string): T {
  const value = jsonIn(line);
  if (!isObject(value)) throw new OtherLayout();
  return value as T;
}

/** A line of an object: its key and its value. */
function memberIn<T>(line: string): readonly [Address, T] {
  const [member, ...others] = Object.entries(objectIn<Record<Address, T>>(`{${line}}`));
  if (member === undefined || others.length > 0) throw new OtherLayout();
  return member as [Address, T];
}

function jsonIn(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw new OtherLayout();
  }
}

function headIn(text: string, file: string): Head {
  const head = objectIn<JsonObject>(text);
  const other = ofOtherFormat(head, file);
  if (other !== undefined) throw other;
  const { format_version, application, settings, hash, bookkeeping = [] } = head;
  const hasTexts = [format_version, application, hash].every((text) => typeof text === 'string');
  if (!hasTexts || !isObject(settings) || !isList(bookkeeping) || !bookkeeping.every(isOwnEntry))
    throw new OtherLayout();
  // In the first line, the optional sections would pass unchecked.
  if (['drift', 'needed', 'live'].some((name) => Object.hasOwn(head, name))) throw new OtherLayout();
  return head as Head;
}

/** The hash does not cover run metadata, so its entries must not concern an object. */
function isOwnEntry(entry: JsonValue): boolean {
  if (!isObject(entry) || (entry.type !== 'put' && entry.type !== 'delete')) return false;
  const owner = entry.type === 'put' ? entry.record : entry;
  return isObject(owner) && typeof owner.address === 'string' && isRunMetadata(owner.address as Address);
}

/** The refusal (exit code 6) of a text without the layout of a plan file. `text` is absent when it is too long for a string. */
export function whyOtherwise(text: string | undefined, file: string): Refusal {
  if (text === undefined) return edited(file);
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (cause) {
    return refuse(`${file} is not a chatform plan: it is no JSON.`, 'Make one with: chatform plan --out FILE', cause);
  }
  if (!isObject(value)) return notOne(file);
  const { format_version, application, settings, steps } = value;
  const other = ofOtherFormat(value, file);
  if (other !== undefined) return other;
  const isOne = [format_version, application].every((text) => typeof text === 'string');
  return isOne && isObject(settings) && isList(steps) ? edited(file) : notOne(file);
}

function ofOtherFormat({ format_version: version }: JsonObject, file: string): Refusal | undefined {
  if (typeof version !== 'string' || version.split('.')[0] === planFormatVersion.split('.')[0]) return undefined;
  return refuse(
    `${file} has the plan format ${version}; this version of chatform reads ${planFormatVersion}.`,
    'Make the plan and apply it with the same version of chatform.',
  );
}

function notOne(file: string): Refusal {
  return refuse(`${file} is not a chatform plan.`, 'Make one with: chatform plan --out FILE');
}

function edited(file: string): Refusal {
  return refuse(
    `${file} does not fit its checksum: the file was edited, laid out anew or cut.`,
    'Make the plan again.',
  );
}

function refuse(message: string, advice: string, cause?: unknown): Refusal {
  return new Refusal('plan.unreadable', exitCode.conflict, message, advice, { cause });
}
