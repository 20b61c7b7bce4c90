// Estates that grow, and the commands of their lives in order, as data.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { recordAt, writeLines, writeUsers } from './many-users.ts';

export interface Life {
  readonly title: string;
  readonly sizes: readonly number[];
  /** State is in S3 instead of a folder. */
  readonly isInStore?: boolean;
  /** Writes the manifests that the commands name. `head` has the version and the application. */
  write(folder: string, count: number, head: string): Promise<void>;
  readonly commands: readonly Command[];
}

interface Command {
  /** The name of the row. */
  readonly title: string;
  /** `URL` means that of the platform, and `NAME` the same without its scheme. */
  readonly args: string;
  /** The process is killed after this number of calls for each object. It gives no row. */
  readonly killedAt?: number;
}

const small = [1_000, 10_000, 100_000];

/** Nine users and a channel of ten members for every ten objects, in rows. */
async function writeMixed(folder: string, count: number, head: string): Promise<void> {
  const variants = { same: count, more: 2 * count, fewer: Math.floor(count * 0.99), edited: count };
  for (const [name, size] of Object.entries(variants)) {
    const channels = Math.floor(size / 10);
    await writeUsers(join(folder, `${name}-users.ndjson`), size - channels, name === 'edited' ? 100 : undefined);
    await writeRooms(join(folder, `${name}-rooms.ndjson`), { channels, members: 10, users: size - channels });
    const sources = `[{ kind: user, file: ${name}-users.ndjson }, { kind: group_channel, file: ${name}-rooms.ndjson }]`;
    await writeFile(join(folder, `${name}.yaml`), `${head}sources: ${sources}\n`);
  }
}

/** Channels of 100 members, a hundredth of `count`. */
async function writeMemberships(folder: string, count: number, head: string): Promise<void> {
  await writeUsers(join(folder, 'users.ndjson'), 1_000);
  await writeRooms(join(folder, 'rooms.ndjson'), { channels: count / 100, members: 100, users: 1_000 });
  const sources = '[{ kind: user, file: users.ndjson }, { kind: group_channel, file: rooms.ndjson }]';
  await writeFile(join(folder, 'same.yaml'), `${head}sources: ${sources}\n`);
}

interface Rooms {
  readonly channels: number;
  readonly members: number;
  /** The number of users to choose members from. */
  readonly users: number;
}

function writeRooms(file: string, { channels, members, users }: Rooms): Promise<void> {
  return writeLines(file, channels, (room) => {
    const keys = Array.from({ length: members }, (_, place) => recordAt((room * 7 + place) % users).address.slice(5));
    return `${JSON.stringify({ channel_url: `room-${room}`, members: Object.fromEntries(keys.map((key) => [key, {}])) })}\n`;
  });
}

/** Files of ten users each. */
async function writeFiles(folder: string, count: number, head: string): Promise<void> {
  await mkdir(join(folder, 'same.yaml'));
  await writeFile(join(folder, 'same.yaml/application.yaml'), head);
  for (let file = 0; file < count / 10; file += 1) {
    const users = Array.from({ length: 10 }, (_, place) => `  user-${file}-${place}: { nickname: User }\n`);
    await writeFile(join(folder, `same.yaml/${file}.yaml`), `version: 1\nusers:\n${users.join('')}`);
  }
}

const folders = Array.from({ length: 30 }, (_, place) => `estates/team-${place}`);

