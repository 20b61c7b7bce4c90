// Refusals of plans that may not run, or not any more.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';

export function refusedBySafety(refusals: readonly Diagnostic[]): Refusal {
  return new Refusal(
    'safety.refused',
    exitCode.refused,
    'A safety rule refused the plan.',
    'Nothing was changed. Each problem above says what to change, or how to acknowledge the effect in the reviewed diff.',
    { diagnostics: refusals },
  );
}

/** What allowed these effects of a saved plan holds no longer, and no run began in time. */
export function acknowledgementExpired(effects: readonly string[]): Refusal {
  return new Refusal(
    'safety.expired',
    exitCode.refused,
    `The acknowledgement of ${effects.join(', ')} has expired since the plan was saved.`,
    'Nothing was changed. Renew the acknowledgement with a later date, re-plan, and have the new plan reviewed.',
  );
}

/** Somebody else changed state between the look at it and the lock. */
export function planOvertaken(): Refusal {
  return new Refusal(
    'plan.overtaken',
    exitCode.conflict,
    'State changed between planning and approval.',
    'Another run changed it first. This run changed nothing; run the command again.',
  );
}

/** Before any call of the plan. */
export function interrupted(): Refusal {
  return new Refusal(
    'apply.interrupted',
    exitCode.interrupted,
    'Interrupted before the first call of the plan.',
    'The interrupted calls of the earlier run were checked and saved. Run the same command again.',
  );
}
