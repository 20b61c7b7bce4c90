// Hides values that look like secrets in plans and reports. They appear as the start of a digest, so that a reviewer still sees that
// one changed.

import { digestText } from '../../../lib/digest.ts';
import type { JsonValue } from '../../../lib/json.ts';
import { hashPrefix, withoutSecrets } from '../../../lib/patterns/secret-values.ts';
import { MappedSeries } from '../../../lib/series.ts';
import type { AttributeChange, Change, Drift, StoredValue } from '../../model/change.ts';
import type { ExplainedAttribute, ObjectExplanation } from '../../model/explanation.ts';
import type { Plan } from '../../model/plan.ts';
import type { ApplyReport } from '../../model/report.ts';

/** In hexadecimal digits. */
const shownLength = 12;

/** Changes are altered when they are read, not copied. */
export function hideSecretsOfPlan(plan: Plan): Plan {
  return {
    ...plan,
    changes: new MappedSeries(plan.changes, hideInChange),
    ...(plan.drift === undefined ? {} : { drift: new MappedSeries(plan.drift, hideSecretsOfDrift) }),
  };
}

export function hideSecretsOfDrift(drift: Drift): Drift {
  return { ...drift, attributes: drift.attributes.map(hideInAttribute) };
}

export function hideSecretsOfStored<Value extends StoredValue>(value: Value): Value {
  const { path, sent, stored } = value;
  return {
    ...value,
    sent: hidden(sent, path),
    ...(stored === undefined ? {} : { stored: hidden(stored, path) }),
  };
}

export function hideSecretsOfReport(report: ApplyReport): ApplyReport {
  const { stored_otherwise: stored } = report;
  if (stored === undefined) return report;
  return { ...report, stored_otherwise: { ...stored, values: stored.values.map(hideSecretsOfStored) } };
}

export function hideSecretsOfExplanation(explanation: ObjectExplanation): ObjectExplanation {
  const { attributes, change, drift } = explanation;
  return {
    ...explanation,
    attributes: attributes.map(hideInExplained),
    ...(change === undefined ? {} : { change: hideInChange(change) }),
    drift: drift.map(hideSecretsOfDrift),
  };
}

function hideInChange(change: Change): Change {
  return { ...change, attributes: change.attributes.map(hideInAttribute) };
}

function hideInAttribute(attribute: AttributeChange): AttributeChange {
  const { path, before, after } = attribute;
  return {
    ...attribute,
    ...(before === undefined ? {} : { before: hidden(before, path) }),
    ...(after === undefined ? {} : { after: hidden(after, path) }),
  };
}

function hideInExplained(attribute: ExplainedAttribute): ExplainedAttribute {
  const { name, declared, remembered, live } = attribute;
  return {
    ...attribute,
    ...(declared === undefined ? {} : { declared: hidden(declared, [name]) }),
    ...(remembered === undefined ? {} : { remembered: hidden(remembered, [name]) }),
    ...(live === undefined ? {} : { live: hidden(live, [name]) }),
  };
}

function hidden(value: JsonValue, path: readonly string[]): JsonValue {
  return withoutSecrets(value, path, (secret) => `${hashPrefix}${digestText(secret).slice(0, shownLength)}`);
}
