// Whether people will see the messages of history files, and for how long: two settings of the platform decide (platform §16).
//
// By the vendor's pages, new members of a group channel see earlier messages only with display_past_message, and the platform
// keeps messages for message_retention_hours. Both are settings of the application, and of a custom type that has settings of
// its own. They are read before messages are sent.

import type { JsonObject } from '../../../lib/json.ts';
import { mapOf } from '../../kinds/definition/values.ts';
import { type Address, addressOf } from '../../model/address.ts';
import type { BehaviourValue } from '../../model/behaviours.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { HistoryPolicy } from '../../model/policy.ts';
import type { ApiRequest } from '../../model/request.ts';
import type { Step } from '../../model/step.ts';
import {
  expiringHistory,
  type HistoryFinding,
  type HistorySetting,
  hiddenHistory,
  notRead,
  type Switch,
} from './findings.ts';
import { type DeclaredHistoryFiles, declaredHistories, eachOfKind, type History } from './histories.ts';

/** Sends a read. */
export type Ask = (
  request: ApiRequest,
) => Promise<{ readonly type: 'ok'; readonly body: JsonObject } | { readonly type: string; readonly message?: string }>;

/** Opens a connection for a check, which asks over it. Without one, `otherwise` says what is not known for this reason. */
export type Reach = <T>(check: (ask: Ask) => Promise<T>, otherwise: (reason: string) => T) => Promise<T>;

export interface VisibilityContext {
  readonly now: Date;
  /** What the application answered to the questions that the documents leave open. */
  readonly behaviours?: ReadonlyMap<string, BehaviourValue> | undefined;
}

export interface VisibilityCheck extends DeclaredHistoryFiles, VisibilityContext {
  /** Whether the plan read the platform, and therefore sends a declared setting again that others changed. */
  readonly isRefreshed?: boolean;
}

/** Above this number of custom types, the rest is named as not read. */
const mostTypesRead = 100;

/** Asks nothing if no history file has messages to send. Otherwise one read, and one more for each custom type of their channels. */
export async function checkVisibility(check: VisibilityCheck, ask: Ask): Promise<HistoryFinding[]> {
  const histories = declaredHistories(check);
  return histories.length === 0 ? [] : checkHistories(histories, declaredSwitches(check), check, ask);
}

/** `switches`: what an apply sends before it creates the channels, by the address of the settings. */
export async function checkHistories(
  histories: readonly History[],
  switches: ReadonlyMap<Address, Switch>,
  { now, behaviours = new Map() }: VisibilityContext,
  ask: Ask,
): Promise<HistoryFinding[]> {
  const globalSettings = await ask({ method: 'GET', route: '/applications/settings_global' });
  if (!('body' in globalSettings)) return [notRead(histories, globalSettings.message ?? 'the platform did not answer')];
  const ofApplication = { place: 'settings.all_channels', address: addressOf('settings', 'application') };
  const settingsOfHistories: HistorySetting[] = [];
  for (const history of histories.slice(0, mostTypesRead)) {
    const { customType } = history;
    const address = addressOf('custom_type', customType);
    const settings = customType === '' ? undefined : await settingsOfType(customType, ask);
    const place = `custom_types.${customType}`;
    // Settings that the plan creates for a custom type replace those of the application, too.
    const isOfType = settings !== undefined || (customType !== '' && switches.has(address));
    const setting = isOfType ? { place, address } : ofApplication;
    const live =
      settings === undefined ? (isOfType ? {} : globalSettings.body) : { ...globalSettings.body, ...settings };
    const retention = { ...globalSettings.body, ...settings }.message_retention_hours;
    settingsOfHistories.push({
      history,
      ...setting,
      shown: live.display_past_message,
      retention,
      planned: switches.get(setting.address),
    });
  }
  const unread = histories.slice(mostTypesRead);
  return [
    ...hiddenHistory(settingsOfHistories, behaviours.get('historyLine')),
    ...expiringHistory(settingsOfHistories, now, behaviours.get('migrationRetention')),
    ...(unread.length === 0 ? [] : [notRead(unread, 'their custom types are too many to read')]),
  ];
}

