// Support: arbitrary pairs of estates that one application can have one after the other.
import fc from 'fast-check';
import { kindOf } from '../../../src/core/model/address.ts';
import type { Resource } from '../../../src/core/model/resource.ts';
import { estate, possible } from './arbitrary-estates.ts';
import { resources, stateOf } from './planning.ts';

/** Objects of every kind that stay, because removing all objects of a kind needs an acknowledgement. */
const anchors = resources({
  user: { anchor: { nickname: 'Anchor' } },
  bot: {
    'anchor-bot': {
      bot_nickname: 'Anchor',
      bot_type: 'fixed',
      bot_callback_url: 'https://bots.example.com/a',
      is_privacy_mode: true,
    },
  },
  open_channel: { 'anchor-open': { name: 'Anchor' } },
  group_channel: { 'anchor-group': { members: { anchor: {} } } },
});
/** An estate and another one that the platform can make of it. */
export const twoEstates: fc.Arbitrary<readonly [Resource[], Resource[]]> = fc.tuple(estate, estate).map((both) => {
  const standing = new Set(anchors.map(({ address }) => kindOf(address)));
  const isIn = (one: readonly Resource[], kind: string) => one.some(({ address }) => kindOf(address) === kind);
  const kept = ({ address }: Resource) =>
    standing.has(kindOf(address)) || both.every((one) => isIn(one, kindOf(address)));
  const [before, wanted] = [both[0], both[1]].map((one) => [...one.filter(kept).map(withoutModes), ...anchors]);
  return [before ?? [], possible(wanted ?? [], stateOf(before ?? []))];
});

/** Modes matter only for a refresh of declarations, and a manifest may not use `constructor` as a key. */
function withoutModes(resource: Resource): Resource {
  const { members_mode: _members, operators_mode: _operators, ...attributes } = resource.attributes;
  const text = JSON.stringify({ ...resource, attributes });
  return JSON.parse(text.replaceAll('"constructor"', '"carol"').replaceAll('.constructor"', '.carol"')) as Resource;
}
