// Reads the text of a plan file line by line, because it may exceed the maximum length of a string, and checks that it was
// not edited. Any other layout is refused.

import { RunningDigest } from '../../../lib/digest.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { Collect, Collector } from '../../../lib/series.ts';
import type { ForeignForm } from '../../../lib/tools/foreign-form.ts';
import { type Address, isRunMetadata } from '../../model/address.ts';
import type { Change, Drift } from '../../model/change.ts';
import { isOtherFormat } from '../../model/documents.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import { type DraftOrigin, type PlanAsRead, planFormatVersion } from '../../model/plan.ts';
import { endName, outsideHead, planFileVersion, type SectionName, sectionMark, sectionNames } from './layout.ts';

/** The text does not have the layout of a plan file. */
export class OtherLayout extends Error {}

/** The maximum line length in characters, half of the maximum length of a string. */
const maxLine = 1 << 28;
/** The number of characters that are hashed together. */
const digestedAtOnce = 1 << 16;
const lastLine = `${sectionMark}${endName} `;

/** Takes the text in pieces, then returns the plan. `collect` stores its changes and origins. */
export class PlanFileReader {
  readonly #file: string;
  readonly #sections: PlanSections;
  readonly #checksum = new RunningDigest();
  #undigested = '';
  #rest = '';
  #head: PlanHead | undefined;
  #take: ((line: string) => void) | undefined;
  /** The checksum at the end of the file, after the last line was read. */
  #written: string | undefined;

  constructor(file: string, collect: Collect) {
    this.#file = file;
    this.#sections = new PlanSections(collect);
  }

  /** Throws `OtherLayout`, or a Refusal (exit code 6) if the plan has another format. */
  add(piece: string): void {
    if (this.#rest.length + piece.length > maxLine) throw new OtherLayout();
    this.#rest += piece;
    if (!piece.includes('\n')) return;
    const lines = this.#rest.split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#line(line);
  }

  /** Must be called after the last piece. Throws `OtherLayout`, or a Refusal (exit code 6) if the plan was edited. */
  end(): PlanAsRead {
    if (this.#rest !== '') this.add('\n');
    if (this.#head === undefined || this.#written === undefined) throw new OtherLayout();
    const plan = this.#sections.end(this.#head);
    this.#checksum.add(this.#undigested);
    if (this.#checksum.soFar('hex') !== this.#written) throw editedPlan(this.#file);
    return plan;
  }

  #line(line: string): void {
    if (this.#written !== undefined) throw new OtherLayout();
    if (line.startsWith(lastLine)) {
      this.#written = line.slice(lastLine.length);
      return;
    }
    this.#undigested += `${line}\n`;
    if (this.#undigested.length >= digestedAtOnce) {
      this.#checksum.add(this.#undigested);
      this.#undigested = '';
    }
    if (this.#head === undefined) this.#head = headIn(line, this.#file);
    else if (line.startsWith(sectionMark)) this.#take = this.#sections.begin(line.slice(sectionMark.length));
    else if (this.#take === undefined) throw new OtherLayout();
    else this.#take(line);
  }
}

type PlanHead = Pick<PlanAsRead, 'application' | 'settings' | 'hash'> & JsonObject;

class PlanSections {
  readonly #changes: Collector<Change>;
  readonly #origins: Collector<DraftOrigin>;
  readonly #drift: Collector<Drift>;
  readonly #begun = new Set<string>();

  constructor(collect: Collect) {
    this.#changes = collect();
    this.#origins = collect();
    this.#drift = collect();
  }

  /** Returns a function that takes the lines of the section. */
  begin(name: string): (line: string) => void {
    const place = (sectionNames as readonly string[]).indexOf(name);
    const isInOrder = [...this.#begun].every((begun) => sectionNames.indexOf(begun as SectionName) < place);
    if (place < 0 || !isInOrder) throw new OtherLayout();
    this.#begun.add(name);
    switch (sectionNames[place]) {
      case 'changes':
        return (line) => this.#changes.push(objectIn<Change>(line), line);
      case 'origins':
        return (line) => this.#origins.push(originIn(line), line);
      default:
        return (line) => this.#drift.push(objectIn<Drift>(line), line);
    }
  }

  end(head: PlanHead): PlanAsRead {
    if (['changes', 'origins'].some((name) => !this.#begun.has(name))) throw new OtherLayout();
    return {
      ...head,
      changes: this.#changes.end(),
      origins: this.#origins.end(),
      ...(this.#begun.has('drift') ? { drift: this.#drift.end() } : {}),
    } as unknown as PlanAsRead;
  }
}

function objectIn<T>(line: string): T {
  const value = jsonIn(line);
  if (!isObject(value)) throw new OtherLayout();
  return value as T;
}

function originIn(line: string): DraftOrigin {
  const value = objectIn<DraftOrigin>(line);
  if (typeof value.address !== 'string') throw new OtherLayout();
  return value;
}

function jsonIn(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw new OtherLayout();
  }
}

function headIn(text: string, file: string): PlanHead {
  const { file_version: version, ...head } = objectIn<JsonObject>(text);
  const { format_version, application, settings, hash, bookkeeping = [] } = head;
  if (isOtherFormat(version, planFileVersion)) throw otherFormat(version, file);
  if (isOtherFormat(format_version, planFormatVersion)) throw otherFormat(format_version, file);
  const hasTexts = [version, format_version, application, hash].every((text) => typeof text === 'string');
  if (!hasTexts || !isObject(settings) || !isList(bookkeeping) || !bookkeeping.every(isOwnEntry))
    throw new OtherLayout();
  if (Object.keys(head).some((name) => outsideHead.has(name))) throw new OtherLayout();
  return head as PlanHead;
}

/** The hash does not cover run metadata, so its entries must not affect objects. */
function isOwnEntry(entry: JsonValue): boolean {
  if (!isObject(entry) || (entry.type !== 'put' && entry.type !== 'delete')) return false;
  const owner = entry.type === 'put' ? entry.record : entry;
  return isObject(owner) && typeof owner.address === 'string' && isRunMetadata(owner.address as Address);
}

/** The refusal (exit code 6) of a plan file that another version of chatform wrote. */
export function otherFormat(version: string, file: string): Refusal {
  return refuse(
    `${file} has the plan format ${version}; this version of chatform reads ${planFileVersion}.`,
    'Make the plan and apply it with the same version of chatform.',
  );
}

/** The refusal (exit code 6) of a file that is not a plan. `form`: how another tool keeps it. */
export function notAPlan(file: string, form: ForeignForm | undefined): Refusal {
  if (form !== undefined) return refuse(`${file} is not a chatform plan: ${form.inWords}.`, `${form.advice}.`);
  return refuse(`${file} is not a chatform plan.`, 'Create one with: chatform plan --out plan.chatform');
}

/** The refusal (exit code 6) of a plan whose origins make other changes than it shows, or other steps than its hash covers. */
export function unprovenPlan(file: string): Refusal {
  return refuse(
    `${file} does not do what it shows. Its parts disagree, or another version of chatform made it.`,
    'Do not approve it. Make the plan again.',
  );
}

/** The refusal (exit code 6) of a plan that was edited. */
export function editedPlan(file: string): Refusal {
  return refuse(
    `${file} does not match its checksum. The file was edited, reformatted or truncated.`,
    'Make the plan again.',
  );
}

function refuse(message: string, advice: string): Refusal {
  return new Refusal('plan.unreadable', exitCode.conflict, message, advice);
}
