// Refusals of plans that may not run.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { Refusal, refusedPlan } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';

export function refusedBySafety(refusals: readonly Diagnostic[]): Refusal {
  return new Refusal(
    refusedPlan,
    exitCode.refused,
    'A safety rule refused the plan.',
    'Nothing was changed. Each problem above says what to change, or how to acknowledge the effect in the reviewed diff.',
    { diagnostics: refusals },
  );
}

/** An acknowledgement of a saved plan has expired before a run began. */
export function acknowledgementExpired(effects: readonly string[]): Refusal {
  return new Refusal(
    'safety.expired',
    exitCode.refused,
    `The acknowledgement of ${effects.join(', ')} has expired since the plan was saved.`,
    'Nothing was changed. Renew the acknowledgement with a later date, re-plan, and have the new plan reviewed.',
  );
}

/** Another run changed state after it was read and before the lock was taken. */
export function planOvertaken(): Refusal {
  return new Refusal(
    'plan.overtaken',
    exitCode.conflict,
    'State changed between planning and approval.',
    'Another run changed it first. This run changed nothing; run the command again.',
  );
}

/** The run was interrupted before its first call. */
export function interrupted(): Refusal {
  return new Refusal(
    'apply.interrupted',
    exitCode.interrupted,
    'Interrupted before the first call of the plan.',
    'The interrupted calls of the earlier run were checked and saved. Run the same command again.',
  );
}

export function invalidManifests(diagnostics: readonly Diagnostic[]): Refusal {
  return new Refusal(
    'manifest.invalid',
    exitCode.invalid,
    'The manifests are not valid.',
    'Nothing was changed. Fix the problems listed above.',
    { diagnostics },
  );
}
