// Takes the place of the state from manifests or a saved plan, where neither --state nor CHATFORM_STATE names one.
import { resolve } from 'node:path';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { Plan } from '../../model/plan.ts';
import { type DeclaredPlace, faultOfPlace, hostOf } from '../../model/stores/declared-place.ts';
import { storeOf } from '../../model/stores/places.ts';
import { allowedHostsOf } from './application.ts';
import type { Ports, StateOptions } from './ports.ts';
import { repositoryAround } from './repository.ts';

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

/** The place in a saved plan, which may come from an unmerged request. Refused (6) if no manifest could declare it. */
export async function placeOfSaved(
  { settings: { state: place } }: Plan,
  file: string,
  { cwd }: Pick<Ports, 'cwd'>,
): Promise<DeclaredPlace | undefined> {
  if (place === undefined) return undefined;
  if (faultOfPlace(place) === undefined && (await isInRepository(place, cwd))) return { place };
  throw new Refusal(
    'plan.state-elsewhere',
    exitCode.conflict,
    `${file} names a place of the state that a manifest could not declare here.`,
    'Nothing was done. Apply it in the working folder of the plan, or pass the place with --state.',
  );
}

async function isInRepository(place: string, cwd: string): Promise<boolean> {
  if (storeOf(place)?.scheme !== 'file') return true;
  const [{ isPlaceInside }, { disk }] = await Promise.all([
    import('../../manifest/checks/state-place.ts'),
    import('../../manifest/files/access.ts'),
  ]);
  const folder = resolve(cwd, place.slice('file:'.length));
  return isPlaceInside(folder, [cwd, await repositoryAround(cwd, false)], disk);
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
