// How are problems handed to code scanning? As SARIF 2.1.0.
import { compareDiagnostics, type Diagnostic, type Severity } from '../model/diagnostic.ts';
import { safe, safeJson, safeLines } from './text.ts';

const levels: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', note: 'note' };

export function* diagnosticsAsSarif(diagnostics: readonly Diagnostic[]): Generator<string> {
  const sorted = [...diagnostics].sort(compareDiagnostics);
  const summaries = new Map(sorted.map(({ code, summary }) => [code, summary]));
  const codes = [...summaries.keys()];
  const ruleIndex = new Map(codes.map((code, at) => [code, at]));
  const document = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'chatform',
            rules: codes.map((code) => ({ id: code, shortDescription: { text: safe(summaries.get(code) ?? code) } })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: sorted.map((diagnostic) => ({
          ruleId: diagnostic.code,
          ruleIndex: ruleIndex.get(diagnostic.code) ?? -1,
          level: levels[diagnostic.severity],
          message: { text: safeLines(diagnostic.detail).join('\n') },
          locations: locationsOf(diagnostic),
        })),
      },
    ],
  };
  yield `${safeJson(document, 2)}\n`;
}

function locationsOf({ source, address, excerpt }: Diagnostic): object[] {
  if (source === undefined && address === undefined) return [];
  const region =
    source === undefined
      ? undefined
      : {
          startLine: source.line,
          startColumn: source.column,
          ...(excerpt === undefined ? {} : { snippet: { text: safe(excerpt.replaceAll('\t', '  ')) } }),
        };
  return [
    {
      ...(source === undefined ? {} : { physicalLocation: { artifactLocation: { uri: uriOf(source.file) }, region } }),
      ...(address === undefined ? {} : { logicalLocations: [{ fullyQualifiedName: safe(address) }] }),
    },
  ];
}

/** A relative reference: each part encoded, the slashes kept, half characters replaced. */
function uriOf(file: string): string {
  return file
    .replace(/\p{Cs}/gu, '\u{fffd}')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
}
