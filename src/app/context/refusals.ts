// Refusals of plans that may not run, or not any more.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';

export function refusedBySafety(refusals: readonly Diagnostic[]): Refusal {
  return new Refusal(
    'safety.refused',
    exitCode.refused,
    'The plan is refused by a safety rule.',
    'Nothing was changed. What is listed above says what to change, or how to say in the reviewed diff that it is meant.',
    { diagnostics: refusals },
  );
}

/** What allowed these effects of a saved plan holds no longer, and no run began in time. */
export function acknowledgementExpired(effects: readonly string[]): Refusal {
  return new Refusal(
    'safety.expired',
    exitCode.refused,
    `The acknowledgement of ${effects.join(', ')} has expired since the plan was saved.`,
    'Nothing was changed. Acknowledge it anew with a later date, make the plan again, and have it reviewed.',
  );
}

/** Somebody else changed state between the look at it and the lock. */
export function planOvertaken(): Refusal {
  return new Refusal(
    'plan.overtaken',
    exitCode.conflict,
    'State changed between the plan and its approval.',
    'Another run was faster. Nothing was changed by this one; run the command again.',
  );
}

/** Before any call of the plan. */
export function interrupted(): Refusal {
  return new Refusal(
    'apply.interrupted',
    exitCode.interrupted,
    'Interrupted before the first call of the plan.',
    'What an earlier run had begun is settled and saved. Run the same command again.',
  );
}
