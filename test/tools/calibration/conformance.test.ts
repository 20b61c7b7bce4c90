// Tests that the table of conformance holds on the emulator, that a platform that lies differs, and that a run can be resumed.
import { expect, onTestFinished } from 'vitest';
import type { ConformanceDocument } from '../../../src/core/model/documents.ts';
import { registry } from '../../../src/core/resources/index.ts';
import { type Behaviours, describeBehaviours, parseBehaviours } from '../../../src/emulator/api/behaviours.ts';
import { stagedObjects } from '../../../src/tools/calibration/conformance-rows.ts';
import { connected, place } from '../../support/place.ts';
import { publishedSchema } from '../../support/published-schema.ts';
import { fastTest, longTest } from '../../support/suite.ts';
import { type Lie, startLying } from './lying.ts';

const command = 'conformance --auto-approve --rate-plan 100k_mau';

async function proven(lie: Lie = () => undefined, behaviours: Partial<Behaviours> = {}, exit = 0) {
  const { at, running, call } = await connected({}, { ratePlan: '100k_mau', behaviours });
  const before = await contents(call);
  const server = await startLying(running.url, lie);
  onTestFinished(server.close);
  const document: ConformanceDocument = await at.with({ env: { CHATFORM_BASE_URL: server.url } }).json(command, exit);
  return { at, document, before, after: await contents(call) };
}

const lists = ['/users', '/bots', '/open_channels', '/group_channels?show_empty=true'];
const contents = (call: (method: string, path: string) => Promise<object>) =>
  Promise.all(lists.map(async (path) => ({ ...(await call('GET', path)), ts: 0 })));

const notHeld = ({ rows }: ConformanceDocument) =>
  Object.fromEntries(rows.flatMap(({ claim, outcome }) => (outcome === 'held' ? [] : [[claim, outcome]])));

fastTest('every row holds on the emulator, and nothing is left', async () => {
  const { at, document, before, after } = await proven();
  expect(notHeld(document)).toEqual({});
  expect(document.rows.length).toBeGreaterThan(60);
  expect(publishedSchema('results#conformance')(document)).toEqual([]);
  expect(after).toEqual(before);
  expect(await at.content('.chatform')).toEqual({});
});

fastTest.for(['conformance', 'calibrate'])('%s refuses invalid manifests before its first request', async (name) => {
  const at = await place(
    {
      'a.yaml': 'version: 1\napplication: { base_url: "http://127.0.0.1:1/v3" }\n',
      'b.yaml': 'version: 1\napplication: { base_url: "http://127.0.0.1:2/v3" }\n',
    },
    { CHATFORM_API_TOKEN: 'token' },
  );
  const plan = await at.ends('plan', 65);
  expect((await at.ends(`${name} --auto-approve`, 65)).stderr).toBe(plan.stderr);
});

fastTest('has rows for every kind that a name space can have', () => {
  const sections = new Set(stagedObjects.map(({ section }) => section));
  // The settings are those of the whole application, and messages are part of a channel.
  const others = registry.filter(({ onlyKey, isChild }) => onlyKey === undefined && isChild !== true);
  expect(others.map(({ section }) => section).filter((section) => !sections.has(section))).toEqual([]);
});

const edited = ['edits a nickname', 'edits a picture', 'replaces discovery keys', 'replaces languages'];

/** Calls that a platform accepts without effect, and the rows that must then differ. */
const ignored: readonly (readonly [method: string, path: RegExp, field: string, claims: readonly string[]])[] = [
  ['PUT', /^\/v3\/users\/[^/]+-rich$/u, 'nickname', edited],
  ['PUT', /^\/v3\/users\/[^/]+-idle$/u, 'is_active', ['deactivates a user']],
  ['DELETE', /^\/v3\/users\/[^/]+-gone$/u, '', ['deletes a user']],
  [
    'PUT',
    /^\/v3\/bots\//u,
    '',
    ['edits the name of a bot', 'edits the callback of a bot', 'switches the privacy mode of a bot'],
  ],
  ['PUT', /^\/v3\/open_channels\/.*\/freeze$/u, '', ['freezes an open channel']],
  ['POST', /^\/v3\/open_channels\/.*\/ban$/u, '', ['bans a user from an open channel']],
  ['POST', /^\/v3\/open_channels\/.*\/mute$/u, '', ['mutes a user in an open channel']],
  ['POST', /^\/v3\/group_channels\/.*\/invite$/u, '', ['invites a user', 'removes a member']],
  ['PUT', /^\/v3\/group_channels\/.*\/hide$/u, '', ['hides a channel from a member']],
  ['PUT', /^\/v3\/group_channels\/.*\/accept$/u, '', ['accepts an invitation']],
  ['POST', /^\/v3\/migration\/.*-open-log$/u, '', ['migrates the history of an open channel']],
];

