// Support: custom types in tests of all kinds.
import fc from 'fast-check';
import { keyed, maybe, mode } from '../support/arbitraries.ts';
import { channelValues, operators, restricted } from '../support/channel-sample.ts';
import { channelSettings, channelSettingValues } from '../support/channel-settings.ts';
import type { KindSample } from '../support/kind-sample.ts';

const { metadata: _metadata, ...peopleValues } = channelValues;

/** Nobody is banned who operates the type. */
const block = (ids: readonly string[]) =>
  fc.subarray([...ids]).chain((outside) =>
    fc.record({
      ...channelSettings,
      push_template: maybe(
        fc.constantFrom({ MESG: 'New' }, { MESG: { title: 'Hi', body: '{message}' }, ADMM: 'News' }, { FILE: 'File' }),
      ),
      operators: operators(ids.filter((id) => !outside.includes(id))),
      operators_mode: mode,
      banned: restricted(outside),
      muted: restricted(ids),
    }),
  );

export const sample: KindSample = {
  values: { ...peopleValues, ...channelSettingValues, push_template: [{ MESG: 'New' }, { MESG: 'Newer' }] },
  // No channel of an estate has one of these types, so nobody is banned from a channel that they are declared in. No id has a
  // comma, which divides the ids of a call.
  blocks: ({ user = {} }) =>
    fc
      .subarray(['sales', 'a/b'])
      .chain((keys) => keyed(keys, block(Object.keys(user).filter((id) => !id.includes(','))))),
};
