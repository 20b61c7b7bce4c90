// Tests what happens to a history file when its channel is removed, restored, or created anew by a plan without the history file.
import { test } from 'vitest';
import { historyFileOfLines, historyFileResource } from '../../../support/history-files.ts';
import { openPolicy, planFor, resources, stateAfter, stateOf } from '../../../support/planning/planning.ts';
import { expectPlans } from '../support/plans.ts';

const lines = [1, 2, 3].map((place) => ({
  message_type: 'MESG',
  timestamp: 1_600_000_000_000 + place,
  user_id: 'alice',
  message: `${place}`,
}));
const removed = resources({ user: { alice: { nickname: 'Alice' } } });
const channel = [...removed, ...resources({ open_channel: { lobby: {} } })];
const historyFile = (all: typeof lines) =>
  historyFileResource('open_channel', 'lobby', historyFileOfLines('lobby.ndjson', all));
const whole = [...channel, historyFile(lines)];
const grown = [...channel, historyFile([...lines, { ...lines[2], timestamp: 1_600_000_001_000 } as (typeof lines)[0]])];

const applied = stateOf(whole);
const policy = { on_remove: { open_channel: 'delete' as const } };
const deletion = [...planFor(removed, applied, { policy: { ...openPolicy, ...policy } }).plan.steps];
const [marked, deleted] = [1, 2].map((count) => stateAfter(applied, deletion.slice(0, count)));
const halfForgotten = new Map([...applied].filter(([address]) => address !== 'open_channel.lobby'));
const lineRemoved = stateAfter(applied, planFor(channel, applied).plan.steps);
const frozen = stateAfter(applied, planFor(removed, applied).plan.steps);
const opening = [...planFor(channel, frozen).plan.steps].slice(0, 1);
const source = { file: 'a.yaml', line: 1, column: 1 };
const forgotten = [{ address: 'messages.lobby', on_remove: 'forget', source }] as const;

test('plans a history file whose channel is removed, or whose line is', async () => {
  await expectPlans('history-files', {
    'deleted with its channel: marked before the deletion and forgotten after it': {
      desired: removed,
      state: applied,
      policy,
    },
    'declared again before the deletion: counts as sent': { desired: whole, state: marked ?? applied, policy },
    'declared again after the deletion: sent again': { desired: whole, state: deleted ?? applied, policy },
    'a new channel without it: forgotten first': { desired: channel, state: deleted ?? applied, policy },
    'nothing declared again: forgotten in the end': { desired: removed, state: deleted ?? applied, policy },
    'its channel alone taken out of state: it may have been sent': { desired: whole, state: halfForgotten, policy },
    'the same with --target on the channel alone': {
      desired: whole,
      state: halfForgotten,
      policy,
      targets: ['open_channel.lobby'],
    },
    'its line removed: retired without a call': { desired: channel, state: applied, policy },
    'its line removed, and retired: nothing': { desired: channel, state: lineRemoved, policy },
    'its line restored: recognised, and nothing is sent': { desired: whole, state: lineRemoved },
    'its line restored with a new message: only that is sent': { desired: grown, state: lineRemoved },
    'restored with its channel, which was frozen meanwhile: nothing is sent': { desired: whole, state: frozen },
    'listed under removed: forgotten': { desired: channel, state: applied, policy, removed: forgotten },
    'retired, and then listed under removed: forgotten': {
      desired: channel,
      state: lineRemoved,
      policy,
      removed: forgotten,
    },
    'retired, and then its channel is deleted: forgotten': { desired: removed, state: lineRemoved, policy },
    'the return of its channel interrupted: the channel is removed by the current policy': {
      desired: removed,
      state: stateAfter(frozen, opening),
      policy,
    },
    'its channel retired, whatever the policy is now: nothing': { desired: removed, state: frozen, policy },
  });
});
