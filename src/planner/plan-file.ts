// How is a plan saved and read back? As JSON; the hash inside proves that nobody edited its steps.
import { Refusal } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../model/json.ts';
import { type Plan, planFormatVersion } from '../model/plan.ts';
import { hashPlan } from './plan.ts';

export function printPlanFile(plan: Plan): string {
  return `${JSON.stringify(plan)}\n`;
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
  const plan = value as unknown as Plan;
  if (hashPlan(plan.application, [...plan.steps], plan.settings.existing) !== plan.hash) {
    throw refuse(`The steps in ${file} do not fit its hash: the file was edited or cut.`, 'Make the plan again.');
  }
  return plan;
}

/** Enough to compute the hash, which vouches for the rest. */
function hasShape({ application, settings, steps }: JsonObject): boolean {
  if (typeof application !== 'string' || !isObject(settings) || !isList(steps)) return false;
  return steps.every((step) => isObject(step) && typeof step.id === 'string');
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
