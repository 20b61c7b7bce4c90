// Checks by reads whether the application is ready for the manifests. Nothing is written.
//
// Each check costs at most one call, so that it is cheap on a production application. A note names checks that no read can
// answer.

import { isList, isObject, type JsonObject } from '../../../lib/json.ts';
import type { Series } from '../../../lib/series.ts';
import { isAuthentication } from '../../applier/verdict/classify.ts';
import type { BehaviourValue } from '../../model/behaviours.ts';
import type { Diagnostic, Severity } from '../../model/diagnostic.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { LimitsOf } from '../../model/limits.ts';
import { platformCode } from '../../model/platform-codes.ts';
import type { HistoryPolicy } from '../../model/policy.ts';
import type { Answer, Clock, Platform } from '../../model/ports.ts';
import type { ApiRequest } from '../../model/request.ts';
import type { Resource } from '../../model/resource.ts';
import { checkVisibility, warningsOf } from '../visibility/visibility.ts';

export interface OnlineCheck {
  readonly platform: Platform;
  readonly clock: Clock;
  /** The limits that the manifest or an option declares. */
  readonly limits: LimitsOf;
  /** Host and path, for the messages. */
  readonly application: string;
  /** The rate plan that the limits come from, for the messages. */
  readonly ratePlan: string;
  readonly declaresInvitations: boolean;
  readonly declaresMessages: boolean;
  /** The declared objects. */
  readonly resources: Series<Resource>;
  /** Those that count, by name. */
  readonly behaviours?: ReadonlyMap<string, BehaviourValue> | undefined;
  /** `policy.history` of the manifests. */
  readonly history?: HistoryPolicy | undefined;
}

const attempts = 4;
const pauseMs = 1000;

const users: ApiRequest = { method: 'GET', route: '/users', query: { limit: '1', active_mode: 'all' } };
const preference: ApiRequest = { method: 'GET', route: '/applications/default_channel_invitation_preference' };

/** Refused (3) when the token is refused, and (1) when the application is unreachable. */
export async function checkOnline(check: OnlineCheck): Promise<Diagnostic[]> {
  const first = await read(check, users);
  if (first.type === 'refused' && isAuthentication(first)) throw refusedToken(check, first.message);
  if (first.type !== 'ok') throw unreachable(check, first);
  return [
    ...remark('note', 'online.reached', `${check.application} responds and accepts the token.`),
    ...ratePlanOf(check, first),
    ...(check.declaresInvitations ? await invitationsOf(check) : []),
    ...(await retrievalOf(check)),
    ...(await historyOf(check)),
    ...(check.declaresMessages
      ? remark(
          'note',
          'online.migration-unknown',
          'The platform does not show whether message migration is enabled for the application. The vendor’s support enables it. If it is off, the first batch is refused and nothing is lost.',
        )
      : []),
  ];
}

function ratePlanOf({ limits, ratePlan }: OnlineCheck, { rate }: Answer): Diagnostic[] {
  const [bucket] = limits(users);
  if (bucket === undefined) return [];
  if (rate === undefined) {
    return remark(
      'note',
      'online.rate-unknown',
      `The responses have no rate-limit headers, so runs use the declared rate plan ${ratePlan} unchanged.`,
    );
  }
  const allowed = rate.calls / rate.windowS;
  const declared = bucket.calls / bucket.windowS;
  if (allowed === declared) {
    return remark('note', 'online.rate-plan', `The rate plan is correct: ${allowed} reads a second are allowed.`);
  }
  const meaning =
    allowed > declared
      ? 'Runs start slower than necessary until the headers correct the rate.'
      : 'Planned durations are too short; a run corrects its rate from the headers.';
  return remark(
    'warning',
    'online.rate-plan',
    `The platform allows ${allowed} reads a second, the rate plan ${ratePlan} says ${declared}. ${meaning} Correct application.rate_plan or application.limits.`,
  );
}