/** The finding when the platform cannot be asked. Empty if no history file has messages. */
export function notKnown(check: DeclaredHistoryFiles, reason: string, advice?: string): HistoryFinding[] {
  return notKnownOf(declaredHistories(check), reason, advice);
}

export function notKnownOf(histories: readonly History[], reason: string, advice?: string): HistoryFinding[] {
  return histories.length === 0 ? [] : [notRead(histories, reason, advice)];
}

/** What the steps of a plan send of the switch, by the address of the settings. */
export function plannedSwitches(steps: Iterable<Pick<Step, 'address' | 'request'>>): Map<Address, Switch> {
  const switches = new Map<Address, Switch>();
  for (const { address, request } of steps) {
    const isOfType = address.startsWith('custom_type.');
    if (!isOfType && request?.route !== '/applications/settings_global') continue;
    const value = request?.body?.display_past_message;
    if (typeof value === 'boolean') switches.set(address, value ? 'on' : 'off');
    else if (isOfType && request?.method === 'POST' && !switches.has(address)) switches.set(address, 'created_without');
  }
  return switches;
}

const summaries: Readonly<Record<HistoryFinding['code'], string>> = {
  'history.hidden': 'Members may not see the message history',
  'history.expires': 'The platform may delete the message history soon',
  'history.unknown': 'Whether members will see the message history is not known',
};

/** Whether a person has decided about the finding in `policy.history`. */
export function isAccepted({ code }: Pick<HistoryFinding, 'code'>, accepted: HistoryPolicy = {}): boolean {
  return accepted[keyOf(code)] === 'accept';
}

function keyOf(code: HistoryFinding['code']): keyof HistoryPolicy {
  return code.replace('history.', '') as keyof HistoryPolicy;
}

/** Offers to accept the finding, unless a person has done so. */
export function adviceOn(finding: HistoryFinding, accepted: HistoryPolicy | undefined): string {
  const { code, advice, acceptableIf } = finding;
  return isAccepted(finding, accepted)
    ? advice
    : `${advice} If ${acceptableIf}, say so with policy: {history: {${keyOf(code)}: accept}}.`;
}

/** Dangers of a plan, unless the policy accepts them. */
export function dangersOf(findings: readonly HistoryFinding[], accepted: HistoryPolicy = {}): Diagnostic[] {
  return warningsOf(findings, accepted).map((warning, at) => {
    const finding = findings[at];
    return finding === undefined || isAccepted(finding, accepted) ? warning : { ...warning, dangerous: true };
  });
}

export function warningsOf(findings: readonly HistoryFinding[], accepted: HistoryPolicy | undefined): Diagnostic[] {
  return findings.map((finding) => ({
    severity: 'warning',
    code: finding.code,
    summary: summaries[finding.code],
    detail: `${finding.message} ${adviceOn(finding, accepted)}`,
  }));
}

/**
 * What an apply sends of the switch. Without a refresh, a declared value that state knows as applied is not sent again, so the
 * platform's value counts.
 */
function declaredSwitches({ resources, state, isWanted, isRefreshed }: VisibilityCheck): Map<Address, Switch> {
  const switches = new Map<Address, Switch>();
  for (const kind of ['settings', 'custom_type']) {
    for (const { address, attributes } of eachOfKind(resources, kind)) {
      if (isWanted?.(address) === false) continue;
      const { display_past_message: declared } = switchesIn(kind, attributes);
      const record = state?.get(address);
      const { display_past_message: applied } = switchesIn(kind, record?.attributes ?? {});
      const isSent = isRefreshed === true || applied !== declared;
      if (typeof declared === 'boolean' && isSent) switches.set(address, declared ? 'on' : 'off');
      else if (kind === 'custom_type' && record === undefined) switches.set(address, 'created_without');
    }
  }
  return switches;
}

function switchesIn(kind: string, attributes: JsonObject): JsonObject {
  return kind === 'settings' ? mapOf(attributes, 'all_channels') : attributes;
}

/** Undefined for a custom type without settings of its own. */
async function settingsOfType(type: string, ask: Ask): Promise<JsonObject | undefined> {
  const route = '/applications/settings_by_channel_custom_type/{custom_type}';
  const answer = await ask({ method: 'GET', route, params: { custom_type: type } });
  return 'body' in answer ? answer.body : undefined;
}
