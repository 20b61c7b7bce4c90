// Counts the work of commands instead of timing it: what is parsed and visited, files that are opened, flushes and requests.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { startEmulator } from '../../src/emulator/server.ts';
import { type Place, place } from '../support/place.ts';

/** `visited`: elements of lists, maps and sets that are searched, sorted, copied or iterated over. */
const kinds = ['parsed', 'characters', 'visited', 'files', 'flushes', 'requests'] as const;
type Work = Readonly<Record<(typeof kinds)[number], number>>;

/** Methods of lists that call back for each element that they visit. */
const visitors = [
  'every',
  'filter',
  'find',
  'findIndex',
  'findLast',
  'findLastIndex',
  'flatMap',
  'map',
  'reduce',
  'some',
];
/** Methods of lists that may visit every element. */
const searches = ['includes', 'indexOf', 'join', 'lastIndexOf', 'sort', 'toSorted'];
const iterators = ['entries', 'keys', 'values', 'Symbol.iterator'];

/** Writes the counts of a process to the file of the environment variable PROBE when the process ends. */
const probe = `
const fs = require('node:fs');
const counts = ${JSON.stringify(Object.fromEntries(kinds.map((kind) => [kind, 0])))};
const write = fs.writeFileSync;
const { parse } = JSON;
JSON.parse = (text, reviver) => {
  counts.parsed += 1;
  counts.characters += text.length;
  return parse(text, reviver);
};
function replace(prototype, name, made) {
  const key = name === 'Symbol.iterator' ? Symbol.iterator : name;
  Object.defineProperty(prototype, key, { value: made(prototype[key]), configurable: true, writable: true });
}
for (const name of ${JSON.stringify(visitors)})
  replace(Array.prototype, name, (original) => function (visit, ...args) {
    return original.call(this, function (...values) {
      counts.visited += 1;
      return visit.apply(this, values);
    }, ...args);
  });
for (const name of ${JSON.stringify(searches)})
  replace(Array.prototype, name, (original) => function (...args) {
    counts.visited += this.length;
    return original.apply(this, args);
  });
for (const { prototype } of [Array, Map, Set])
  for (const name of ${JSON.stringify(iterators)})
    replace(prototype, name, (original) => function () {
      const iterator = original.call(this);
      return {
        next() {
          counts.visited += 1;
          return iterator.next();
        },
        [Symbol.iterator]() {
          return this;
        },
      };
    });
function counted(object, names, kind) {
  for (const name of names) {
    const original = object[name];
    object[name] = function (...args) {
      counts[kind] += 1;
      return original.apply(this, args);
    };
  }
}
counted(fs, ['open', 'openSync', 'readFile', 'readFileSync'], 'files');
counted(fs, ['fsync', 'fsyncSync', 'fdatasync', 'fdatasyncSync'], 'flushes');
counted(fs.promises, ['open', 'readFile'], 'files');
const { open } = fs.promises;
fs.promises.open = async (...args) => {
  const handle = await open(...args);
  counted(handle, ['sync', 'datasync'], 'flushes');
  return handle;
};
require('node:module').syncBuiltinESMExports();
require('node:diagnostics_channel').subscribe('undici:client:sendHeaders', () => {
  counts.requests += 1;
});
process.on('exit', () => write(process.env.PROBE, JSON.stringify(counts)));
`;

