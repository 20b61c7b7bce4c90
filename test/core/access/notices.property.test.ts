// Compares what plans say that people notice with the events that the emulator sends, for any small plan. The emulator shares no
// code with the client. It writes no event messages itself, so their number is that of the events that they are about.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { NoticeSection } from '../../../src/core/model/people/notices.ts';
import { requestPath, requestQuery } from '../../../src/core/model/request.ts';
import type { Resource } from '../../../src/core/model/resource.ts';
import type { Step } from '../../../src/core/model/step.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { startReceiver } from '../../emulator/support/receiver.ts';
import { type Api, type Parsed, request, startApi } from '../../emulator/support/support.ts';
import { noLeaveMessages } from '../../support/leave-reasons.ts';
import { planFor, resources, type State, stateAfter } from '../../support/planning/planning.ts';
import { inSuite } from '../../support/suite.ts';

const people = ['ann', 'ben', 'cem', 'dee'] as const;
const helper = 'helper';

const flag = fc.boolean();
/** No document says which message a call of `user_leave` causes, so these are all off. */
const switches = fc.record({
  user_join: fc.record({ user_join: flag }),
  user_leave: fc.constant(noLeaveMessages),
  channel_create: fc.record({ public_channel: flag, private_channel: flag }),
  channel_change: fc.record({ channel_change: flag }),
});

const line = fc.constantFrom<JsonObject | undefined>(
  undefined,
  {},
  {},
  { hidden_status: 'hidden_allow_auto_unhide' },
  { hidden_status: 'hidden_prevent_auto_unhide' },
);
const channel = fc.record({
  // Somebody is always in it, since a message that only bots could read is not noticed.
  members: fc.tuple(line, line, line, line).map(membersOf),
  name: fc.constantFrom('Desk', 'Counter'),
  data: fc.constantFrom('', 'a'),
  custom_type: fc.constantFrom('', 'sales'),
  frozen: flag,
});

function membersOf(lines: readonly (JsonObject | undefined)[]): JsonObject {
  const entries = people.map((id, at) => [id, lines[at] ?? (id === 'ann' ? {} : undefined)] as const);
  return Object.fromEntries(entries.flatMap(([id, entry]) => (entry === undefined ? [] : [[id, entry]])));
}

/** Whether a channel is public cannot change, so both times have it from `isPublic`. */
const times = fc.record({
  before: fc.record({ room: fc.option(channel, { nil: undefined }), club: fc.option(channel, { nil: undefined }) }),
  after: fc.record({ room: channel, club: channel }),
  isPublic: flag,
  hasBot: flag,
  accepts: fc.tuple(flag, flag, flag, flag),
  events: fc.option(switches, { nil: undefined }),
});

type Times = typeof times extends fc.Arbitrary<infer T> ? T : never;

function declared({ isPublic, hasBot, accepts, events, ...sides }: Times, time: 'before' | 'after'): Resource[] {
  const bot = { [helper]: { bot_nickname: 'H', bot_type: 't', bot_callback_url: 'https://a.example' } };
  const channels = Object.entries(sides[time]).flatMap(([url, block]): [string, JsonObject][] => {
    if (block === undefined) return [];
    const members: JsonObject = { ...block.members, ...(hasBot && time === 'after' ? { [helper]: {} } : {}) };
    return [[url, { ...block, members, is_public: isPublic }]];
  });
  return resources({
    user: Object.fromEntries(people.map((id, at) => [id, { nickname: id, auto_accept: accepts[at] ?? true }])),
    ...(hasBot ? { bot } : {}),
    ...(events === undefined ? {} : { settings: { application: { auto_event_message: events } } }),
    group_channel: Object.fromEntries(channels),
  });
}

async function send(api: Api, steps: Iterable<Step>): Promise<void> {
  for (const { id, request: sent, doneOn } of steps) {
    if (sent === undefined) continue;
    const query = requestQuery(sent);
    const path = `${requestPath(sent)}${query === '' ? '' : `?${query}`}`;
    const { status, body } = await api.call(sent.method, path, sent.body);
    if (status !== 200 && !doneOn.includes(body.code)) throw new Error(`${id}: ${JSON.stringify(body)}`);
  }
}

/** What the events say, in the terms of the plan. */
function noticedIn(events: readonly Parsed[], on: Times['events']): JsonObject {
  const of = (name: string) => events.filter(({ category }) => category === `group_channel:${name}`);
  const [created, invited] = [of('create'), of('invite')];
  // A channel can begin hidden for its members, which the list of members says.
  const reached = [...created, ...invited].flatMap(({ members, invitees = members }) => {
    const entered = new Set(invitees.map((invitee: Parsed) => invitee.user_id));
    return members.flatMap(({ user_id, is_hidden }: Parsed) =>
      is_hidden === 0 && entered.has(user_id) && user_id !== helper ? [user_id] : [],
    );
  });
  const isAnnounced = ({ channel: { is_public } }: Parsed) =>
    on?.channel_create[is_public ? 'public_channel' : 'private_channel'] === true;
  const messages = [
    ...created.filter(isAnnounced),
    ...(on?.user_join.user_join === true ? invited : []),
    ...(on?.channel_change.channel_change === true ? of('changed') : []),
  ];
  return { invited: new Set(reached).size, messages: messages.length };
}

function noticedBy(plan: NoticeSection | undefined): JsonObject {
  const count = (notice: string) => plan?.counted.find((counted) => counted.notice === notice);
  return { invited: count('invitation')?.people ?? 0, messages: count('event_message')?.messages ?? 0 };
}

test('whoever a plan says is invited, and each message that it counts, is an event of its apply', async () => {
  const receiver = await startReceiver();
  const api = await startApi({ admin: true, deliver: { to: receiver.url } });
  const control = { ...api.emulator, url: api.emulator.url.replace('/v3', '') };
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(times, async (example) => {
      await request(control, 'POST', '/__reset');
      const webhook = { enabled: true, url: 'https://app.example/', enabled_events: ['*'], include_members: true };
      await api.ok('PUT', '/applications/settings/webhook', webhook);
      const first = planFor(declared(example, 'before'));
      expect(first.problems).toEqual([]);
      await send(api, first.plan.steps);
      await request(control, 'GET', '/__deliveries');
      receiver.received.length = 0;
      const state: State = stateAfter(new Map(), first.plan.steps);
      const second = planFor(declared(example, 'after'), state);
      expect(second.problems).toEqual([]);
      await send(api, second.plan.steps);
      // Answers once each event has been delivered.
      await request(control, 'GET', '/__deliveries');
      const noticed = noticedIn(
        receiver.received.map(({ body }) => body),
        example.events,
      );
      for (const [notice, count] of Object.entries(noticed)) if (count !== 0) seen.add(notice);
      expect(noticedBy(second.plan.notices)).toEqual(noticed);
    }),
    { numRuns: inSuite(20, 150) },
  );
  expect([...seen].sort()).toEqual(['invited', 'messages']);
});
