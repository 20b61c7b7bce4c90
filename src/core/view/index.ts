// The registry of views: the formats of plans and of diagnostics.
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.ts';
import { hideSecretsOfPlan } from './text/hidden-secrets.ts';
import type { ViewOptions } from './text/options.ts';
import { redactDiagnostics, redactPlan, redactSignature } from './text/redact.ts';

/** Yields text in pieces of one or more whole lines. */
type PlanFormat = (plan: Plan, options: ViewOptions) => Iterable<string>;
type DiagnosticFormat = (diagnostics: readonly Diagnostic[], options: ViewOptions) => Iterable<string>;

/** Each view is loaded when it is first used. */
export const planFormats = {
  human: async () => (await import('./terminal/plan.ts')).planForPeople,
  json: async () => (await import('./json/plan.ts')).planAsJson,
  markdown: async () => (await import('./markdown/plan.ts')).planAsMarkdown,
  html: async () => (await import('./html/page.ts')).planAsHtml,
  sarif: async () => (await import('./ci/sarif.ts')).planAsSarif,
  github: async () => (await import('./ci/github.ts')).planForGithub,
} satisfies Record<string, () => Promise<PlanFormat>>;

export const diagnosticFormats = {
  human: async () => (await import('./terminal/diagnostics.ts')).diagnosticsForPeople,
  json: async () => (await import('./json/diagnostics.ts')).diagnosticsAsJson,
  sarif: async () => (await import('./ci/sarif.ts')).diagnosticsAsSarif,
  github: async () => (await import('./ci/github.ts')).diagnosticsForGithub,
} satisfies Record<string, () => Promise<DiagnosticFormat>>;

export type PlanFormatName = keyof typeof planFormats;

export const planFormatNames = Object.keys(planFormats) as readonly PlanFormatName[];

export async function printPlan(format: PlanFormatName, plan: Plan, options: ViewOptions): Promise<Iterable<string>> {
  const isInWords = format === 'human' && options.plain === true;
  const print = isInWords ? (await import('./terminal/plain.ts')).planInWords : await planFormats[format]();
  const shown = hideSecretsOfPlan(plan);
  if (options.redactionKey === undefined) return print(shown, options);
  const { refusals = [], signature } = options;
  return print(redactPlan(shown, options), {
    ...options,
    refusals: redactDiagnostics(refusals, options),
    ...(signature === undefined ? {} : { signature: redactSignature(signature, options) }),
  });
}
