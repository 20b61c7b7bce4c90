// Tests that a run reads each file and each secret of its plan before its first write, and compares it with the plan.
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { RequestPlaceholder } from '../../../src/core/model/request.ts';
import { registry } from '../../../src/core/resources/index.ts';
import { isObject } from '../../../src/lib/json.ts';
import { reaching } from '../../support/desk.ts';
import { connected, Place } from '../../support/place.ts';

const account = (id: string) =>
  JSON.stringify({ project_id: 'app', private_key_id: id, private_key: `secret-of-${id}` });
const line = (message: string, more = {}) =>
  `${JSON.stringify({ user_id: 'first', message, dedup_id: message, timestamp: 1_600_000_000_000, ...more })}\n`;
const image = (end: string) => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(end)]);
const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n';

/** A file or variable that a request of the plan needs, with the manifest that names it. */
interface Source {
  readonly name: string;
  readonly manifest: string;
  readonly file?: string;
  readonly variable?: string;
  /** What an earlier apply sent. Absent: nothing. */
  readonly before?: string | Buffer;
  readonly planned: string | Buffer;
  /** A content that the plan does not name. Absent: any content is planned. */
  readonly other?: string | Buffer;
}

const attributes = registry.flatMap((kind) =>
  Object.entries(kind.attributes).map(([attribute, { schema }]) => ({ kind, attribute, schema })),
);
const blockOf = ({ name, section }: { readonly name: string; readonly section: string }, block: string) => {
  if (name === 'settings') return `settings: { ${block} }\n`;
  if (name === 'user') return `  subject: { nickname: S, ${block} }\n`;
  const members = name === 'group_channel' ? 'members: { first: }, ' : '';
  return `${section}: { subject: { name: S, ${members}${block} } }\n`;
};

const pictures = attributes
  .filter(({ schema }) => schema['x-file'] !== undefined)
  .flatMap(({ kind, attribute }): Source[] => {
    const picture = { manifest: blockOf(kind, `${attribute}: files/picture.png`), file: 'files/picture.png' };
    const contents = { planned: image('1'), other: image('2') };
    return [
      { name: `a new ${kind.name} with ${attribute}`, ...picture, ...contents },
      { name: `another ${attribute} of a ${kind.name}`, ...picture, ...contents, before: image('0') },
    ];
  });

const histories = registry
  .filter(({ children }) => children?.messages !== undefined)
  .flatMap((kind): Source[] => {
    const named = (file: string, more = '') => ({
      manifest: blockOf(kind, `messages: { file: ${file}${more} }`),
      file,
    });
    const plain = named('files/lines.ndjson');
    const later = line('later', { timestamp: 1_600_000_001_000 });
    const reply = line('reply', { timestamp: 1_600_000_001_000, parent: 'one' });
    return [
      { name: `a history of a new ${kind.name}`, ...plain, planned: line('one'), other: line('other') },
      {
        name: `a packed history of a new ${kind.name}`,
        ...named('files/lines.ndjson.gz'),
        planned: gzipSync(line('one')),
        other: gzipSync(line('other')),
      },
      {
        name: `lines that were added to a history of a ${kind.name}`,
        ...{ ...plain, before: line('one'), planned: line('one') + later },
        other: line('one') + later.replace('later', 'other'),
      },
      {
        name: `a history with threads of a ${kind.name}`,
        ...{ ...named('files/lines.ndjson', ', threads: send'), planned: line('one') + reply },
        other: line('other') + reply,
      },
    ];
  });

/** How each attribute that reads a variable is declared. */
const secretForms: Readonly<Record<string, Pick<Source, 'planned' | 'other'> & { readonly form: string }>> = {
  access_code: { form: 'is_public: true, access_code: { env: SECRET, revision: 1 }', planned: 'code' },
  fcm_key: {
    form: 'fcm_key: { env: SECRET, project_id: app, private_key_id: one }',
    ...{ planned: account('one'), other: account('two') },
  },
};
const secrets = attributes
  .filter(({ schema }) => isObject(schema.properties) && schema.properties.env !== undefined)
  .map(({ kind, attribute }): Source => {
    const { form, ...contents } = secretForms[attribute] ?? { form: `no form for ${attribute}`, planned: '' };
    const manifest = blockOf(kind, form);
    return { name: `${attribute} of a ${kind.name}`, manifest, variable: 'CHATFORM_VAR_SECRET', ...contents };
  });

/** The sources of each type of placeholder. A type without an entry does not compile. */
const byType: Readonly<Record<RequestPlaceholder['type'], readonly Source[]>> = {
  file: pictures,
  list: histories,
  secret: secrets,
  // Has no source: the time is in the plan, and it may pass during the run.
  seconds: [],
};

test('knows pictures, histories and secrets of every kind that has them', () => {
  expect(Object.entries(byType).map(([type, sources]) => [type, sources.length > 0])).toEqual(
    Object.keys(byType).map((type) => [type, type !== 'seconds']),
  );
});

