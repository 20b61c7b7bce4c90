// What do users of such tools suffer from most, and which test here holds that it does not happen?
//
// A table, kept true: each row names a test, and is told when that test is no longer there.
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';

interface Pain {
  readonly pain: string;
  /** Below `test/`, and words of the test's title. */
  readonly held: readonly (readonly [string, string])[];
}

const pains: readonly Pain[] = [
  {
    pain: 'rate limits kill plan and apply',
    held: [
      ['platform/pacing.test.ts', '99 % and no 429'],
      ['applier/answers.test.ts', 'is waited out exactly, is no attempt and leaves no begin'],
    ],
  },
  { pain: 'fixed throttles are too slow', held: [['platform/pacing.test.ts', 'a second without headers: 99 %']] },
  { pain: 'a refresh is one read per object', held: [['refresh/refresh.test.ts', '10,000 users take 100 requests']] },
  {
    pain: 'writes are not batched',
    held: [['planner/full-channels.test.ts', 'a create with a hundred and invitations of at most a hundred']],
  },
  {
    pain: 'state is rewritten for every step',
    held: [['state/commit.test.ts', 'entries that arrive together are one write and one sync']],
  },
  {
    pain: 'slow, and large in memory, with many objects',
    held: [
      ['cli/spool.test.ts', 'values over several chunks'],
      ['planner/targets.test.ts', 'many targets cost one pass and one for each level of needs'],
    ],
  },
  {
    pain: 'a create timed out, and the next run says that it exists',
    held: [
      ['applier/answers.test.ts', 'to a create that had its effect is resolved by reading'],
      ['applier/answers.test.ts', 'is read before anything is sent: there'],
    ],
  },
  {
    pain: 'a crash loses state',
    held: [['state/crash.test.ts', 'any lives with any deaths and power failures']],
  },
  {
    pain: 'objects of several calls are half done, and nobody says so',
    held: [
      ['applier/crash.test.ts', 'one plan, a death at every moment'],
      ['planner/promise.test.ts', 'run again after any cut, the same estate needs no more steps than were left'],
    ],
  },
  {
    pain: 'one failure stops everything, and there is no way on',
    held: [
      ['applier/stops.test.ts', 'unlike ones go on until 50'],
      ['cli/exit-codes.test.ts', 'what was done is saved, the rest follows'],
    ],
  },
  {
    pain: 'a mass deletion by mistake',
    held: [
      ['cli/safety.test.ts', 'a file is missing'],
      ['planner/safety.test.ts', 'an empty set of manifests names each kind'],
      ['cli/destroy.test.ts', 'Does destroy take down what is in state, only for the application that was named'],
    ],
  },
  {
    pain: 'protection goes with the block that it protects',
    held: [
      ['planner/safety.test.ts', 'removing the object is refused, by whatever way, and with its protection at once'],
      ['cli/destroy.test.ts', '5: one protected object refuses all'],
    ],
  },
  {
    pain: 'thresholds stand in the way of what is meant, or a global force lifts all of them',
    held: [
      ['cli/safety.test.ts', 'one acknowledgement is enough, for the load and for the removal; then it is spent'],
      ['planner/acknowledgements.test.ts', 'goes on under the same number, though fewer remain'],
    ],
  },
  {
    pain: 'drift hides the real change',
    held: [
      ['planner/drift.test.ts', 'never declared: not ours, whatever is there'],
      ['cli/base-ref.test.ts', 'the branch, or what was merged before and not applied'],
    ],
  },
  { pain: 'a plan is too long for a pull request', held: [['view/markdown.test.ts', 'any plan, any budget']] },
  {
    pain: 'what is shown is not what runs',
    held: [
      ['planner/promise.test.ts', 'one after another: each is reached exactly, and the next plan is empty'],
      ['cli/exit-codes.test.ts', "args: ['plan', '--frmat', 'json']"],
    ],
  },
  {
    pain: 'a saved plan is stale too soon, or too late',
    held: [['cli/saved-plan.test.ts', 'overtaken by another run: a conflict before anything is written']],
  },
  { pain: 'a killed job leaves its lock', held: [['state/lock.test.ts', 'a dead process on this host: at once']] },
  {
    pain: 'secrets in state, plan, log and comment',
    held: [['cli/tokens.test.ts', 'the file has them, and neither state, plan, report, events nor output']],
  },
  {
    pain: 'an estate that exists is adopted by hand',
    held: [['cli/adopt.test.ts', 'all that is declared, by patterns: no write, and the next plan is empty']],
  },
  {
    pain: 'an object of somebody else is taken over silently',
    held: [['applier/answers.test.ts', 'is a conflict by default, and leaves no begin']],
  },
  {
    pain: 'a list removes people by surprise',
    held: [
      ['planner/observed.test.ts', 'and is not declared is left alone, and no drift'],
      ['planner/observed.test.ts', 'leaves where the list is the whole truth: each named, counted, and shown as drift'],
    ],
  },
  {
    pain: 'created, and not found a moment later',
    held: [['applier/answers.test.ts', 'whose effect comes late is ours when the key is taken']],
  },
  {
    pain: 'nobody knows how long it takes',
    held: [
      ['planner/facts.test.ts', 'the busiest bucket as the shortest duration'],
      ['applier/duration.test.ts', 'one long chain takes its length'],
    ],
  },
  {
    pain: 'history arrives twice, or not at all',
    held: [
      ['promise/messages.test.ts', 'the channel stays unknown, and nothing is sent twice'],
      ['cli/verify.test.ts', 'a loss and a duplicate in one channel, which the count does not show'],
    ],
  },
];

describe('each pain is held by a test', () => {
  test('there are twenty-five', () => {
    expect(pains).toHaveLength(25);
  });

  test.for(pains)('$pain', async ({ held }) => {
    for (const [file, title] of held) {
      expect(await readFile(new URL(`../${file}`, import.meta.url), 'utf8'), file).toContain(title);
    }
  });
});
