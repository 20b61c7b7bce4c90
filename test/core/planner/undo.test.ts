// Tests that what an undo restores is in state as it was before the run, for every attribute of every kind.
import { describe, expect, test } from 'vitest';
import { type Address, addressOf } from '../../../src/core/model/address.ts';
import type { Step } from '../../../src/core/model/step.ts';
import { type Loss, restorationOf } from '../../../src/core/planner/undo/restoration.ts';
import { registry } from '../../../src/core/resources/index.ts';
import { planWords } from '../../../src/core/view/text/plan-problems.ts';
import type { JsonObject, JsonValue } from '../../../src/lib/json.ts';
import {
  kindNamed,
  planFor,
  resource,
  resources,
  type State,
  stateAfter,
  stateOf,
  withoutEmpty,
} from '../../support/planning/planning.ts';
import { leastOf, sampleOf, valuesOf } from '../resources/support/samples.ts';

const cases = registry
  .filter(({ isChild }) => isChild !== true)
  .flatMap((kind) => Object.entries(kind.attributes).map(([name, definition]) => ({ kind, name, definition })))
  // Nobody can declare such a value again after its line was removed.
  .filter(({ definition }) => definition.change !== 'create_only');

describe.each(cases)('$kind.name $name', ({ kind, name, definition }) => {
  const key = kind.onlyKey ?? 'key-1';
  const address = addressOf(kind.name, key);
  const of = (value: JsonValue | undefined) => {
    const { [name]: _own, ...rest } = leastOf(kind);
    const block: JsonObject = { ...rest, ...sampleOf(kind).besides?.[name] };
    return resource(kind.name, key, value === undefined ? block : { ...block, [name]: value });
  };
  const managed = (state: State) => withoutEmpty(state.get(address)?.attributes ?? {});
  const applied = (value: JsonValue | undefined, state: State) => {
    const { plan, problems } = planFor([of(value)], state);
    return problems.some(({ severity }) => severity === 'error') ? undefined : stateAfter(state, plan.steps);
  };

  test('is managed after an undo only if it was before, with its value', () => {
    const values = valuesOf(kind, name) ?? [];
    // `false` and absent both mean enabled, and only one of them is managed.
    const [first, second] = definition.change === 'closed' ? [false, true] : values;
    for (const [before, after] of [
      [first, undefined],
      [undefined, first],
      [first, second],
    ] as const) {
      const state = applied(before, new Map());
      const changed = state && applied(after, state);
      if (state === undefined || changed === undefined) continue;
      const losses: Loss[] = [];
      const left = changed.get(address);
      const touched = { kind, address, before: state.get(address), after: left, now: left, existed: false };
      const restoration = restorationOf(
        { ...touched, ends: undefined },
        () => undefined,
        (loss) => losses.push(loss),
        planWords,
      );
      if (losses.length > 0) continue;
      const wanted = restoration?.resource;
      const undone = wanted === undefined ? changed : stateAfter(changed, planFor([wanted], changed).plan.steps);
      expect(managed(undone), `${JSON.stringify(before)} → ${JSON.stringify(after)}`).toEqual(managed(state));
    }
  });
});

/** All sets of steps that a run may have done when it is killed. */
function possibleCuts(steps: Iterable<Step>): Step[][] {
  const cuts: Step[][] = [[]];
  for (const step of steps) {
    const before = cuts.filter((done) => step.needs.every((id) => done.some((other) => other.id === id)));
    cuts.push(...before.map((done) => [...done, step]));
  }
  return cuts;
}

test('an undo says of each channel that its deleted bot is gone, wherever the run was killed', () => {
  const user = { alice: { nickname: 'Alice' } };
  const bot_callback_url = 'https://bots.example.com/helper';
  const bot = { helper: { bot_nickname: 'Helper', bot_type: 'helper', bot_callback_url, is_privacy_mode: false } };
  const channel = { members: { alice: {}, helper: {} } };
  const declared = resources({ user, bot, group_channel: { retired: channel, second: channel, kept: channel } });
  const before = stateOf(declared);
  const wanted = resources({ user, group_channel: { kept: { members: { alice: {} } } } });
  const cuts = possibleCuts(planFor(wanted, before).plan.steps)
    .map((done) => stateAfter(before, done))
    .filter((state) => !state.has('bot.helper'));
  expect(cuts.length).toBeGreaterThan(2);
  const kind = kindNamed('group_channel');
  const channels = declared.map(({ address }) => address).filter((address) => address.startsWith('group_channel.'));
  for (const now of cuts) {
    const lost: Address[] = [];
    const restored = channels.flatMap((address) => {
      const run = { before: before.get(address), after: now.get(address), now: now.get(address) };
      const restoration = restorationOf(
        { kind, address, ...run, existed: false, ends: undefined },
        (other) => (other === 'bot.helper' ? 'deleted' : undefined),
        ({ reason }) => reason === 'deleted' && lost.push(address),
        planWords,
      );
      return restoration?.resource ?? [];
    });
    expect(lost).toEqual(channels);
    const undone = stateAfter(now, planFor(restored, now, { targets: channels }).plan.steps);
    expect(channels.map((address) => undone.get(address)?.attributes.members)).toEqual(
      channels.map(() => ({ alice: {} })),
    );
  }
});
