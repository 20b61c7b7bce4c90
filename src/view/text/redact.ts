// Hides personal data in plans, runs and reports with --redact, and values that look like secrets in any case: these appear as the start
// of a digest, so that a reviewer still sees that one changed.

import { digestText } from '../../lib/digest.ts';
import type { JsonValue } from '../../lib/json.ts';
import { hashPrefix, withoutSecrets } from '../../lib/patterns/secret-values.ts';
import { MappedSeries } from '../../lib/series.ts';
import type { AttributeChange, Change, Drift, StoredValue } from '../../model/change.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ApplyEvent } from '../../model/event.ts';
import type { ExplainedAttribute, ObjectExplanation } from '../../model/explanation.ts';
import type { MigrationReport } from '../../model/migration-report.ts';
import type { Plan } from '../../model/plan.ts';
import type { ApplyReport } from '../../model/report.ts';
import type { CheckedSignature } from '../../model/signing/signature.ts';
import type { ViewOptions } from './options.ts';
import { Redactor } from './redactor.ts';

/** What decides whether and how personal data is hidden. */
type Redaction = Pick<ViewOptions, 'redactionKey' | 'impersonal'>;

/** The value, with personal data hidden if the options ask for it. */
function redacted<T>(value: T, { redactionKey, impersonal }: Redaction, hide: (redactor: Redactor) => T): T {
  return redactionKey === undefined ? value : hide(new Redactor(redactionKey, impersonal));
}

/** Changes are altered when they are read, not copied. */
export function redactPlan(plan: Plan, options: Redaction): Plan {
  return redacted(plan, options, (redactor) => ({
    ...plan,
    duration: redactor.duration(plan.duration),
    changes: new MappedSeries(plan.changes, (change) => redactor.change(change)),
    warnings: plan.warnings.map((warning) => redactor.diagnostic(warning)),
    ...(plan.stages === undefined ? {} : { stages: plan.stages.map((stage) => redactor.stage(stage)) }),
    ...(plan.drift === undefined ? {} : { drift: new MappedSeries(plan.drift, (drift) => redactor.drift(drift)) }),
    ...(plan.unmanaged === undefined ? {} : { unmanaged: redactor.unmanaged(plan.unmanaged) }),
  }));
}

export function redactDrift(drift: readonly Drift[], options: Redaction): readonly Drift[] {
  const shown = drift.map(hideSecretsOfDrift);
  return redacted(shown, options, (redactor) => shown.map((item) => redactor.drift(item)));
}

export function redactDiagnostics(diagnostics: readonly Diagnostic[], options: Redaction): readonly Diagnostic[] {
  return redacted(diagnostics, options, (redactor) => diagnostics.map((diagnostic) => redactor.diagnostic(diagnostic)));
}

export function redactSignature(signature: CheckedSignature, options: Redaction): CheckedSignature {
  return redacted(signature, options, (redactor) => {
    return signature.counts
      ? { counts: true, ...redactor.signature(signature) }
      : { ...signature, message: redactor.hide(signature.message) };
  });
}

/** Hides a whole text, for texts that may contain anything, such as the platform's messages. */
export function hiding(options: Redaction): (text: string) => string {
  return redacted(
    (text) => text,
    options,
    (redactor) => (text) => redactor.hide(text),
  );
}

export function redactEvent(event: ApplyEvent, options: Redaction): ApplyEvent {
  const shown = 'sent' in event ? { ...event, ...hideSecretsOfStored(event) } : event;
  return redacted(shown, options, (redactor) => redactor.event(shown));
}

export function redactReport(report: ApplyReport, options: Redaction): ApplyReport {
  const shown = hideSecretsOfReport(report);
  return redacted(shown, options, (redactor) => redactor.report(shown));
}

export function redactMigration(report: MigrationReport, options: Redaction): MigrationReport {
  const { by } = report;
  return redacted(report, options, (redactor) => ({
    ...report,
    ...(by === undefined ? {} : { by: redactor.actor(by) }),
    channels: report.channels.map(({ name, ...channel }) =>
      name === undefined ? channel : { ...channel, name: redactor.hide(name) },
    ),
  }));
}

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

function hideSecretsOfDrift(drift: Drift): Drift {
  return { ...drift, attributes: drift.attributes.map(hideInAttribute) };
}

function hideSecretsOfStored<Value extends StoredValue>(value: Value): Value {
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
