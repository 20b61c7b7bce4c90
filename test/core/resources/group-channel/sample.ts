// Support: group channels in tests of all kinds.
import fc from 'fast-check';
import { mapOf } from '../../../../src/core/kinds/definition/values.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { flag, keyed, maybe, metadata, mode, text } from '../support/arbitraries.ts';
import { channelDeeds, channelValues, operators, restricted } from '../support/channel-sample.ts';
import type { KindSample, Section } from '../support/kind-sample.ts';

const urls = ['group-1', 'group-2', 'group-3', 'group-4', 'group-5'];

const memberLine = fc.record(
  {
    invitation_status: fc.constantFrom('joined', 'invited_by_friend', 'invited_by_non_friend'),
    hidden_status: fc.constantFrom('unhidden', 'hidden_allow_auto_unhide', 'hidden_prevent_auto_unhide'),
  },
  { requiredKeys: [] },
);

const groupBlock = (users: readonly string[], bots: readonly string[]) =>
  fc
    .tuple(
      fc.uniqueArray(fc.tuple(fc.constantFrom(...users), memberLine), { minLength: 1, selector: ([id]) => id }),
      fc.subarray([...bots]),
    )
    .chain(([people, programs]) => {
      const members = [...people, ...programs.map((id): [string, JsonObject] => [id, {}])];
      const inside = members.map(([id]) => id);
      return fc.record({
        banned: restricted(users.filter((id) => !inside.includes(id))),
        muted: restricted(people.map(([id]) => id)),
        name: maybe(text),
        custom_type: maybe(text),
        data: maybe(text),
        metadata: maybe(metadata(4)),
        is_public: maybe(flag),
        is_super: maybe(flag),
        is_ephemeral: maybe(flag),
        is_distinct: maybe(fc.constant(false)),
        inviter_id: maybe(fc.constantFrom(...users)),
        strict: maybe(flag),
        members: fc.constant(Object.fromEntries(members)),
        operators: operators(people.map(([id]) => id)),
        members_mode: mode,
        operators_mode: mode,
        frozen: maybe(flag),
        lifecycle: maybe(fc.constant({ on_remove: 'delete' })),
      });
    });

export const sample: KindSample = {
  values: {
    ...channelValues,
    members: [{ alice: {}, bob: {} }, { alice: {} }],
    is_super: [false, true],
    access_code: [
      { env: 'CODE', revision: 1 },
      { env: 'CODE', revision: 2 },
    ],
    inviter_id: ['alice', 'bob'],
  },
  // The platform refuses a channel without members.
  least: { members: { alice: {} } },
  // Only a public channel has a code.
  besides: { access_code: { is_public: true } },
  // Listed users need not be members.
  lenient: (block) => ({
    is_public: true,
    is_distinct: block.is_distinct === true && block.is_super !== true,
    members: { ...mapOf(block, 'members'), bob: {} },
  }),
  problems: { members: ['cannot-uninvite', 'distinct-members', 'no-members'].map((code) => `group_channel.${code}`) },
  apart: ['cover_file', 'access_code'],
  creationProblems: ['group_channel.no-members'],
  blocks: ({ user = {}, bot = {} }) => {
    const [users, bots] = [Object.keys(user), Object.keys(bot)];
    if (users.length === 0) return fc.constant<Section>({});
    return fc.subarray(urls).chain((keys) => keyed(keys, groupBlock(users, bots)));
  },
  deeds: (deed) => {
    const { key, person, number } = deed;
    const channel = `/group_channels/${encodeURIComponent(key)}`;
    const isOn = number % 2 === 0;
    return [
      ...channelDeeds(channel, deed),
      ['PUT', channel, { is_public: isOn }],
      ['POST', `${channel}/invite`, { user_ids: [person] }],
      ['PUT', `${channel}/leave`, { user_ids: [person] }],
      ['PUT', `${channel}/leave`, { user_ids: [person] }],
      ['PUT', `${channel}/hide`, { user_id: person, allow_auto_unhide: isOn }],
      ['PUT', `${channel}/accept`, { user_id: person }],
      ['PUT', `${channel}/decline`, { user_id: person }],
    ];
  },
};
