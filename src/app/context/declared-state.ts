// Takes the place of the state from manifests, where neither --state nor CHATFORM_STATE names one.
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { Plan } from '../../model/plan.ts';
import { type DeclaredPlace, hostOf } from '../../model/stores/declared-place.ts';
import { allowedHostsOf } from './application.ts';
import type { Ports, StateOptions } from './ports.ts';

/** The options with a place of the state: the one that they name, or else the declared one. Refused (6) for an untrusted server. */
export function withDeclaredState<Options extends StateOptions>(
  options: Options,
  declared: DeclaredPlace | undefined,
  { env }: Pick<Ports, 'env'>,
): Options {
  if (options.state !== undefined || declared === undefined) return options;
  const host = hostOf(declared.place);
  if (host !== undefined && !allowedHostsOf(env).includes(host)) throw untrusted(host);
  return { ...options, state: declared.place };
}

/** The plan with the name of its state, if one is declared, and the place for an apply of the saved plan, if it is that one. */
export function withState(plan: Plan, declared: DeclaredPlace | undefined, options: StateOptions, name: string): Plan {
  if (declared === undefined) return plan;
  const settings = options.state === undefined ? { ...plan.settings, state: declared.place } : plan.settings;
  return { ...plan, settings, state: name };
}

function untrusted(host: string): Refusal {
  return new Refusal(
    'state.untrusted-host',
    exitCode.conflict,
    `The manifest would keep the state at ${host}.`,
    'A server from a manifest must be trusted, so that a pull request cannot send credentials and data elsewhere. If you trust this host, add it to CHATFORM_ALLOWED_HOSTS, or pass the place with --state (CHATFORM_STATE).',
  );
}
