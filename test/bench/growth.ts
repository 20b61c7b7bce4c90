// Times commands over estates that grow: objects beside as many others, removed objects, memberships, and many files.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { storeUsers, writeLines, writeUsers } from './many-users.ts';
import { columns, inInstalled, measureProgram, type Row } from './measure.ts';

const host = 'api-growth.sendbird.com/v3';
const environment = { ...process.env, CHATFORM_API_TOKEN: 'growth' };
const head = `version: 1\napplication: { base_url: "https://${host}" }\n`;
const membersOfRoom = 100;

export async function benchGrowth(most: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of [1_000, 10_000, 100_000].filter((size) => size <= most)) {
    for (const estate of [users, rooms, files])
      rows.push(...(await inInstalled((folder, main) => estate(folder, count, measured(folder, main)))));
  }
  return rows;
}

type Measure = (title: string, args: string) => Promise<Row>;

function measured(folder: string, main: string): Measure {
  return async (title, args) => ({
    command: title,
    ...columns(await measureProgram(folder, [main, ...args.split(' ')], environment)),
  });
}

/** The users that are in state, with more, fewer and edited ones. */
async function users(folder: string, count: number, measure: Measure): Promise<Row[]> {
  await storeUsers(join(folder, 'state'), count, host);
  const variants = { same: count, more: 2 * count, fewer: Math.floor(count * 0.99) };
  for (const [name, size] of Object.entries(variants)) await writeUsers(join(folder, `${name}.ndjson`), size);
  await writeUsers(join(folder, 'edited.ndjson'), count, 100);
  for (const name of [...Object.keys(variants), 'edited']) {
    const sources = `sources: [{ kind: user, file: ${name}.ndjson }]\n`;
    await writeFile(join(folder, `${name}.yaml`), head + sources);
  }
  return [
    await measure(`plan, ${count} users and as many new`, 'plan more.yaml --state file:state'),
    await measure(`plan, ${2 * count} new users`, 'plan more.yaml --state file:none'),
    await measure(`plan, ${count} users, no change`, 'plan same.yaml --state file:state'),
    await measure(`plan, ${count} users, 1 % removed`, 'plan fewer.yaml --state file:state'),
    await measure(`plan, ${count} users, 1 % edited`, 'plan edited.yaml --state file:state'),
  ];
}

/** Channels of 100 members, a hundredth of `count`. */
async function rooms(folder: string, count: number, measure: Measure): Promise<Row[]> {
  const all = count / membersOfRoom;
  await writeUsers(join(folder, 'users.ndjson'), 1_000);
  const member = (room: number, place: number): string =>
    `"user-${String((room * 7 + place) % 1_000).padStart(7, '0')}":{}`;
  await writeLines(join(folder, 'rooms.ndjson'), all, (room) => {
    const members = Array.from({ length: membersOfRoom }, (_, place) => member(room, place)).join();
    return `{"channel_url":"room-${room}","members":{${members}}}\n`;
  });
  const sources = 'sources: [{ kind: user, file: users.ndjson }, { kind: group_channel, file: rooms.ndjson }]\n';
  await writeFile(join(folder, 'rooms.yaml'), head + sources);
  return [
    await measure(`validate, ${count} memberships`, 'validate rooms.yaml'),
    await measure(`plan --out, ${count} memberships`, 'plan rooms.yaml --state file:none --out rooms.plan'),
  ];
}

/** Files of ten users each. */
async function files(folder: string, count: number, measure: Measure): Promise<Row[]> {
  await mkdir(join(folder, 'parts'));
  await writeFile(join(folder, 'parts/application.yaml'), head);
  for (let file = 0; file < count / 10; file += 1) {
    const declared = Array.from({ length: 10 }, (_, place) => `  user-${file}-${place}: { nickname: User }\n`);
    await writeFile(join(folder, `parts/${file}.yaml`), `version: 1\nusers:\n${declared.join('')}`);
  }
  return [await measure(`validate, ${count / 10} files`, 'validate parts')];
}