/** Folders with applications of their own, each with a part of the users. */
async function writeFolders(folder: string, count: number, head: string): Promise<void> {
  for (const [place, name] of folders.entries()) {
    const inner = join(folder, name);
    await mkdir(inner, { recursive: true });
    await writeUsers(join(inner, 'users.ndjson'), Math.floor(count / folders.length));
    // Each is an application of its own. A plan of new objects does not call the platform.
    const ofTeam = head.replace(/:\d+\//u, `:${place + 1}/`);
    await writeFile(join(inner, 'same.yaml'), `${ofTeam}sources: [{ kind: user, file: users.ndjson }]\n`);
  }
}

/** One YAML file, its copy with other nicknames, and one in another layout. */
async function writeOneFile(folder: string, count: number, head: string): Promise<void> {
  const user = (place: number, mark = ''): string =>
    `  user-${place}:\n    nickname: User ${place}${mark}\n    metadata: { plan: free, team: team-${place % 50} }\n`;
  await writeLines(join(folder, 'same.yaml'), count, (place) => user(place), `${head}users:\n`);
  await writeLines(join(folder, 'edited.yaml'), count, (at) => user(at, at % 100 === 0 ? '!' : ''), `${head}users:\n`);
}

const plans: readonly Command[] = [
  { title: 'validate', args: 'validate same.yaml' },
  { title: 'plan, n new', args: 'plan same.yaml' },
  { title: 'plan --out, n new', args: 'plan same.yaml --out new.plan' },
];

const readings: readonly Command[] = [
  { title: 'plan, no change', args: 'plan same.yaml' },
  { title: 'plan --refresh', args: 'plan same.yaml --refresh' },
  { title: 'drift', args: 'drift same.yaml' },
  { title: 'adopt', args: 'adopt *.* --path same.yaml --state file:other' },
  { title: 'state rebuild', args: 'state rebuild same.yaml --state file:rebuilt --force' },
  { title: 'export', args: 'export --base-url URL --out-dir exported --without-state' },
];

const lookUps: readonly Command[] = [
  { title: 'state list', args: 'state list --base-url URL' },
  { title: 'state show', args: 'state show user.user-0000000 --base-url URL' },
  { title: 'state log', args: 'state log --base-url URL' },
  { title: 'state pull', args: 'state pull copy.ndjson --base-url URL' },
  { title: 'explain', args: 'explain user.user-0000000 --path same.yaml' },
];

const additions: readonly Command[] = [
  { title: 'plan, 2n new', args: 'plan more.yaml --state file:none' },
  { title: 'plan, n present and n new', args: 'plan more.yaml' },
  { title: 'apply, killed', args: 'apply more.yaml --auto-approve', killedAt: 0.5 },
  { title: 'plan after a kill, n new', args: 'plan more.yaml' },
  { title: 'apply after a kill', args: 'apply more.yaml --auto-approve' },
];

/** The folder has several manifests with limits of their own. */
const apply: Command = { title: 'apply, n new', args: 'apply new.plan --approvals-from same.yaml' };

export const estates: readonly Life[] = [
  {
    title: 'mixed',
    sizes: small,
    write: writeMixed,
    commands: [
      ...plans,
      { title: 'show', args: 'show new.plan' },
      { title: 'rehearse', args: 'rehearse new.plan --approvals-from same.yaml' },
      apply,
      ...readings,
      ...lookUps,
      { title: 'plan, 1 % edited', args: 'plan edited.yaml' },
      { title: 'plan, 1 % removed', args: 'plan fewer.yaml' },
      { title: 'apply, 1 % edited', args: 'apply edited.yaml --state file:other --auto-approve' },
      { title: 'drift, 1 %', args: 'drift same.yaml' },
      { title: 'drift --repair --out', args: 'drift same.yaml --repair harmless --out repair.plan' },
      { title: 'undo', args: 'undo --path edited.yaml --state file:other --auto-approve' },
      ...additions,
      { title: 'destroy', args: 'destroy same.yaml --state file:other --confirm NAME' },
    ],
  },
  {
    title: 'state in S3',
    sizes: small.slice(0, 2),
    isInStore: true,
    write: writeMixed,
    commands: [...plans, apply, { title: 'plan, no change', args: 'plan same.yaml' }, ...lookUps, ...additions],
  },
  {
    title: 'memberships',
    sizes: [10_000, 100_000, 1_000_000],
    write: writeMemberships,
    commands: [...plans, apply, ...readings, ...lookUps],
  },
  { title: 'files of ten', sizes: small, write: writeFiles, commands: [...plans, apply, ...readings] },
  {
    title: '30 folders',
    sizes: small.slice(1),
    write: writeFolders,
    commands: [
      { title: 'validate --each', args: `validate --each ${folders.join(' ')}` },
      { title: 'plan --each, new', args: `plan --each ${folders.join(' ')}` },
      { title: 'plan --each, Markdown', args: `plan --format markdown --each ${folders.join(' ')}` },
    ],
  },
  {
    title: 'one file',
    sizes: [2_000, 20_000],
    write: writeOneFile,
    commands: [
      ...plans,
      { title: 'fmt, not formatted', args: 'fmt same.yaml' },
      { title: 'fmt, formatted', args: 'fmt same.yaml' },
      apply,
      ...readings,
      { title: 'apply, 1 % edited', args: 'apply edited.yaml --state file:other --auto-approve' },
      { title: 'drift --write, 1 %', args: 'drift same.yaml --write' },
    ],
  },
];
