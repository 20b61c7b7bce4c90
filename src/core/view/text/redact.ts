// Hides personal data in plans, runs and reports with --redact. Values that look like secrets are hidden in any case.

import { MappedSeries } from '../../../lib/series.ts';
import type { Drift } from '../../model/change.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ApplyEvent } from '../../model/event.ts';
import type { MigrationReport } from '../../model/migration-report.ts';
import type { Plan } from '../../model/plan.ts';
import type { ApplyReport } from '../../model/report.ts';
import type { CheckedSignature } from '../../model/signing/signature.ts';
import { hideSecretsOfDrift, hideSecretsOfReport, hideSecretsOfStored } from './hidden-secrets.ts';
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
  return redacted(report, options, (redactor) => ({
    ...report,
    by: redactor.actor(report.by),
    channels: report.channels.map(({ name, ...channel }) =>
      name === undefined ? channel : { ...channel, name: redactor.hide(name) },
    ),
  }));
}
