// In which formats can plans and diagnostics be shown? THE registry: one line a format.
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.ts';
import { diagnosticsAsJson } from './diagnostic-json.ts';
import { diagnosticsForPeople } from './diagnostics.ts';
import { diagnosticsForGithub } from './github.ts';
import { planForPeople } from './human.ts';
import { planAsJson } from './json.ts';
import { withEnds } from './layout.ts';
import type { ViewOptions } from './options.ts';
import { diagnosticsAsSarif } from './sarif.ts';

type PlanFormat = (plan: Plan, options: ViewOptions) => Iterable<string>;
type DiagnosticFormat = (diagnostics: readonly Diagnostic[], options: ViewOptions) => Iterable<string>;

export const planFormats = {
  human: planForPeople,
  json: planAsJson,
} as const satisfies Record<string, PlanFormat>;

export const diagnosticFormats = {
  human: diagnosticsForPeople,
  json: (diagnostics) => withEnds(diagnosticsAsJson(diagnostics)),
  sarif: (diagnostics) => withEnds(diagnosticsAsSarif(diagnostics)),
  github: (diagnostics) => withEnds(diagnosticsForGithub(diagnostics)),
} as const satisfies Record<string, DiagnosticFormat>;
