// The report of chatform conformance: for people, and as Markdown to attach to an issue.

import { listOf, plural, printDuration } from '../../../lib/words.ts';
import type { ConformanceDocument, ConformanceRow } from '../../model/documents.ts';
import { cell } from '../markdown/text.ts';
import { safe } from '../text/text.ts';

/** What a run is about to do, for the prompt. */
export interface ConformancePlan {
  readonly application: string;
  readonly nameSpace: string;
  readonly objects: number;
  readonly rows: number;
  readonly stagesDone: number;
}

export function proofInWords({ application, nameSpace, objects, rows, stagesDone }: ConformancePlan): string {
  const begun = stagesDone === 0 ? '' : 'It continues a run that did not end.\n';
  return `chatform conformance will prove ${rows} declarations on ${safe(application)}.
${begun}It creates ${objects} users, bots, channels and custom types, edits them, and reads them after each step.
Their names begin with ${nameSpace}. It removes them at the end.
It sends about 300 calls, which take about two minutes on the smallest plan. Use a test application.
`;
}

const titles: Readonly<Record<ConformanceRow['outcome'], string>> = {
  held: 'held',
  differs: 'differs',
  not_in_plan: 'not in this plan',
};

export function* conformanceForPeople(document: ConformanceDocument): Generator<string> {
  yield `\nConformance of ${safe(document.application)}, ${document.date}\n\n`;
  for (const { claim, address, outcome, call = '', answer = '' } of document.rows) {
    yield `  ${titles[outcome].padEnd(17)} ${claim} (${safe(address)})\n`;
    if (outcome !== 'held') yield `    ${safe(call)}: ${safe(answer)}\n`;
  }
  yield `\n${summaryOf(document)}\n`;
  yield* leftOf(document);
}

export function* conformanceAsMarkdown(document: ConformanceDocument): Generator<string> {
  yield `# Conformance of \`${cell(document.application)}\`\n\n`;
  yield `${document.date}, chatform ${cell(document.chatform)}. ${summaryOf(document)}\n\n`;
  yield '| Declaration | Object | Outcome | Call | Answer |\n|---|---|---|---|---|\n';
  for (const { claim, address, outcome, call = '', answer = '' } of document.rows)
    yield `| ${claim} | \`${cell(address)}\` | ${titles[outcome]} | ${cell(call)} | ${cell(answer)} |\n`;
  yield* leftOf(document);
}

function summaryOf({ counts, rows, duration_s: duration }: ConformanceDocument): string {
  const parts = [`${counts.held} held`, `${counts.differs} differ`, `${counts.not_in_plan} not in this plan`];
  return `${plural(rows.length, 'declaration')} in ${printDuration(duration)}: ${parts.join(', ')}.`;
}

function* leftOf({ left }: ConformanceDocument): Generator<string> {
  if (left.length > 0)
    yield `\nThe platform refuses to remove ${listOf(left.map((address) => safe(address)))}. The next run tries again.\n`;
}
