// Which records are measured with, in every process alike?
import { nodeClock } from '../../src/app/session/node-clock.ts';
import type { StateRecord } from '../../src/model/record.ts';
import { openBackend } from '../../src/state/index.ts';

export const application = 'bench';
export const opening = { application, lockTimeoutMs: 0 };

/** With its keys in order, as records of plans have them. */
export function recordAt(index: number): StateRecord {
  const key = String(index).padStart(7, '0');
  return {
    address: `user.user-${key}`,
    attributes: {
      metadata: { source: 'import', team: `team-${index % 100}` },
      nickname: `User ${index}`,
      profile_url: `https://example.com/avatars/${key}.png`,
    },
  };
}

export function* manyRecords(count: number): Generator<StateRecord> {
  for (let index = 0; index < count; index += 1) yield recordAt(index);
}

/** As an apply leaves them in a folder. */
export async function storeRecords(
  folder: string,
  records: () => Iterable<StateRecord>,
  identity = application,
): Promise<void> {
  const writer = await (await openBackend(`file:${folder}`, contextAt(folder))).open({
    ...opening,
    application: identity,
  });
  await writer.replace({ header: writer.header, serial: 1, records, pending: [] });
}

let ids = 0;
export const contextAt = (cwd: string) => ({
  clock: nodeClock,
  owner: { user: 'bench', host: 'bench', pid: process.pid },
  newId: () => `bench-${++ids}`,
  cwd,
});
