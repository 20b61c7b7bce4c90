// The users that are measured with, in files and in state. They are made by formula, so that every run measures the same.
import { nodeClock } from '../../src/core/app/context/this-process.ts';
import { keyOf } from '../../src/core/model/address.ts';
import type { StateRecord } from '../../src/core/model/record.ts';
import { openBackend } from '../../src/core/state/index.ts';
import { writeWhole } from '../../src/lib/durable-files.ts';

const application = 'bench';
export const opening = { application, lockTimeoutMs: 0 };

/** With its keys in order, as records of plans have them. */
export function recordAt(place: number, isEdited = false): StateRecord {
  return {
    address: `user.user-${String(place).padStart(7, '0')}`,
    attributes: {
      metadata: { locale: 'en-GB', plan: place % 3 === 0 ? 'paid' : 'free', team: `team-${place % 50}` },
      nickname: `User number ${place}${isEdited ? ', edited' : ''}`,
      profile_url: `https://cdn.example.com/profile/${place}.png`,
    },
  };
}

function* manyRecords(count: number): Generator<StateRecord> {
  for (let place = 0; place < count; place += 1) yield recordAt(place);
}

/** As NDJSON. `editedEvery`: every n-th has another nickname than in state. */
export async function writeUsers(file: string, count: number, editedEvery = Number.POSITIVE_INFINITY): Promise<void> {
  await writeLines(file, count, (place) => {
    const { address, attributes } = recordAt(place, Number.isFinite(editedEvery) && place % editedEvery === 0);
    return `${JSON.stringify({ user_id: keyOf(address), ...attributes })}\n`;
  });
}

export async function writeLines(file: string, count: number, lineAt: (place: number) => string, head = '') {
  function* text(): Generator<string> {
    yield head;
    for (let place = 0; place < count; place += 1) yield lineAt(place);
  }
  await writeWhole(file, text());
}

/** As an apply leaves them in a folder. */
export async function storeUsers(folder: string, count: number, identity = application): Promise<void> {
  const backend = await openBackend(`file:${folder}`, contextAt(folder));
  const writer = await backend.open({ ...opening, application: identity });
  await writer.replace({ header: writer.header, serial: 1, records: () => manyRecords(count), pending: [] });
}

let ids = 0;
export const contextAt = (cwd: string) => ({
  clock: nodeClock,
  owner: { user: 'bench', host: 'bench', pid: process.pid },
  newId: () => `bench-${++ids}`,
  cwd,
});