const damages: readonly { readonly name: string; make(path: string, source: Source): unknown }[] = [
  { name: 'missing', make: () => {} },
  { name: 'a folder', make: (path) => mkdir(path) },
  { name: 'a pipe', make: (path) => execFileSync('mkfifo', [path]) },
  { name: 'a link to nothing', make: (path) => symlink('nowhere', path) },
  { name: 'empty', make: (path) => writeFile(path, '') },
  { name: 'a pointer of Git LFS', make: (path) => writeFile(path, pointer) },
  { name: 'changed', make: (path, { other = '' }) => writeFile(path, other) },
];

test.for(Object.values(byType).flat())('is compared before anything is sent: $name', async (source) => {
  const { manifest, file, variable, before, planned, other } = source;
  const { at, running } = await connected({ 'chat.yaml': `version: 1\nusers:\n  first: { nickname: F }\n${manifest}` });
  const put = async (place: Place, content: string | Buffer): Promise<Place> => {
    if (variable !== undefined) return place.with({ env: { [variable]: content.toString() } });
    await at.write({ 'files/.keep': '' });
    await writeFile(at.path(file ?? ''), content);
    return place;
  };
  if (before !== undefined) await (await put(at, before)).does('apply --auto-approve');
  const complete = await put(at, planned);
  // A line for every run, so that the plan also has a step that needs no source.
  await at.write({ 'chat.yaml': (await at.read('chat.yaml')).replace('nickname: F', 'nickname: Second') });
  await complete.does('plan --out plan.chatform');

  const writes = () => [...running.stats.requests].filter(([route]) => !route.startsWith('GET '));
  const sent = writes();
  const state = (await at.run('state list')).stdout;
  const refuses = async (name: string, place: Place, exit: number, ...says: readonly string[]) => {
    await place.ends('apply plan.chatform', exit, ...says, 'Nothing was sent.');
    expect([name, writes()]).toEqual([name, sent]);
    expect((await at.run('state list')).stdout).toBe(state);
  };
  if (file === undefined) {
    await refuses('missing', at, 65, 'apply.variable-missing', `${variable} is not set`);
    if (other !== undefined) await refuses('changed', await put(at, other), 65, 'apply.other-secret', `${variable}`);
  } else {
    for (const { name, make } of damages) {
      await rm(at.path(file), { recursive: true, force: true });
      await make(at.path(file), source);
      await refuses(name, at, 6, 'apply.file-changed', at.path(file));
    }
    await rm(at.path(file), { recursive: true, force: true });
    await put(at, planned);
  }
  await complete.does('apply plan.chatform');
  expect(writes()).not.toEqual(sent);
});

test.for<readonly [name: string, option: string, exit: number]>([
  ['in a folder that does not exist', 'nowhere/tokens', 5],
  ['a folder', 'folder', 5],
  ['a pipe', 'pipe', 5],
  ['a link that leads out of the folder', 'link', 1],
  ['a file of another kind', 'chat.yaml', 64],
])('the file for tokens is opened before anything is sent: %s', async ([, file, exit]) => {
  const { at, running } = await connected({
    'chat.yaml': 'version: 1\nusers:\n  first: { nickname: F }\n  second: { nickname: S, issue_access_token: true }\n',
    'folder/.keep': '',
  });
  execFileSync('mkfifo', [at.path('pipe')]);
  await symlink('../../outside', at.path('link'));
  await at.does('plan --out plan.chatform');
  await at.ends(`apply plan.chatform --tokens-out ${file}`, exit, /Nothing was (?:changed|done|written)/u);
  expect([...running.stats.requests].filter(([route]) => !route.startsWith('GET '))).toEqual([]);
  await at.does('apply plan.chatform --tokens-out tokens');
});

test('files that are missing are all named at once, with the place where each was looked for', async () => {
  const { at, running } = await connected({
    'chat.yaml': `version: 1
users: { first: { nickname: A, profile_file: pictures/a.png } }
group_channels:
  board: { name: B, members: { first: }, messages: { file: history/board.ndjson } }
  packed: { name: P, members: { first: }, messages: { file: history/packed.ndjson.gz } }
`,
    'history/board.ndjson': line('one'),
    'pictures/.keep': '',
    'elsewhere/.keep': '',
  });
  await writeFile(at.path('pictures/a.png'), image('1'));
  await writeFile(at.path('history/packed.ndjson.gz'), gzipSync(line('two')));
  await at.does('plan --out plan.chatform');
  await writeFile(at.path('elsewhere/plan.chatform'), await readFile(at.path('plan.chatform')));
  const files = ['pictures/a.png', 'history/board.ndjson', 'history/packed.ndjson.gz'];
  const elsewhere = new Place(at.path('elsewhere'), { env: reaching(running) });
  await elsewhere.ends('apply plan.chatform', 6, ...files.map((file) => at.path('elsewhere', file)));
});

test('a history file may have other line ends and further lines', async () => {
  const { at } = await connected({
    'chat.yaml':
      'version: 1\nusers: { first: { nickname: A } }\nopen_channels: { board: { name: B, messages: { file: a.ndjson } } }\n',
    'a.ndjson': line('one'),
  });
  await at.does('plan --out plan.chatform');
  await at.write({ 'a.ndjson': `${line('one').trimEnd()}\r\n${line('later')}` });
  await at.does('apply plan.chatform');
});
