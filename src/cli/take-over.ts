// Which steps take a live object over that a create met? Finds the kind; the planner knows the rest.
import { kindOf } from '../model/address.ts';
import type { JsonObject } from '../model/json.ts';
import type { Step } from '../model/step.ts';
import { adoptionOf } from '../planner/adopt.ts';
import { registry } from '../resources/index.ts';

export function takeOver(step: Step, live: JsonObject): readonly Step[] | undefined {
  const kind = registry.find((one) => one.kind === kindOf(step.address));
  return kind === undefined ? undefined : adoptionOf(kind, step, live);
}
