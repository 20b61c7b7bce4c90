// Generates schema/diagnostics.md: the codes that a run can print, and what each means.

import { compareText } from '../../lib/json.ts';
import { type ManifestCode, summaries } from '../../manifest/checks/codes.ts';
import { manifestCodes } from './manifest-codes.ts';
import { code, page, table } from './markdown.ts';
import { runCodes } from './run-codes.ts';

const head = ['Code', 'What happened', 'What it means, and what to do', 'For example'];
const families: Readonly<Record<string, string>> = {
  manifest: 'Manifests',
  plan: 'Plans',
  safety: 'Safety rules',
  state: 'State',
  online: 'validate --online',
};

export function diagnosticsPage(): string {
  const manifest = Object.entries(manifestCodes).map(([name, [meaning, example]]) => [
    code(name),
    summaries[name as ManifestCode],
    meaning,
    example,
  ]);
  const run = Object.entries(runCodes).map(([name, words]) => [code(name), ...words]);
  const rows = [...manifest, ...run].sort(([left = ''], [right = '']) => compareText(left, right));
  const familyOf = ([name = '']: readonly string[]) => families[name.slice(1, name.indexOf('.'))] ?? 'Everything else';
  const parts = [...new Set([...Object.values(families), 'Everything else'])].flatMap((title) => [
    `## ${title}`,
    table(
      head,
      rows.filter((row) => familyOf(row) === title),
    ),
  ]);
  const opening =
    'Every problem, refusal and remark has a code, which is stable and never used for anything else. Problems of manifests are errors unless the table says otherwise, all are reported in one run, each with its file, line and column.';
  return page('Diagnostics', opening, parts);
}
