// Tests which values a refresh notes that nobody declares, for every entry of every kind.
import { describe, expect, test } from 'vitest';
import { isAccess } from '../../../../src/core/kinds/definition/edit-effects.ts';
import type { AttributeDefinition } from '../../../../src/core/kinds/definition/kind.ts';
import { addressOf } from '../../../../src/core/model/address.ts';
import { UndeclaredTally } from '../../../../src/core/planner/live/undeclared-values.ts';
import { registry } from '../../../../src/core/resources/index.ts';
import { isList, type JsonObject, type JsonValue } from '../../../../src/lib/json.ts';
import { resource } from '../../../support/planning/planning.ts';

/** The value of a new object, if the entry has one. */
function neutralOf({ removed, initial, initialFrom, shape }: AttributeDefinition): JsonValue | undefined {
  if (shape !== undefined) return removed.how !== 'each' ? undefined : shape === 'map' ? {} : [];
  return removed.how === 'reset' ? removed.to : initialFrom === undefined ? initial : undefined;
}

function otherThan(neutral: JsonValue): JsonValue {
  if (typeof neutral === 'boolean') return !neutral;
  if (typeof neutral !== 'object' || neutral === null) return 'another';
  return isList(neutral) ? ['another'] : { another: {} };
}

const noted = registry.flatMap((kind) =>
  Object.entries(kind.attributes).flatMap(([name, definition]) => {
    const neutral = neutralOf(definition);
    const decides = kind.live !== undefined && isAccess(definition) && name !== kind.memberships;
    return decides && neutral !== undefined ? [{ kind, name, neutral, title: `${kind.name}.${name}` }] : [];
  }),
);

test('the values that people are told about are those that decide what they can do', () => {
  expect(noted.map(({ title }) => title).sort()).toEqual(
    [
      ...['group_channel', 'open_channel'].flatMap((kind) =>
        ['banned', 'custom_type', 'frozen', 'muted', 'operators'].map((name) => `${kind}.${name}`),
      ),
      ...['banned', 'display_past_message', 'muted', 'operators'].map((name) => `custom_type.${name}`),
      ...['channel_invitation_preference', 'is_privacy_mode', 'show_member'].map((name) => `bot.${name}`),
      'group_channel.is_public',
      'settings.ip_whitelist',
      'settings.push_enabled',
      'user.deactivated',
    ].sort(),
  );
});

describe.for(noted)('$title', ({ kind, name, neutral }) => {
  const address = addressOf(kind.name, 'key');
  const notesOn = (live: JsonValue, managed: JsonObject, isRetired = false) => {
    const tally = new UndeclaredTally();
    const record = { address, attributes: managed, ...(isRetired ? { retired: true as const } : {}) };
    const object = { address, exists: true, attributes: { [name]: live }, facts: {} };
    tally.add(kind, { record, resource: undefined }, object);
    return tally.notes().map((note) => ('attribute' in note ? note.attribute : note.code));
  };

  test('is noted if it differs from that of a new object and nobody declares it', () => {
    const other = otherThan(neutral);
    expect(notesOn(other, {})).toEqual([name]);
    expect([notesOn(neutral, {}), notesOn(other, { [name]: other }), notesOn(other, {}, true)]).toEqual([[], [], []]);
  });
});

const exclusives = registry.flatMap((kind) =>
  Object.entries(kind.attributes).flatMap(([mode, { change }]) =>
    change === 'mode' ? [{ kind, mode, name: mode.replace(/_mode$/u, ''), title: `${kind.name}.${mode}` }] : [],
  ),
);

test.for(exclusives)(
  'an apply removes what others added to a list with an exclusive $title, so it is not noted',
  (one) => {
    const { kind, mode, name } = one;
    const notesOn = (block: JsonObject) => {
      const tally = new UndeclaredTally();
      const declared = resource(kind.name, 'key', { ...block, [name]: ['alice'] });
      const { address } = declared;
      const record = { address, attributes: { [name]: ['alice'] } };
      const live = { address, exists: true, attributes: { [name]: ['alice', 'bob'] }, facts: {} };
      tally.add(kind, { record, resource: declared }, live);
      return tally.notes().length;
    };
    expect(notesOn({ [mode]: 'exclusive' })).toBe(0);
    expect(notesOn({ [mode]: 'additive' })).toBe(name === kind.memberships ? 0 : 1);
  },
);
