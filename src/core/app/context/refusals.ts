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

export function invalidManifests(
  diagnostics: readonly Diagnostic[],
  advice = 'Fix the problems listed above.',
): Refusal {
  return new Refusal(
    'manifest.invalid',
    exitCode.invalid,
    'The manifests are not valid.',
    `Nothing was changed. ${advice}`,
    { diagnostics },
  );
}

export function missingApplication(): Refusal {
  return new Refusal(
    'application.missing',
    exitCode.usage,
    'No application is configured.',
    'Add application: {base_url: …} to a manifest, or pass --base-url (CHATFORM_BASE_URL). To try chatform without an account, use emulator:.chatform/emulator as the base URL.',
  );
}

export function missingVariable(variable: string): Refusal {
  return new Refusal(
    'application.variable',
    exitCode.usage,
    `The base URL needs CHATFORM_VAR_${variable}, which is not set.`,
    'Set it for this command. Without it, chatform can validate and plan but cannot read or change the application.',
  );
}

export function missingEmulatorFile(): Refusal {
  return new Refusal(
    'application.emulator-path',
    exitCode.usage,
    'The base URL emulator: has no path.',
    'Add the path of its data file, for example emulator:.chatform/emulator',
  );
}

export function newerVersion(state: string, writerVersion: string, version: string): Refusal {
  return new Refusal(
    'state.newer-version',
    exitCode.unexpected,
    `The state ${state} was written by chatform ${writerVersion}; this is version ${version}.`,
    'Nothing was changed. An older version may misread what a newer one stored. Run that version or a newer one.',
  );
}
