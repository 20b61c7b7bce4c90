// How is a refusal of the safety rules told?
import type { Diagnostic } from '../model/diagnostic.ts';
import { Refusal } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';

export function refusedBySafety(refusals: readonly Diagnostic[]): Refusal {
  return new Refusal(
    'safety.refused',
    exitCode.refused,
    'The plan is refused by a safety rule.',
    'Nothing was changed. What is listed above says what to change, or how to say in the reviewed diff that it is meant.',
    { diagnostics: refusals },
  );
}
