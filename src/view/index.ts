// THE registry of views: in which formats can a plan be shown, and in which diagnostics?
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.ts';
import { diagnosticsAsJson } from './diagnostic-json.ts';
import { diagnosticsForPeople } from './diagnostics.ts';
import { diagnosticsForGithub, planForGithub } from './github.ts';
import { planAsHtml } from './html/page.ts';
import { planForPeople } from './human.ts';
import { planAsJson } from './json.ts';
import { planAsMarkdown } from './markdown.ts';
import type { ViewOptions } from './options.ts';
import { diagnosticsAsSarif, planAsSarif } from './sarif.ts';

/** Text piece by piece: each piece is one line or more, with their ends. */
type PlanFormat = (plan: Plan, options: ViewOptions) => Iterable<string>;
type DiagnosticFormat = (diagnostics: readonly Diagnostic[], options: ViewOptions) => Iterable<string>;

export const planFormats = {
  human: planForPeople,
  json: planAsJson,
  markdown: planAsMarkdown,
  html: planAsHtml,
  sarif: planAsSarif,
  github: planForGithub,
} satisfies Record<string, PlanFormat>;

export const diagnosticFormats = {
  human: diagnosticsForPeople,
  json: diagnosticsAsJson,
  sarif: diagnosticsAsSarif,
  github: diagnosticsForGithub,
} satisfies Record<string, DiagnosticFormat>;
