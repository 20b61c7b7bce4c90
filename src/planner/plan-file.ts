// How is a plan saved and read back? As JSON. The hash inside proves that its steps are the approved ones; the checksum at
// its end that nobody edited the rest: what people read, and the digests by which done steps are told.
import type { Address } from '../model/address.ts';
import { isBookkeeping } from '../model/bookkeeping.ts';
import { digestText, TextDigest } from '../model/digest.ts';
import { Refusal } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../model/json.ts';
import { type Plan, planFormatVersion } from '../model/plan.ts';
import { hashPlan } from './plan-hash.ts';

/** In pieces, a line for each change and step: the text of a large plan is longer than a text may be. */
export function* printPlanFile(plan: Plan): Generator<string> {
  const digest = new TextDigest();
  for (const piece of document(plan)) {
    digest.add(piece);
    yield piece;
  }
  digest.add('}');
  yield `,"checksum":"${digest.end()}"}\n`;
}

/** All but the brace that ends it. */
function* document({ changes, steps, drift, preconditions, live, ...rest }: Plan): Generator<string> {
  yield JSON.stringify(rest).slice(0, -1);
  yield* list('changes', changes);
  yield* list('steps', steps);
  if (drift !== undefined) yield* list('drift', drift);
  yield* members('preconditions', preconditions);
  if (live !== undefined) yield* members('live', live);
}

function* list(name: string, values: Iterable<unknown>): Generator<string> {
  let before = `,\n"${name}":[\n`;
  for (const value of values) {
    yield before + JSON.stringify(value);
    before = ',\n';
  }
  yield before.startsWith(',\n"') ? `,\n"${name}":[]` : '\n]';
}

function* members(name: string, entries: Iterable<readonly [string, unknown]>): Generator<string> {
  let before = `,\n"${name}":{\n`;
  for (const [key, value] of entries) {
    yield `${before}${JSON.stringify(key)}:${JSON.stringify(value)}`;
    before = ',\n';
  }
  yield before.startsWith(',\n"') ? `,\n"${name}":{}` : '\n}';
}

/** Refused (6) when the text is no plan, of a newer format, or edited since it was made. */
export function readPlanFile(text: string, file: string): Plan {
  const value = parse(text, file);
  const version = isObject(value) ? value.format_version : undefined;
  if (!isObject(value) || typeof version !== 'string') throw notOne(file);
  if (version.split('.')[0] !== planFormatVersion.split('.')[0]) {
    throw refuse(
      `${file} has the plan format ${version}; this version of chatform reads ${planFormatVersion}.`,
      'Make the plan and apply it with the same version of chatform.',
    );
  }
  if (!hasShape(value)) throw notOne(file);
  const { checksum: _checked, ...rest } = value;
  const { preconditions, live } = rest;
  const plan = {
    ...rest,
    preconditions: Object.entries(isObject(preconditions) ? preconditions : {}),
    ...(isObject(live) ? { live: Object.entries(live) } : {}),
  } as unknown as Plan;
  if (hashPlan(plan.application, plan.steps, plan.settings.existing) !== plan.hash) {
    throw refuse(`The steps in ${file} do not fit its hash: the file was edited or cut.`, 'Make the plan again.');
  }
  if (!fitsChecksum(text)) {
    throw refuse(
      `${file} does not fit its checksum: the file was edited, laid out anew or cut.`,
      'Make the plan again.',
    );
  }
  return plan;
}

function fitsChecksum(text: string): boolean {
  const end = /,"checksum":"([0-9a-f]{64})"\}\s*$/u.exec(text);
  return end !== null && digestText(`${text.slice(0, end.index)}}`) === end[1];
}

/** Enough to compute the hash, which vouches for the rest. */
function hasShape({ application, settings, steps, bookkeeping = [] }: JsonObject): boolean {
  if (typeof application !== 'string' || !isObject(settings) || !isList(steps)) return false;
  if (!isList(bookkeeping) || !bookkeeping.every(isOwnEntry)) return false;
  return steps.every((step) => isObject(step) && typeof step.id === 'string');
}

/** The hash does not cover them, so they may say nothing of an object. */
function isOwnEntry(entry: JsonValue): boolean {
  if (!isObject(entry) || (entry.type !== 'put' && entry.type !== 'delete')) return false;
  const owner = entry.type === 'put' ? entry.record : entry;
  return isObject(owner) && typeof owner.address === 'string' && isBookkeeping(owner.address as Address);
}

function parse(text: string, file: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (cause) {
    throw refuse(`${file} is not a chatform plan: it is no JSON.`, 'Make one with: chatform plan --out FILE', cause);
  }
}

function notOne(file: string): Refusal {
  return refuse(`${file} is not a chatform plan.`, 'Make one with: chatform plan --out FILE');
}

function refuse(message: string, advice: string, cause?: unknown): Refusal {
  return new Refusal('plan.unreadable', exitCode.conflict, message, advice, { cause });
}
