// The results of commands as documents (core/model/documents.ts).

import type { BehavioursFile } from '../../model/behaviours.ts';
import {
  type AdoptionDocument,
  type ExaminationDocument,
  type ExportDocument,
  resultFormatVersion as format_version,
  type RehearsalDocument,
  type ValidationDocument,
} from '../../model/documents.ts';
import type { Adopted, ApplyReport, Exported, Rehearsed, Validated } from '../../model/report.ts';
import { diagnosticsDocument } from './diagnostics.ts';

export function validationDocument({ isValid, diagnostics, objects, files, state }: Validated): ValidationDocument {
  const declared = state === undefined ? {} : { state };
  return { ...diagnosticsDocument(diagnostics), valid: isValid, objects, files: files.length, ...declared };
}

export function adoptionDocument({ objects, missing, unread }: Adopted): AdoptionDocument {
  return { format_version, adopted: [...objects], missing, unread };
}

export function rehearsalDocument({ report, nextSteps, missing, stopped, lanes, kinds }: Rehearsed): RehearsalDocument {
  const { started_at: _started, finished_at: _finished, diagnostics: _ofPlan, ...rest } = report;
  return {
    ...rest,
    ...(stopped === undefined ? {} : { stopped }),
    limited: limitedOf(report),
    next_plan_steps: nextSteps,
    not_simulated: missing,
    schedule: lanes,
    state: kinds,
  };
}

/** Responses with 429. */
export function limitedOf({ requests }: ApplyReport): number {
  return requests.reduce((sum, { limited }) => sum + limited, 0);
}

export function exportDocument(exported: Exported): ExportDocument {
  const { files, counts, messages, leftOut, hosts, requests, price, continued, selected } = exported;
  const objects = Object.fromEntries(counts.map(({ section, count }) => [section, count]));
  return {
    format_version,
    files,
    objects,
    messages,
    left_out: leftOut,
    hosts,
    requests,
    ...(price === undefined ? {} : { price }),
    continued,
    ...(selected === undefined ? {} : { selected }),
  };
}

export function examinationDocument({
  behaviours,
  calls,
  durationMs,
  left,
}: {
  readonly behaviours: BehavioursFile;
  readonly calls: number;
  readonly durationMs: number;
  readonly left: ExaminationDocument['left'];
}): ExaminationDocument {
  return { ...behaviours, calls, duration_s: durationMs / 1000, left };
}