/** Runs a command of the installed program in the place. */
async function workOf(program: string, at: Place, env: Readonly<Record<string, string>>, command: string) {
  const [script, result] = [at.path('probe.cjs'), at.path('probe.json')];
  await writeFile(script, probe);
  const child = spawn(process.execPath, ['--require', script, program, ...command.split(' ')], {
    cwd: at.cwd,
    env: { PATH: process.env.PATH, NO_COLOR: '1', ...env, PROBE: result },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const [exit] = await once(child, 'close');
  expect(exit, `${command}: ${said}`).toBe(0);
  return (await at.readJson('probe.json')) as Work;
}

interface EditOptions {
  readonly isEdited?: boolean;
}

/** Nine users and a channel of ten members for every ten objects. */
function estate(url: string, count: number, { isEdited = false }: EditOptions = {}): Readonly<Record<string, string>> {
  const channels = Math.floor(count / 10);
  const userId = (place: number): string => `user-${String(place).padStart(6, '0')}`;
  const users = Array.from({ length: count - channels }, (_, place) =>
    JSON.stringify({ user_id: userId(place), nickname: `User ${place}${isEdited && place % 10 === 0 ? '!' : ''}` }),
  );
  const membersOf = (channel: number) =>
    Array.from({ length: 9 }, (_, member) => userId(channel * 9 + member)).join(': , ');
  const declared = Array.from(
    { length: channels },
    (_, channel) => `  room-${channel}: { members: { ${membersOf(channel)}: } }\n`,
  );
  return {
    'chat.yaml': `version: 1
application: { base_url: "${url}", rate_plan: 100k_mau }
sources: [{ kind: user, file: users.ndjson }]
group_channels:
${declared.join('')}`,
    'users.ndjson': `${users.join('\n')}\n`,
  };
}

/** The work of each command in the life of an estate that grows from n to 2n objects, or of the commands with these titles alone. */
async function lifeOf(count: number, program: string, titles?: readonly string[]): Promise<Life> {
  const platform = await startEmulator({ rateLimits: false });
  try {
    const { url } = platform;
    const env = { CHATFORM_API_TOKEN: platform.token };
    const at = await place(estate(url, count));
    const works = new Map<string, Work>();
    const run = async (title: string, command = title): Promise<void> => {
      if (titles?.includes(title) === false) return;
      works.set(title, await workOf(program, at, env, command));
    };
    await run('validate');
    await run('plan of new objects', 'plan');
    await run('plan --out new.plan');
    await run('apply new.plan');
    await run('plan without a change', 'plan');
    for (const command of ['plan --refresh', 'drift', 'state list', 'state show user.user-000000', 'state log'])
      await run(command);
    await run('explain user.user-000000');
    await run('adopt to another state', 'adopt *.* --state file:other');
    await run('adopt nothing more', 'adopt *.* --state file:other');
    await at.write(estate(url, 2 * count));
    await run('plan of as many new objects', 'plan');
    await run('apply of as many new objects', 'apply --auto-approve');
    await at.write(estate(url, 2 * count, { isEdited: true }));
    await run('plan of edits', 'plan');
    await run('apply of edits', 'apply --auto-approve');
    await run('undo 3 --auto-approve');
    await run('drift --write');
    await run('state rebuild --state file:rebuilt --force');
    const { host, pathname } = new URL(url);
    await run('destroy', `destroy --confirm ${host}${pathname}`);
    return works;
  } finally {
    await platform.close();
  }
}

const size = 150;
/** The time in which a busy machine runs all commands of two lives. */
export const patienceMs = 240_000;
/**
 * How often a limiter may visit each call that it remembers for every further one. It remembers those of a few seconds, which are
 * all calls of these estates on an idle machine.
 */
const visitsOfCall = 8;
/** Twice the estate, with room for a tree that is a level deeper. */
const most = 2.2;

type Life = ReadonlyMap<string, Work>;

/** The lives of an estate and of one of twice the size. `program` is the path for Node. */
export async function lives(program: string, titles?: readonly string[]): Promise<readonly [small: Life, large: Life]> {
  return [await lifeOf(size, program, titles), await lifeOf(2 * size, program, titles)];
}

/** Returns each count that more than doubles with the estate. */
export function faster([small, large]: Awaited<ReturnType<typeof lives>>): string[] {
  return [...small].flatMap(([command, before]) => {
    const after = large.get(command) ?? before;
    // The number of steps that share a flush depends on when their answers arrive, so flushes are compared with requests.
    const shared = 20 + 2 * after.requests;
    return kinds
      .filter((kind) => {
        const bound = before[kind] * most + 10;
        if (kind === 'visited') return after[kind] > bound + visitsOfCall * after.requests ** 2;
        return after[kind] > (kind === 'files' || kind === 'flushes' ? bound + shared : bound);
      })
      .map((kind) => `${command}: ${kind} ${before[kind]} -> ${after[kind]}`);
  });
}

/** Commands that find their records by the index of the state, and their application in the settings of the manifests. */
export const lookUps = ['state show user.user-000000', 'state log', 'state list'];

/** Returns the look-ups that parse more for the larger estate. */
export function growingLookUps([small, large]: Awaited<ReturnType<typeof lives>>): string[] {
  return lookUps
    .map((command) => ({ command, before: small.get(command)?.parsed, after: large.get(command)?.parsed }))
    .filter(({ before, after }) => before === undefined || before !== after)
    .map(({ command, before, after }) => `${command}: parsed ${before} -> ${after}`);
}

/** Returns the ways in which a plan that adds objects costs more than one of the whole and one without a change. */
export function dearAdditions([small, large]: Awaited<ReturnType<typeof lives>>): string[] {
  const added = small.get('plan of as many new objects');
  const [whole, unchanged] = [large.get('plan of new objects'), small.get('plan without a change')];
  return (['parsed', 'characters', 'files'] as const)
    .map((kind) => ({ kind, cost: added?.[kind] ?? Number.NaN, sum: (whole?.[kind] ?? 0) + (unchanged?.[kind] ?? 0) }))
    .filter(({ cost, sum }) => !(cost <= sum * 1.3))
    .map(({ kind, cost, sum }) => `${kind} ${cost} instead of ${sum}`);
}
