// Which steps take a live object over that a create met? Finds the kind; the planner knows the rest.

import type { JsonObject } from '../lib/json.ts';
import { kindOf } from '../model/address.ts';
import type { Step } from '../model/step.ts';
import { takeOverOf } from '../planner/diff/take-over.ts';
import { registry } from '../resources/index.ts';

export function takeOver(step: Step, live: JsonObject): readonly Step[] | undefined {
  const kind = registry.find((one) => one.kind === kindOf(step.address));
  return kind === undefined ? undefined : takeOverOf(kind, step, live);
}
