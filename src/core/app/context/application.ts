// Determines the application, whether it may receive the token, and its rate limits.

import type { BehavioursFile, BehaviourValue } from '../../model/behaviours.ts';
import type { MetaArrayLimits, RateSettings } from '../../model/limits.ts';
import type { PlanSettings } from '../../model/plan.ts';
import { applicationIdentity, checkBaseUrl } from '../../platform/base-url.ts';
import type { ApplicationOverrides, Ports } from './ports.ts';
import { missingApplication, missingEmulatorFile, missingVariable } from './refusals.ts';

export interface Application {
  /** The identity that state is bound to: host and path, or `emulator:` and its path. */
  readonly identity: string;
  readonly target:
    | { readonly type: 'emulator'; readonly file: string }
    | { readonly type: 'server'; readonly url: URL; readonly tokenFile: string | undefined }
    /** A plan is possible, as on a fork without secrets, but nothing can be sent. */
    /** `lacks` is the variable of the base URL that is not set: CHATFORM_VAR_APP_ID. */
    | { readonly type: 'unknown'; readonly lacks: string };
  readonly rates: RateSettings;
  /** From chatform-behaviours.json, if it is about this application. */
  readonly behaviours?: BehavioursFile;
  /** The behaviours that count, by name. */
  readonly decided?: ReadonlyMap<string, BehaviourValue>;
  /** The form that a saved plan contains. */
  readonly settings: Omit<PlanSettings, 'existing' | 'trust_dedup' | 'undo' | 'history' | 'state'>;
}

/** The manifest's `application`, as the loader gives it. */
export interface DeclaredApplication {
  readonly base_url?: string;
  readonly rate_plan?: string;
  readonly limits?: Readonly<Record<string, number>>;
  readonly rate_share?: number;
  readonly message_length?: number;
  readonly meta_arrays?: MetaArrayLimits;
  readonly messages_per_migration?: number;
  readonly base_url_lacks?: string;
}

const emulatorPrefix = 'emulator:';
/** The slowest plan is never too fast. The headers of the first response then show the real limits. */
export const cautiousRatePlan = 'free_trial';

/**
 * Refused without a base URL (64), or when the base URL of a manifest is not trusted (65). With `mayBeUnknown`, a base URL
 * whose variable is not set gives an unknown application, for use cases that send nothing.
 */
export function resolveApplication(
  options: ApplicationOverrides,
  { env }: Pick<Ports, 'env'>,
  declared: DeclaredApplication | undefined,
  { mayBeUnknown = false }: { readonly mayBeUnknown?: boolean } = {},
): Application {
  const { baseUrl, apiTokenFile: tokenFile } = options;
  const rates: RateSettings = {
    ratePlan: options.ratePlan ?? declared?.rate_plan ?? cautiousRatePlan,
    limits: options.limits ?? declared?.limits ?? {},
    share: declared?.rate_share ?? 1,
    ...(declared?.message_length === undefined ? {} : { messageLength: declared.message_length }),
    ...(declared?.meta_arrays === undefined ? {} : { metaArrays: declared.meta_arrays }),
    ...(declared?.messages_per_migration === undefined ? {} : { messagesPerCall: declared.messages_per_migration }),
  };
  const text = baseUrl ?? declared?.base_url;
  const settings = { base_url: text ?? '', rate_plan: rates.ratePlan, limits: rates.limits, rate_share: rates.share };
  if (text === undefined) {
    const lacks = declared?.base_url_lacks;
    if (lacks === undefined) throw missingApplication();
    if (!mayBeUnknown) throw missingVariable(lacks);
    const variable = `CHATFORM_VAR_${lacks}`;
    return { identity: `unknown, without ${variable}`, target: { type: 'unknown', lacks: variable }, rates, settings };
  }
  if (text.startsWith(emulatorPrefix)) {
    const file = text.slice(emulatorPrefix.length);
    if (file === '') throw missingEmulatorFile();
    return { identity: text, target: { type: 'emulator', file }, rates, settings };
  }
  const url = checkBaseUrl(text, { trusted: baseUrl !== undefined, allowedHosts: allowedHostsOf(env) });
  return { identity: applicationIdentity(text), target: { type: 'server', url, tokenFile }, rates, settings };
}

/** The hosts to which a manifest may send the API token, messages and events: lower case, with a port unless it is the default one. */
export function allowedHostsOf({ CHATFORM_ALLOWED_HOSTS: names = '' }: Ports['env']): readonly string[] {
  const hosts = names.split(',').map((host) => host.trim().toLowerCase());
  return hosts.filter((host) => host !== '');
}

/** Whether an API token seems to be set. Does not open the token file, because it may be a pipe. */
export function hasToken({ target }: Application, { env }: Pick<Ports, 'env'>): boolean {
  if (target.type !== 'server') return false;
  return target.tokenFile !== undefined || (env.CHATFORM_API_TOKEN ?? '').trim() !== '';
}
