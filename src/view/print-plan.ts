// Prints a plan in one of the formats, with personal data hidden on request.
import type { Plan } from '../model/plan.ts';
import { planFormats } from './index.ts';
import type { ViewOptions } from './options.ts';
import { redactDiagnostics, redactPlan } from './redact.ts';

export type PlanFormatName = keyof typeof planFormats;

export const planFormatNames = Object.keys(planFormats) as readonly PlanFormatName[];

export async function printPlan(format: PlanFormatName, plan: Plan, options: ViewOptions): Promise<Iterable<string>> {
  const { refusals } = options;
  const isInWords = format === 'human' && options.plain === true;
  const print = isInWords ? (await import('./terminal/plain.ts')).planInWords : await planFormats[format]();
  return print(redactPlan(plan, options), {
    ...options,
    ...(refusals === undefined ? {} : { refusals: redactDiagnostics(refusals, options) }),
  });
}