/** Declared invitations start as invited only if new users do not accept automatically (semantics §2.3). */
async function invitationsOf(check: OnlineCheck): Promise<Diagnostic[]> {
  const answer = await read(check, preference);
  if (answer.type !== 'ok' || answer.body.auto_accept !== true) return [];
  return remark(
    'note',
    'online.auto-accept',
    'By default, new users of this application accept invitations automatically. Memberships declared as invited_* may become joined at once; chatform does not change them back.',
  );
}

/** Needs a channel to try it on, so it cannot check an application without channels. */
async function retrievalOf(check: OnlineCheck): Promise<Diagnostic[]> {
  const channel = (await anyChannel(check, 'open_channels')) ?? (await anyChannel(check, 'group_channels'));
  if (channel === undefined) {
    return check.declaresMessages
      ? remark('note', 'online.retrieval-unknown', 'No channel exists yet, so reading messages could not be tried.')
      : [];
  }
  const answer = await read(check, {
    method: 'GET',
    route: '/{channel_type}/{channel_url}/messages/total_count',
    params: channel,
  });
  if (answer.type === 'ok') return remark('note', 'online.retrieval', 'Messages can be read.');
  if (answer.type !== 'refused' || answer.code !== platformCode.notAllowed) return [];
  return remark(
    'warning',
    'online.retrieval',
    'This application does not allow reading messages (400108). A migration works, but chatform verify does not, and the outcome of a batch whose response is lost stays unknown. Ask support to enable message retrieval.',
  );
}

async function historyOf(check: OnlineCheck): Promise<Diagnostic[]> {
  const { resources, clock, behaviours, history } = check;
  const context = { resources, now: clock.date(), behaviours };
  return warningsOf(await checkVisibility(context, (request) => read(check, request)), history);
}

async function anyChannel(
  check: OnlineCheck,
  type: 'open_channels' | 'group_channels',
): Promise<Record<string, string> | undefined> {
  const query = { limit: '1', ...(type === 'group_channels' ? { show_empty: 'true' } : {}) };
  const answer = await read(check, { method: 'GET', route: `/${type}`, query });
  const channels = answer.type === 'ok' ? answer.body.channels : undefined;
  const first = isList(channels) ? channels[0] : undefined;
  const url = isObject(first) ? (first as JsonObject).channel_url : undefined;
  return typeof url === 'string' ? { channel_type: type, channel_url: url } : undefined;
}

/** Repeats the read a few times after a 429 or an unknown outcome, which is safe for reads. */
async function read({ platform, clock }: OnlineCheck, request: ApiRequest): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await platform.send(request);
    if (answer.type === 'ok' || answer.type === 'refused' || attempt === attempts) return answer;
    const waitS = answer.type === 'limited' || answer.type === 'unknown' ? answer.retryAfterS : undefined;
    await clock.sleep(waitS === undefined ? pauseMs * attempt : waitS * 1000);
  }
}

function refusedToken({ application }: OnlineCheck, message: string): Refusal {
  return new Refusal(
    'token.refused',
    exitCode.authentication,
    `${application} refuses the API token: ${message}`,
    'Check CHATFORM_API_TOKEN and the application’s id in base_url: a token belongs to one application.',
  );
}

function unreachable({ application }: OnlineCheck, answer: Exclude<Answer, { type: 'ok' }>): Refusal {
  const said = answer.type === 'limited' ? 'it keeps answering 429' : answer.message;
  return new Refusal(
    'application.unreachable',
    exitCode.unexpected,
    `${application} cannot be read: ${said}`,
    'Check base_url and the network. A common cause is a base_url that does not end in /v3.',
  );
}

const summaries: Readonly<Record<string, string>> = {
  'online.reached': 'The application responds',
  'online.rate-plan': 'The rate plan, according to the platform',
  'online.rate-unknown': 'The platform does not show its limits',
  'online.auto-accept': 'Invitations are accepted automatically',
  'online.retrieval': 'Reading messages',
  'online.retrieval-unknown': 'Reading messages could not be tried',
  'online.migration-unknown': 'Message migration could not be tried',
};

function remark(severity: Severity, code: string, detail: string): Diagnostic[] {
  return [{ severity, code, summary: summaries[code] ?? code, detail }];
}
