// What is asked before a plan is applied?
import type { Plan } from '../../model/plan.ts';
import { dangersOf } from '../summary/dangers.ts';
import { verdict } from '../summary/verdict.ts';
import { safe } from '../text.ts';
import { listOf } from '../words.ts';

/** The question, with a blank at its end. The plan stands above it already. */
export function promptFor(plan: Plan): string {
  const dangers = dangersOf(plan.changes).map((group) => group.inWords);
  const warning = dangers.length === 0 ? '' : `! The plan ${listOf(dangers)}.\n`;
  return `\n${verdict(plan)}\n${warning}Apply this plan to ${safe(plan.application)}?\nOnly "yes" is taken for an answer: `;
}
