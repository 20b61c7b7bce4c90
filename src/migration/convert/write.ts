// Writes what a conversion generates: manifests, the ledger's reports, and proposals for the decisions.

import type { ConversionReport } from '../../core/model/conversion.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { StagedFiles } from '../../lib/staging/staged-files.ts';
import type { Conversion } from './convert.ts';
import { printedTime } from './coverage-file.ts';
import { printedRange } from './export/coverage.ts';
import { reasons } from './export/reasons.ts';

/** The number of objects above which rows replace YAML, as the loader advises. */
const manyInYaml = 10_000;

/** People without a row, in the format of the file of identities. */
const missingFile = 'conversion/missing-identities.csv';

/** The printer of manifests, which belongs to another layer. */
export interface ManifestPrinter {
  /** One section with its objects. */
  objects(section: string, objects: Iterable<readonly [string, JsonObject]>): string;
  /** Rows and history files in other files. */
  sources(sources: readonly JsonObject[]): string;
}

/** Writes into the staged files. The caller commits them and writes the report. */
export function writeConversion(
  conversion: Conversion,
  title: string,
  files: StagedFiles,
  print: ManifestPrinter,
): ConversionReport {
  const sources: JsonObject[] = [];
  const section = (
    kind: string,
    name: string,
    keyName: string,
    objects: readonly (readonly [string, JsonObject])[],
  ): void => {
    if (objects.length === 0) return;
    if (objects.length <= manyInYaml) {
      files.append(`${name}.yaml`, print.objects(name, objects));
      return;
    }
    const file = `data/${name}.ndjson`;
    for (const [key, attributes] of objects)
      files.append(file, `${JSON.stringify({ [keyName]: key, ...attributes })}\n`);
    sources.push({ kind, file });
  };
  const users = [...conversion.users];
  section('user', 'users', 'user_id', users);
  for (const kind of ['open_channel', 'group_channel'] as const) {
    const ofKind = conversion.channels.filter((channel) => channel.kind === kind);
    section(
      kind,
      `${kind}s`,
      'channel_url',
      ofKind.map(({ url, attributes }) => [url, attributes] as const),
    );
  }
  const threads = conversion.threads === undefined ? {} : { threads: 'send' };
  for (const file of conversion.historyFilePatterns) sources.push({ kind: 'messages', file, ...threads });
  if (sources.length > 0) files.append('sources.yaml', print.sources(sources));
  const missing = conversion.identities?.missing ?? [];
  if (missing.length > 0)
    files.append(
      missingFile,
      csvOf(
        ['id', 'user_id'],
        missing.map(({ id, userId }) => [id, userId]),
      ),
    );
  const { tally, losses, channels, messages, historyFiles, covered, older, assumedLater, noLongerThere } = conversion;
  const explained = tally.reasons.map((reason) => ({ ...reason, ...reasons[reason.code] }));
  return {
    title,
    users: users.length,
    channels: channels.length,
    messages,
    historyFiles,
    lines: tally.lines,
    outcomes: tally.outcomes,
    losses,
    ...(conversion.threads === undefined ? {} : { threads: conversion.threads }),
    unordered: conversion.unordered,
    attachments: conversion.fileFigures,
    covered:
      covered === undefined
        ? undefined
        : {
            first: new Date(covered.first).toISOString(),
            last: new Date(covered.last).toISOString(),
            ...(covered.declared === undefined ? {} : { declared: printedRange(covered.declared) }),
          },
    kinds: conversion.kinds,
    declared: channels
      .map(({ url, attributes }) => ({
        url,
        name: typeof attributes.name === 'string' ? attributes.name : '',
        messages: conversion.messagesOf.get(url) ?? 0,
      }))
      .sort((left, right) => right.messages - left.messages),
    identities: conversion.identities,
    older: older && { ...older, newest: printedTime(older.newest) },
    assumedLater,
    noLongerThere,
    reasons: explained,
    fields: conversion.droppedFields.map(({ kind, name, rows, why }) => ({ field: `${kind}.${name}`, rows, why })),
    notes: conversion.notes,
    undecided: explained.filter(({ code }) => conversion.undecided.includes(code)),
  };
}

function csvOf(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  return [header.join(','), ...rows.map((row) => row.map(cell).join(','))].map((row) => `${row}\n`).join('');
}
