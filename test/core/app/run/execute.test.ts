// Tests when a run plans again under the lock: only if the state is not the one that its plan was made for.
import { expect, test } from 'vitest';
import { planPerState } from '../../../../src/core/app/run/execute.ts';
import type { Plan } from '../../../../src/core/model/plan.ts';
import { stateBackend } from '../../../../src/core/state/engine/backend.ts';
import type { UpkeepBackend } from '../../../../src/core/state/engine/upkeep.ts';
import { folderAddress } from '../../../../src/core/state/stores/folder.ts';
import { application, beginOf, now, Processes, put } from '../../../support/state/fixtures.ts';
import { Disk } from '../../../support/state/simulated-disk.ts';

type Happening = (backend: UpkeepBackend) => Promise<unknown>;

const applied: Happening = async (backend) => {
  const writer = await backend.open(now);
  await writer.done('step', put('a'));
  await writer.close();
};
const begun: Happening = async (backend) => {
  const writer = await backend.open(now);
  await writer.begin(beginOf('step'));
  await writer.close();
};
const nothing: Happening = () => Promise.resolve();
/** Takes the lock and changes nothing. */
const opened: Happening = async (backend) => (await backend.open(now)).close();

test.each<[string, number, Happening, Happening]>([
  ['a state that was never written', 1, nothing, nothing],
  ['a state that nobody had in between', 1, applied, nothing],
  ['a state that another run has changed', 2, applied, applied],
  ['a state that another run has opened', 2, applied, opened],
  ['a state that another run has written first', 2, nothing, applied],
  ['a state with a begun call, which the lock resolves', 2, begun, nothing],
])('%s is planned %i times', async (_, plans, before, between) => {
  const disk = new Disk();
  const backend = stateBackend(folderAddress('file:s', '/s', disk.mount()), new Processes().start());
  await before(backend);
  let made = 0;
  const against = planPerState(() => {
    made += 1;
    return { hash: String(made) } as Plan;
  });
  expect(against(await backend.read(application))).toEqual({ hash: '1' });
  await between(backend);
  const writer = await backend.open(now);
  expect(against(writer)).toEqual({ hash: String(plans) });
  await writer.close();
});
