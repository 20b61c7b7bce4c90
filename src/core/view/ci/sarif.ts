// Reports problems and plans to code scanning, as SARIF 2.1.0.
import type { Diagnostic, Severity } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import { compareDiagnostics } from '../../model/sorted-diagnostics.ts';
import { firstThatFit, utf8Length } from '../text/budget.ts';
import type { ViewOptions } from '../text/options.ts';
import { safe, safeJson, safeLines } from '../text/text.ts';
import { findingsOf, repositoryPath } from './findings.ts';

/** GitHub shows this many results of an upload. */
const maxResults = 5_000;
const levels: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', note: 'note' };

export function diagnosticsAsSarif(
  diagnostics: readonly Diagnostic[],
  options: Pick<ViewOptions, 'maxBytes' | 'folder'> = {},
): Generator<string> {
  return sarifOf([...diagnostics].sort(compareDiagnostics), diagnostics.length, undefined, options);
}

/** Yields the first 5,000 dangers, warnings and drift as results, then the number of the others. */
export function* planAsSarif(plan: Plan, options: ViewOptions): Generator<string> {
  const first: Diagnostic[] = [];
  let total = 0;
  for (const finding of findingsOf(plan, options)) {
    total += 1;
    if (first.length < maxResults) first.push(finding);
  }
  yield* sarifOf(first, total, plan, options);
}

function* sarifOf(
  findings: readonly Diagnostic[],
  total: number,
  plan: Plan | undefined,
  { maxBytes, folder: folderOf }: Pick<ViewOptions, 'maxBytes' | 'folder'>,
): Generator<string> {
  const summaries = new Map(findings.map(({ code, summary }) => [code, summary]));
  const folder = folderOf?.();
  const codes = [...summaries.keys()];
  const ruleIndex = new Map(codes.map((code, at) => [code, at]));
  const somewhere = fileAmong(findings, plan);
  const results = findings.map((finding) => ({
    ruleId: finding.code,
    ruleIndex: ruleIndex.get(finding.code) ?? -1,
    level: levels[finding.severity],
    message: { text: withoutLinks(safeLines(finding.detail).join('\n')) },
    locations: locationsOf(finding, somewhere, folder),
  }));
  const print = (shown: readonly object[]) =>
    `${safeJson(
      {
        $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
        version: '2.1.0',
        runs: [
          {
            tool: {
              driver: {
                name: 'chatform',
                rules: codes.map((code) => ({
                  id: code,
                  shortDescription: { text: safe(summaries.get(code) ?? code) },
                })),
              },
            },
            columnKind: 'utf16CodeUnits',
            results: shown,
            ...(total > shown.length ? { properties: { omitted_results: total - shown.length } } : {}),
          },
        ],
      },
      2,
    )}\n`;
  if (maxBytes === undefined) yield print(results);
  else {
    const texts = results.map((result) => `${safeJson([[[result]]], 2)}`.replaceAll('\n', '\n  '));
    const fitting = firstThatFit(texts, maxBytes - utf8Length(print([])) - 60, 2);
    yield print(results.slice(0, fitting.length));
  }
}

/** Escapes `[text](address)`, which SARIF would turn into a link, because the text comes from outside. */
function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}

/** Code scanning refuses an upload if one result has no file. Objects removed from the manifest are shown at this one. */
function fileAmong(findings: readonly Diagnostic[], plan: Plan | undefined): string | undefined {
  const found = findings.find(({ source }) => source !== undefined)?.source?.file;
  if (found !== undefined || plan === undefined) return found;
  for (const { source } of plan.changes) if (source !== undefined) return source.file;
  return undefined;
}

function locationsOf(
  { source, address, excerpt }: Diagnostic,
  somewhere: string | undefined,
  folder: string | undefined,
): object[] {
  const file = source?.file ?? somewhere;
  if (file === undefined && address === undefined) return [];
  const snippet = excerpt === undefined ? {} : { snippet: { text: safe(excerpt.replaceAll('\t', '  ')) } };
  const region =
    source === undefined ? { startLine: 1 } : { startLine: source.line, startColumn: source.column, ...snippet };
  return [
    {
      ...(file === undefined
        ? {}
        : { physicalLocation: { artifactLocation: { uri: uriOf(repositoryPath(file, folder)) }, region } }),
      ...(address === undefined ? {} : { logicalLocations: [{ fullyQualifiedName: safe(address) }] }),
    },
  ];
}

/** A relative reference: parts are encoded, slashes kept, lone surrogates replaced. */
function uriOf(file: string): string {
  return file
    .replace(/\p{Cs}/gu, '\u{fffd}')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
}
