// Tests which URLs settings tell the platform to call, what a refresh of them costs, and whom allowed addresses lock out.
import { describe, expect, test } from 'vitest';
import { batchesOf, costOf, refreshSubjects } from '../../../../src/core/refresh/subjects.ts';
import { registry } from '../../../../src/core/resources/index.ts';
import { webhookEvents } from '../../../../src/core/resources/settings/events.ts';
import { settings } from '../../../../src/core/resources/settings/settings.ts';
import { equalJson, type JsonObject } from '../../../../src/lib/json.ts';
import { openPolicy, planFor, resources, stateOf } from '../../../support/planning/planning.ts';

test.for<[name: string, webhook: JsonObject, called: string[]]>([
  ['a webhook', { enabled: true, url: 'https://a.example' }, ['https://a.example']],
  ['one that is off', { enabled: false, url: 'https://a.example' }, ['https://a.example']],
  ['none', { enabled: false, url: '' }, []],
  ['one that is on and has no address', { enabled: true, url: '' }, ['']],
])('the address of %s', ([, webhook, called]) => {
  expect(settings.callbacks?.({ webhook }).map(({ url }) => url)).toEqual(called);
});

test.for<[declared: JsonObject, requests: number]>([
  [{ webhook: { enabled: false, url: '' } }, 1],
  [{ webhook: { enabled: false, url: '' }, all_channels: { allow_links: true } }, 2],
  [
    {
      webhook: { enabled: false, url: '' },
      all_channels: { allow_links: true },
      auto_event_message: { user_join: { user_join: true } },
      default_channel_invitation_preference: { auto_accept: true },
    },
    4,
  ],
])('a refresh costs a request for each setting that is declared: %j', ([application, requests]) => {
  const subjects = refreshSubjects(resources({ settings: { application } }), []);
  const limitsOf = () => [{ name: 'a', calls: 1, windowS: 1, share: 1 }];
  expect(costOf(batchesOf(subjects, registry), limitsOf).kinds).toEqual([
    { title: 'set of settings', objects: 1, requests },
  ]);
});

const all = [...webhookEvents];
const more = [...all, 'message:moderation_extension_triggered'];
const fewer = all.slice(1);

test.for<
  [name: string, known: readonly string[], on: readonly string[], has: readonly string[] | undefined, isSame: boolean]
>([
  ['all of a platform that has more', ['*'], more, more, true],
  ['all of a platform that has fewer', ['*'], fewer, fewer, true],
  ['all but one', ['*'], all, more, false],
  ['all that the documents list, of a platform that does not say', ['*'], all, undefined, true],
  ['all but one, of a platform that does not say', ['*'], fewer, undefined, false],
  ['each event by its name', all, all, all, true],
  ['some events', fewer, fewer, all, true],
  ['one event too many', fewer, all, all, false],
])('%s: a declared list of events is found again', ([, known, on, has, isSame]) => {
  const webhook = { enabled: true, url: '', enabled_events: on, ...(has && { all_webhook_categories: has }) };
  const found = settings.observe({ 'own webhook': { webhook } }).webhook as JsonObject;
  const asKnown = settings.attributes.webhook?.asKnown?.([...known].sort(), found.enabled_events ?? null);
  expect(equalJson(asKnown, [...known].sort())).toBe(isSame);
  expect(Object.keys(found)).not.toContain('all_webhook_categories');
});

test('an event that no document lists is a warning that names those of its topic', () => {
  const { problems } = settings.normalise('application', { webhook: { enabled_events: ['user:ban', 'message:sing'] } });
  expect(problems).toMatchObject([
    { severity: 'warning', code: 'settings.unknown-event', path: ['webhook', 'enabled_events', '1'] },
  ]);
  expect(problems[0]?.detail).toContain('They list message:report.');
});

describe('the addresses that may call the API', () => {
  const list = '/applications/settings/ip_whitelist';
  const declared = (...ip_whitelist: readonly string[]) => resources({ settings: { application: { ip_whitelist } } });
  const [one, two] = ['192.0.2.7/32', '198.51.100.0/24'];

  test.for<[what: string, before: string[], after: string[], calls: string[], lockouts: number]>([
    ['the first ones lock out everybody else', [], [one, two], [`lockout PUT ${one},${two}`], 2],
    ['a further one only lets more callers in', [one], [one, two], [`update PUT ${two}`], 0],
    ['the last one goes like the others, because undeclared ones may stay', [one], [], [`lockout DELETE ${one}`], 1],
    [
      'all go in one call, since chatform may be locked out between two',
      [one, two],
      [],
      [`lockout DELETE ${one},${two}`],
      2,
    ],
    ['a removed one locks out whoever used it', [one, two], [two], [`lockout DELETE ${one}`], 1],
    [
      'a replaced one is added before the other is removed',
      [one],
      [two],
      [`update PUT ${two}`, `lockout DELETE ${one}`],
      1,
    ],
  ])('%s', ([, before, after, calls, lockouts]) => {
    const state = before.length === 0 ? new Map() : stateOf(declared(...before));
    const { plan, refusals } = planFor(declared(...after), state);
    const made = [...plan.steps].flatMap(({ action, request }) =>
      request === undefined ? [] : [`${action} ${request.method} ${String(request.body?.ip_whitelist_addresses)}`],
    );
    expect(made).toEqual(calls);
    for (const { request } of plan.steps)
      expect(request?.query ?? {}).toEqual(request?.method === 'DELETE' ? request.body : {});
    expect(refusals.map(({ code }) => code)).toEqual(lockouts === 0 ? [] : ['safety.lockout']);
    const acknowledge = [{ effect: 'settings.lockout', count: lockouts }];
    const policy = { ...openPolicy, acknowledge };
    expect(planFor(declared(...after), state, { policy }).refusals).toEqual([]);
    for (const { request } of plan.steps) if (request !== undefined) expect(request.route).toBe(list);
  });

  test('a lockout comes after every other setting', () => {
    const application = { ip_whitelist: [one], push_enabled: false, all_channels: { allow_links: false } };
    const [last, ...others] = [...planFor(resources({ settings: { application } })).plan.steps].reverse();
    expect(last?.action).toBe('lockout');
    expect(others.length).toBeGreaterThan(1);
  });
});
