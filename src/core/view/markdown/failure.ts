// The error that ended a command, as Markdown in place of the plan that it was to write.

import { printNumber } from '../../../lib/words.ts';
import { Refusal } from '../../model/errors.ts';
import { countProblems } from '../../model/sorted-diagnostics.ts';
import { equalProblems } from '../summary/equal-problems.ts';
import { problemsInOrder } from '../terminal/diagnostics.ts';
import { errorForPeople } from '../terminal/error.ts';
import { firstThatFit, utf8Length } from '../text/budget.ts';
import type { ViewOptions } from '../text/options.ts';
import { typedDetails } from '../text/typed-commands.ts';
import { diagnosticLines } from './sections.ts';
import { fenced } from './text.ts';

/** Less than the smallest --max-bytes, so that it fits beside the plans of other folders. */
const mostBytes = 6_000;

export function failureAsMarkdown(error: unknown, exit: number, options: ViewOptions): string {
  const diagnostics = error instanceof Refusal ? problemsInOrder(error, options) : [];
  const message = [...errorForPeople(error, { ...options, color: false, plain: false })].join('').trimEnd().split('\n');
  const groups = equalProblems(typedDetails(diagnostics, options));
  const texts = groups.map((group) => diagnosticLines(group).join('\n'));
  const shown = firstThatFit(texts, mostBytes - utf8Length(message.join('\n')), 1);
  const hidden = countProblems(groups.slice(shown.length).flat());
  const lines = [
    ...shown.flatMap((text) => text.split('\n')),
    ...(hidden === 0 ? [] : [`… and ${printNumber(hidden)} more`]),
    ...message,
  ];
  return `### chatform: no plan (exit code ${exit})\n\n${fenced('text', lines)}`;
}
