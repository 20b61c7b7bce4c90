// Reports problems and plans to code scanning, as SARIF 2.1.0.
import type { Address } from '../../model/address.ts';
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
  return sarifOf([...diagnostics].sort(compareDiagnostics), diagnostics.length, options);
}

/**
 * Yields the first 5,000 dangers, warnings and drift, then the number of the others. Code scanning refuses an upload in which a result has
 * no file, so a finding without a place, such as a removed object, is a notification of the run.
 */
export function* planAsSarif(plan: Plan, options: ViewOptions): Generator<string> {
  const first: Diagnostic[] = [];
  let total = 0;
  for (const finding of findingsOf(plan, options)) {
    total += 1;
    if (first.length < maxResults) first.push(finding);
  }
  yield* sarifOf(first, total, options);
}

function* sarifOf(
  findings: readonly Diagnostic[],
  total: number,
  { maxBytes, folder: folderOf }: Pick<ViewOptions, 'maxBytes' | 'folder'>,
): Generator<string> {
  const summaries = new Map(findings.map(({ code, summary }) => [code, summary]));
  const folder = folderOf?.();
  const codes = [...summaries.keys()];
  const ruleIndex = new Map(codes.map((code, at) => [code, at]));
  const ruleOf = ({ code }: Diagnostic) => ({ id: code, index: ruleIndex.get(code) ?? -1 });
  const textOf = ({ detail }: Diagnostic) => withoutLinks(safeLines(detail).join('\n'));
  const located = findings.filter(({ source }) => source !== undefined);
  const results = located.map((finding) => ({
    ruleId: finding.code,
    ruleIndex: ruleOf(finding).index,
    level: levels[finding.severity],
    message: { text: textOf(finding) },
    locations: locationsOf(finding, folder),
  }));
  const unlocated = findings.filter(({ source }) => source === undefined);
  const notifications = unlocated.map((finding) => ({
    descriptor: ruleOf(finding),
    level: levels[finding.severity],
    message: { text: textOf(finding) },
    ...(finding.address === undefined ? {} : { locations: logicalLocation(finding.address) }),
  }));
  const print = (shown: readonly object[], told: readonly object[]) =>
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
            ...(notifications.length === 0
              ? {}
              : { invocations: [{ executionSuccessful: true, toolExecutionNotifications: told }] }),
            columnKind: 'utf16CodeUnits',
            results: shown,
            ...(total > shown.length + told.length
              ? { properties: { omitted_results: total - shown.length - told.length } }
              : {}),
          },
        ],
      },
      2,
    )}\n`;
  if (maxBytes === undefined) yield print(results, notifications);
  else {
    const texts = [...results, ...notifications].map((result) =>
      `${safeJson([[[[result]]]], 2)}`.replaceAll('\n', '\n  '),
    );
    const { length } = firstThatFit(texts, maxBytes - utf8Length(print([], [])) - 60, 2);
    yield print(results.slice(0, length), notifications.slice(0, Math.max(0, length - results.length)));
  }
}

/** Escapes `[text](address)`, which SARIF would turn into a link, because the text comes from outside. */
function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}

function locationsOf({ source, address, excerpt }: Diagnostic, folder: string | undefined): object[] {
  if (source === undefined) return [];
  const snippet = excerpt === undefined ? {} : { snippet: { text: safe(excerpt.replaceAll('\t', '  ')) } };
  const region = { startLine: source.line, startColumn: source.column, ...snippet };
  return [
    {
      physicalLocation: { artifactLocation: { uri: uriOf(repositoryPath(source.file, folder)) }, region },
      ...(address === undefined ? {} : logicalLocation(address)[0]),
    },
  ];
}

function logicalLocation(address: Address) {
  return [{ logicalLocations: [{ fullyQualifiedName: safe(address) }] }];
}

/** A relative reference: parts are encoded, slashes kept, lone surrogates replaced. */
function uriOf(file: string): string {
  return file
    .replace(/\p{Cs}/gu, '\u{fffd}')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
}
