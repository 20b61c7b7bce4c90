// Which users are many? Made by formula, in files and in state, so that every run measures the same.
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { addressOf } from '../../src/model/address.ts';
import { storeRecords } from './state-records.ts';

/** As NDJSON. `editedEvery`: every n-th has another nickname than in state. */
export function writeUsers(file: string, count: number, editedEvery = Number.POSITIVE_INFINITY): void {
  write(file, count, (place) => ({
    user_id: idOf(place),
    ...userOf(place, Number.isFinite(editedEvery) && place % editedEvery === 0),
  }));
}

/** As an apply leaves them. */
export async function storeUsers(folder: string, count: number, application?: string): Promise<void> {
  const users = function* () {
    for (let place = 0; place < count; place += 1) {
      yield { address: addressOf('user', idOf(place)), attributes: userOf(place) };
    }
  };
  await storeRecords(folder, users, application);
}

function write(file: string, count: number, lineOf: (place: number) => object): void {
  const descriptor = openSync(file, 'w');
  let text = '';
  for (let place = 0; place < count; place += 1) {
    text += `${JSON.stringify(lineOf(place))}\n`;
    if (text.length < 1 << 20) continue;
    writeSync(descriptor, text);
    text = '';
  }
  writeSync(descriptor, text);
  // So that nothing about the file changes any more when it is read.
  fsyncSync(descriptor);
  closeSync(descriptor);
}

function idOf(place: number): string {
  return `user-${String(place).padStart(7, '0')}`;
}

/** With its keys in order, as state keeps them. */
function userOf(place: number, isEdited = false) {
  return {
    metadata: { locale: 'en-GB', plan: place % 3 === 0 ? 'paid' : 'free', team: `team-${place % 50}` },
    nickname: `User number ${place}${isEdited ? ', edited' : ''}`,
    profile_url: `https://cdn.example.com/profile/${place}.png`,
  };
}
