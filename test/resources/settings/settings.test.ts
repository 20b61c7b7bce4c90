// Tests which addresses settings may tell the platform to call, and the cost of a refresh.
import { expect, test } from 'vitest';
import { equalJson, type JsonObject } from '../../../src/lib/json.ts';
import { batchesOf, costOf, refreshSubjects } from '../../../src/refresh/subjects.ts';
import { registry } from '../../../src/resources/index.ts';
import { webhookEvents } from '../../../src/resources/settings/events.ts';
import { settings } from '../../../src/resources/settings/settings.ts';
import { resources } from '../../support/planning/planning.ts';

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
