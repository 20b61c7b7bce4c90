// Support: open channels in tests of all kinds.
import fc from 'fast-check';
import { flag, keyed, maybe, metadata, mode, text } from '../support/arbitraries.ts';
import { channelDeeds, channelValues, operators, restricted } from '../support/channel-sample.ts';
import type { KindSample } from '../support/kind-sample.ts';

const urls = ['open-1', 'open-2', 'open-3', 'open-4', 'open-5'];

/** Nobody in the channel is banned, and only members are muted. */
const openBlock = (users: readonly string[]) =>
  fc.subarray([...users]).chain((outside) =>
    openBlockBesides(
      users.filter((id) => !outside.includes(id)),
      outside,
    ),
  );

const openBlockBesides = (users: readonly string[], outside: readonly string[]) =>
  fc.record({
    banned: restricted(outside),
    muted: restricted(users),
    name: maybe(text),
    cover_url: maybe(text),
    custom_type: maybe(text),
    data: maybe(text),
    metadata: maybe(metadata(4)),
    is_ephemeral: maybe(flag),
    is_dynamic_partitioned: maybe(flag),
    operators: operators(users),
    operators_mode: mode,
    frozen: maybe(flag),
    lifecycle: maybe(fc.constant({ on_remove: 'delete' })),
  });

export const sample: KindSample = {
  values: channelValues,
  apart: ['cover_file'],
  blocks: ({ user = {} }) => fc.subarray(urls).chain((keys) => keyed(keys, openBlock(Object.keys(user)))),
  deeds: (deed) => channelDeeds(`/open_channels/${encodeURIComponent(deed.key)}`, deed),
};
