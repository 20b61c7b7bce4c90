// The report of a run as Markdown, for a pipeline's summary.

import { printNumber } from '../../../lib/words.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { ApplyReport } from '../../model/report.ts';
import { storedInWords } from '../diff/stored-values.ts';
import { reportedStageLines } from '../summary/stages.ts';
import {
  announcementsIn,
  callInWords,
  erasedInWords,
  exitInWords,
  failuresInWords,
  groupsOf,
  leftOpenInWords,
  nextAfter,
  notMembersInWords,
  refusedInWords,
  signedInWords,
  statusOfRun,
  stepsInWords,
  timeInWords,
} from '../terminal/run-summary.ts';
import { clip } from '../text/clipping.ts';
import { adviceFor } from '../text/platform-advice.ts';
import { safe } from '../text/text.ts';
import { type Typing, typedText } from '../text/typed-commands.ts';
import { collapsed, fenced } from './text.ts';

const maxGroups = 10;
const maxNamed = 20;
const maxMessage = 400;
const maxRoutes = 50;

/** At most a few kilobytes, however many steps failed. */
export function* reportAsMarkdown(report: ApplyReport, typing: Typing): Generator<string> {
  const hasRun = report.steps.planned > 0 || report.exit_code === exitCode.done;
  const exit = `exit code ${report.exit_code}: ${exitInWords(report)}`;
  if (!hasRun) {
    yield `### chatform: not started\n\nNothing was sent; ${exit}.\n`;
    return;
  }
  yield `### chatform: ${statusOfRun(report).words}.\n\n${stepsInWords(report.steps)} ${timeInWords(report)}\n\n`;
  const stages = reportedStageLines(report.stages ?? []).map(safe);
  yield inFence(signedInWords(report)) + inFence(stages.map(clipped));
  for (const sentence of [...refusedInWords(report), ...announcementsIn(report).map(safe)]) yield `${sentence}\n\n`;
  yield inFence(leftOpenInWords(report)) + inFence(storedInWords(report.stored_otherwise).map(clipped));
  yield inFence(notMembersInWords(report)) + inFence(erasedInWords(report));
  if (report.failures.length > 0) {
    yield collapsed(failuresInWords(report.failures), fenced('text', [...failureLines(report, typing)]));
  }
  const next = nextAfter(report);
  if (report.exit_code !== exitCode.done) yield `${next} (${exit})\n\n`;
  else if (next !== '') yield `${next}\n\n`;
  const lines = report.requests.slice(0, maxRoutes).map(({ method, route, sent, retried, limited }) => {
    const repeated = retried === 0 ? '' : `, ${printNumber(retried)} retried`;
    const refused = limited === 0 ? '' : `, ${printNumber(limited)} answered with 429`;
    return `${printNumber(sent).padStart(10)}  ${method} ${safe(route)}${repeated}${refused}`;
  });
  if (lines.length > 0) yield collapsed('Requests', fenced('text', lines));
}

function inFence(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${fenced('text', lines)}\n`;
}

function clipped(line: string): string {
  return clip(line, maxMessage);
}

function* failureLines({ failures }: ApplyReport, typing: Typing): Generator<string> {
  const groups = [...groupsOf(failures)];
  for (const { first, failures: alike } of groups.slice(0, maxGroups)) {
    yield `${failuresInWords(alike)}${callInWords(first)}: ${clipped(safe(typedText(first.message, typing)))}`;
    for (const { action, address } of alike.slice(0, maxNamed)) yield `  ${action} ${clipped(safe(address))}`;
    if (alike.length > maxNamed) yield `  … and ${printNumber(alike.length - maxNamed)} more`;
    const advice = adviceFor(first);
    if (advice !== undefined) yield `  ${typedText(advice, typing)}`;
  }
  if (groups.length > maxGroups) yield '… and more of other kinds; see --report';
}
