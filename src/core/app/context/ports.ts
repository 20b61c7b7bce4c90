// The surroundings of a use case, of which each use case picks the ports it needs, and the options that several share.
import type { ProgressMeter } from '../../applier/report/progress.ts';
import type { ApplyEvent, Attempt, Notice } from '../../model/event.ts';
import type { Plan } from '../../model/plan.ts';
import type { Clock, Random } from '../../model/ports.ts';
import type { ApplyReport } from '../../model/report.ts';

export interface Ports {
  /** `CHATFORM_VAR_…`, `CHATFORM_API_TOKEN`, `CHATFORM_ALLOWED_HOSTS`, and the variables of state backends. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Relative paths start here. */
  readonly cwd: string;
  /** The file with the values of declared variables. */
  readonly variablesFile?: string | undefined;
  readonly clock: Clock;
  readonly random: Random;
  /**
   * Calls back once, on the first interrupt, until the returned function is called. An interrupt that came before counts. A
   * command that is interrupted while nothing listens ends at once, so a use case listens as long as it has something to end
   * in order.
   */
  readonly onInterrupt: (callback: () => void) => () => void;
  readonly notify: (notice: Notice) => void;
  /** Called for every attempt to send a request. */
  readonly trace?: ((attempt: Attempt) => void) | undefined;
  /** Replaces messages of the platform in output that must not contain names. */
  readonly wordsOf?: ((sentence: string) => string) | undefined;
  /** Remaining milliseconds, if a time limit also ends the work (run/time-limit.ts). */
  readonly timeLeft?: () => number;
}

export interface BegunRun {
  readonly clock: Clock;
  /** Makes a meter that must receive every event. */
  readonly progress: () => ProgressMeter;
}

/** Watches a run, real or rehearsed. A method that rejects before the first step prevents the run. */
export interface RunObserver {
  /** Called with the final plan before its first step. A rehearsal passes its own clock. */
  begin?(plan: Plan, run: BegunRun): Promise<void>;
  /** Must not throw. */
  event?(event: ApplyEvent): void;
  /** Called once after `begin`; without a report when the run ended in an error. */
  end?(report: ApplyReport | undefined): Promise<void>;
}

/** Flags that override the manifest. */
export interface ApplicationOverrides {
  /** Receives the token. Trusted, unlike the base URL of a manifest. */
  readonly baseUrl?: string | undefined;
  readonly ratePlan?: string | undefined;
  /** Default: the token in CHATFORM_API_TOKEN. */
  readonly apiTokenFile?: string | undefined;
  /** Calls per second, by method or by `METHOD /route/{template}`. */
  readonly limits?: Readonly<Record<string, number>> | undefined;
}

export interface StateOptions {
  /** Where state lies: `file:DIR`, a database or a bucket (core/model/stores/places.ts). Default: as the manifests say, or `file:.chatform/state`. */
  readonly state?: string | undefined;
  /** How long a write waits for a state database that is unavailable. */
  readonly statePatienceMs?: number | undefined;
  /** Whether a write may replace the remains of a state. */
  readonly replacesRemains?: boolean | undefined;
}

export interface LockOptions extends StateOptions {
  /** How long to wait for a lock that somebody else holds. Default: 0. */
  readonly lockTimeoutMs?: number | undefined;
}

/** Selects the state to inspect or repair. */
export interface UpkeepOptions extends ApplicationOverrides, LockOptions {}

/** When a run ends although steps remain. */
export interface RunLimits {
  /** The limit from the start of the use case, including reads and waits. */
  readonly maxDurationMs?: number | undefined;
  /** `04:00`, `04:00Z`, or a date and time. The earlier limit counts. */
  readonly stopAt?: string | undefined;
  /** Whether to continue after many failures. */
  readonly keepGoing?: boolean | undefined;
}
