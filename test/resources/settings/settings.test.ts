// Tests which addresses settings may tell the platform to call, and the cost of a refresh.
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/lib/json.ts';
import { batchesOf, costOf, refreshSubjects } from '../../../src/refresh/subjects.ts';
import { registry } from '../../../src/resources/index.ts';
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
  [{ webhook: { enabled: false, url: '' }, moderation: { a: {} } }, 2],
  [
    {
      webhook: { enabled: false, url: '' },
      moderation: { a: {} },
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