const ignoring =
  (calls: typeof ignored): Lie =>
  (method, path, body) => {
    const isIgnored = calls.some(
      ([of, at, field]) => of === method && at.test(path) && (field === '' || body[field] !== undefined),
    );
    if (!isIgnored) return undefined;
    const [, object = ''] = /^(\/v3\/[^/]+\/[^/]+)/u.exec(path) ?? [];
    if (path.endsWith('/ban'))
      return { user: { user_id: body.user_id ?? '' }, description: '', start_at: 0, end_at: -1 };
    // Answers with an unchanged object.
    return method === 'DELETE' || /\/(?:mute|hide)$|migration/u.test(path) ? {} : object;
  };

fastTest('a platform that accepts calls without effect differs in their rows, and only there', async () => {
  const { document } = await proven(ignoring(ignored), {}, 4);
  const claims = ignored.flatMap(([, , , rows]) => rows);
  expect(notHeld(document)).toEqual(Object.fromEntries(claims.map((claim) => [claim, 'differs'])));
  for (const { outcome, call = '', answer = '' } of document.rows)
    if (outcome === 'differs') expect([call, answer]).not.toContain('');
});

longTest.for(ignored)('a platform that ignores %s %s differs', async ([method, path, field, claims]) => {
  const { document } = await proven(ignoring([[method, path, field, claims]]), {}, 4);
  expect(notHeld(document)).toEqual(Object.fromEntries(claims.map((claim) => [claim, 'differs'])));
});

fastTest('rows of a feature that the application does not have say so, and all others hold', async () => {
  const refused = /^\/v3\/(?:bots|migration|group_channels\/[^/]+\/ban)/u;
  const { document } = await proven((_method, path) =>
    refused.test(path) ? { error: true, code: 400108, message: 'not allowed' } : undefined,
  );
  const missing = document.rows.filter(({ claim }) => /bot|migrates|replies|bans? .*group channel/u.test(claim));
  expect(missing.length).toBeGreaterThan(6);
  expect(Object.keys(notHeld(document)).filter((claim) => !missing.some((row) => row.claim === claim))).toEqual([]);
  expect(new Set(Object.values(notHeld(document)))).toEqual(new Set(['not_in_plan']));
});

fastTest.for([20, 90, 150])(
  'a run that is cut off at call %d goes on in the next, and leaves nothing',
  async (last) => {
    const { at, running, call } = await connected({}, { ratePlan: '100k_mau' });
    const before = await contents(call);
    let calls = 0;
    // The token is refused from some call on, which ends the run where it is.
    const lie: Lie = () => {
      calls += 1;
      return calls > last ? { error: true, code: 400401, message: 'wrong' } : undefined;
    };
    const server = await startLying(running.url, lie);
    onTestFinished(server.close);
    const there = at.with({ env: { CHATFORM_BASE_URL: server.url } });
    expect((await there.run(command)).exit).not.toBe(0);
    calls = Number.NEGATIVE_INFINITY;
    const document: ConformanceDocument = await there.json(command);
    expect([notHeld(document), new Set(document.rows.map(({ claim }) => claim)).size]).toEqual([
      {},
      document.rows.length,
    ]);
    expect(await contents(call)).toEqual(before);
  },
);

/** Behaviours other than the default ones, as `NAME=VALUE`. */
const behaviours = describeBehaviours().flatMap((line) => {
  const [name = '', values = ''] = line.split('=');
  return values
    .split('|')
    .slice(1)
    .map((value) => `${name}=${value}`);
});

/** Platforms that together have every reading. The behaviours of one feature are neighbours in the list, so each is on another platform. */
const platforms = Array.from({ length: 12 }, (_none, first) =>
  behaviours.filter((_reading, place) => place % 12 === first),
);

/** Rows that a behaviour takes from the table, because the platform then shows nothing to compare. */
const except: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'messageRetrieval=off': {
    'migrates the history of an open channel': 'not_in_plan',
    'migrates the history of a group channel': 'not_in_plan',
    'sends replies in threads at their times': 'not_in_plan',
  },
  'replyTime=ignored': { 'sends replies in threads at their times': 'differs' },
  'replyTime=refused': { 'sends replies in threads at their times': 'differs' },
};

longTest.for(platforms.map((together) => [together] as const))(
  'every row holds on a platform with %s',
  async ([together]) => {
    const rows: Record<string, string> = Object.assign({}, ...together.map((reading) => except[reading]));
    const { document } = await proven(
      undefined,
      parseBehaviours(together),
      Object.values(rows).includes('differs') ? 4 : 0,
    );
    expect(notHeld(document)).toEqual(rows);
  },
);
