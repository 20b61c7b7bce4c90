// What a use case runs in: its surroundings, of which each names the ports that it uses, and the options that several share.
import type { ProgressMeter } from '../../applier/report/progress.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ApplyEvent } from '../../model/event.ts';
import type { Plan } from '../../model/plan.ts';
import type { Clock, Random } from '../../model/ports.ts';
import type { ApplyReport } from '../../model/report.ts';
import type { Attempt } from '../../platform/attempts.ts';

export interface Ports {
  /** `CHATFORM_VAR_…`, `CHATFORM_API_TOKEN`, `CHATFORM_ALLOWED_HOSTS`, and what a state backend asks for. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Relative paths start here. */
  readonly cwd: string;
  /** The file with the values of declared variables. */
  readonly variablesFile?: string | undefined;
  readonly clock: Clock;
  readonly random: Random;
  /**
   * Calls back when somebody interrupts, until the returned function is called. No signal that is there from the start:
   * a process that listens for SIGINT no longer ends by it, so use cases listen only while they can stop cleanly.
   */
  readonly onInterrupt: (callback: () => void) => () => void;
  readonly notify: (notice: Notice) => void;
  /** Told of every attempt to send a request. */
  readonly trace?: ((attempt: Attempt) => void) | undefined;
  /** Replaces the sentences of the platform in what is shown, where names must not be. */
  readonly wordsOf?: ((sentence: string) => string) | undefined;
  /** Milliseconds, where something besides an interrupt ends what waits (run/time-limit.ts). */
  readonly timeLeft?: () => number;
}

/** What happens on the way to a result. */
export type Notice =
  /** Warnings and notes on manifests that are valid. */
  | { readonly type: 'remarks'; readonly diagnostics: readonly Diagnostic[] }
  | ({
      readonly type: 'refresh-cost' /** Requests that read one attribute of one object. */;
      readonly each: number;
    } & CostOfReading)
  /** What a refresh would cost, which was not asked for. */
  | ({ readonly type: 'refresh-offer' } & CostOfReading)
  /** So many objects that counting the requests would take longer than the plan. */
  | { readonly type: 'refresh-offer-large'; readonly objects: number }
  /** The platform has not answered yet, and is tried on. `host` is its base URL's. */
  | { readonly type: 'host-silent'; readonly host: string; readonly why: string }
  | { readonly type: 'lock-waiting'; readonly holder: string; readonly atMostMs: number }
  | { readonly type: 'read-stopping' }
  | { readonly type: 'run-stopping' }
  /** Calls of an interrupted run whose outcome is known now. */
  | { readonly type: 'run-recovered'; readonly calls: number }
  /** The calls of an interrupted run may still take effect: they are waited for. */
  | { readonly type: 'run-settling'; readonly calls: number; readonly ms: number }
  /** --skip-conflicts: what a run does not do of its saved plan. */
  | { readonly type: 'plan-left-out'; readonly addresses: readonly string[]; readonly steps: number }
  | { readonly type: 'export-reading'; readonly application: string }
  | { readonly type: 'export-progress'; readonly title: string; readonly objects: number }
  | { readonly type: 'export-hidden-status'; readonly requests: number }
  | { readonly type: 'rebuild-comparing'; readonly archives: number };

interface CostOfReading {
  readonly kinds: readonly { readonly title: string; readonly objects: number; readonly requests: number }[];
  readonly atLeastS: number;
}

export interface BegunRun {
  readonly clock: Clock;
  /** Makes a meter that is to be shown every event. */
  readonly progress: () => ProgressMeter;
}

/** Watches a run, real or rehearsed. A method that rejects before the first step prevents the run. */
export interface RunObserver {
  /** The plan as it runs, before its first step. A rehearsal has a clock of its own. */
  begin?(plan: Plan, run: BegunRun): Promise<void>;
  /** Must not throw. */
  event?(event: ApplyEvent): void;
  /** Called once after `begin`; without a report when the run ended in an error. */
  end?(report: ApplyReport | undefined): Promise<void>;
}
/** Flags beat the manifest. */
export interface ApplicationOptions {
  /** Trusted, unlike the base URL of a manifest: the token goes there. */
  readonly baseUrl?: string | undefined;
  readonly ratePlan?: string | undefined;
  /** Default: the token in CHATFORM_API_TOKEN. */
  readonly apiTokenFile?: string | undefined;
}

export interface StateOptions {
  /** `file:DIR` or `postgres://…`. Default: `file:.chatform/state`. */
  readonly state?: string | undefined;
  /** How long a write waits for a state database that is away. */
  readonly statePatienceMs?: number | undefined;
  /** What is written takes the place of a state of chatform 0.2. */
  readonly replacesOlder?: boolean | undefined;
}

export interface LockOptions extends StateOptions {
  /** How long to wait for a lock that somebody else holds. Default: 0. */
  readonly lockTimeoutMs?: number | undefined;
}

/** Which state is looked at or repaired. */
export interface UpkeepOptions extends ApplicationOptions, LockOptions {}

/** How a plan of manifests is carried out. */
export interface RunOptions {
  /** Counts from the call, with everything that is read and waited for. */
  readonly maxDurationMs?: number | undefined;
  /** Goes on after many failures. */
  readonly keepGoing?: boolean | undefined;
}
