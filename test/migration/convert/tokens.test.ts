// Tests that no output of a conversion has the query of a place or a token: both are planted in every field of every source.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../../src/core/model/errors.ts';
import { sources } from '../../../src/migration/convert/sources/index.ts';
import { writeFiles } from '../../support/folders.ts';
import { runCli } from '../../support/run-cli.ts';
import { inSuite } from '../../support/suite.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { convertFiles, convertTables } from './support/converted.ts';
import { decided } from './support/series.ts';
import { systems } from './support/systems.ts';

const secret = 'pl4nted';
const place = `https://files.example/a.png?sig=${secret}&own=${secret}`;
/** Fields in which people write, where a link is text, and those that decide what a row is. */
const written =
  /^(?:text|message|content|name|nickname|display_name|real_name|title|real_name_normalized|username|userName|first_name|last_name|type|fallback|subtype|custom_type|data|topic|purpose|header|.*\*)$/u;
/** Fields with ids. Each is planted alone, since a row whose id cannot be read has no other value. */
const identifying =
  /^(?:id|user|user_id|members|creator|team|channel|teams|operators|created_by|.*_ids?|channel_url|cid|authorId)$/u;

async function outputsOf(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = names
    .filter((entry) => entry.isFile())
    .map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8'));
  return (await Promise.all(texts)).join('\n');
}

const plain = (value: string): unknown => value;
const inList = (value: string): unknown => [value];
const shapes: readonly ((value: string) => unknown)[] = [
  plain,
  inList,
  (value) => ({ inner: [{ link: value }] }),
  (value) => [{ url: value, id: value, user: 'u1' }],
];

describe.for(systems)('$source', ({ source, restricted }) => {
  const fields = sources.find(({ name }) => name === source)?.fields ?? {};
  const kinds = (['user', 'channel', 'member', 'message'] as const).filter(
    (kind) => restricted.ids[kind] !== undefined,
  );

  test('writes neither queries nor tokens, whatever field has them', async () => {
    for (const kind of kinds) {
      const names = [...Object.keys(fields[kind] ?? {}), 'zq_field', 'callback_url'].filter(
        (name) => !written.test(name),
      );
      // A restricting field may leave the row out, and so hide what the others would show.
      const restricting = names.filter((name) => fields[kind]?.[name]?.restriction !== undefined);
      const ids = names.filter((name) => identifying.test(name));
      const others = names.filter((name) => !restricting.includes(name) && !ids.includes(name));
      const rows = [
        ...shapes.map((shape) => Object.fromEntries(others.map((name) => [name, shape(place)]))),
        Object.fromEntries(restricting.map((name) => [name, place])),
        ...ids.flatMap((name) =>
          inSuite([name.endsWith('s') ? inList : plain], shapes).map((shape) => ({ [name]: shape(place) })),
        ),
      ];
      for (const planted of rows) {
        // A file whose channel has no such id is not an export of the source.
        const converted = await convertFiles(source, restricted.files({ [kind]: planted })).catch((error: unknown) => {
          if (!(error instanceof Refusal) || error.message.includes(secret)) throw error;
        });
        if (converted === undefined) continue;
        const { folder } = converted;
        const all = await outputsOf(folder);
        expect(all).toContain('# What becomes of what the export holds');
        const at = all.indexOf(secret);
        const name = Object.keys(planted).join(', ');
        expect(at < 0 ? '' : `${kind}: ${name}: ${all.slice(Math.max(0, at - 200), at + 20)}`).toBe('');
      }
    }
  });

  test('keeps what people wrote', async () => {
    const text = `see ${place}`;
    const name =
      source === 'discord' ? 'content' : source === 'mattermost' || source === 'sendbird' ? 'message' : 'text';
    const { historyFiles } = await convertFiles(
      source,
      restricted.files({ message: { [name]: text } }),
      decided('', source),
    );
    expect(Object.values(historyFiles)[0]?.[0]?.message).toBe(text);
  });
});

const mapping = `version: 1
name: own
tables:
  users: { files: users.csv }
  rooms: { files: rooms.csv }
  messages: { files: messages.csv }
  uploads: { files: uploads.csv }
  votes: { files: votes.csv }
users: { from: users, id: "\${id}", name: "\${name}", picture: "\${photo}", deleted: "\${gone}" }
channels: { from: rooms, id: "\${id}", name: "\${name}", members: "\${members}" }
messages: { from: messages, id: "\${id}", channel: "\${room}", sender: "\${user}", time: "\${at}", text: "\${body}", thread: "\${root}", type: "\${kind}" }
files: { from: uploads, message: "\${msg}", url: "\${href}", name: "\${label}" }
reactions: { from: votes, message: "\${msg}", name: "\${emoji}", user: "\${user}" }
`;
const tables: Readonly<Record<string, readonly [header: string, row: string]>> = {
  'users.csv': ['id,name,photo,gone,more', '1,Ann,,,'],
  'rooms.csv': ['id,name,members,more', '7,Desk,1,'],
  'messages.csv': ['id,room,user,at,body,root,kind,more', '5,7,1,2024-01-01T00:00:00Z,hello,,,'],
  'uploads.csv': ['msg,href,label,more', '5,https://files.example/b.png,,'],
  'votes.csv': ['msg,emoji,user,more', '5,heart,1,'],
};

test('table: writes neither queries nor tokens, whatever column has them', async () => {
  for (const [file, [header, row]] of Object.entries(tables)) {
    for (const [column, name] of header.split(',').entries()) {
      if (name === 'name' || name === 'body' || name === 'emoji') continue;
      const files = Object.fromEntries(
        Object.entries(tables).map(([other, lines]) => [other, `${lines.join('\n')}\n`]),
      );
      const cells = row.split(',').with(column, place);
      const folder = await temporaryFolder();
      await writeFiles(folder, { ...files, [file]: `${header}\n${cells.join(',')}\n`, 'mapping.yaml': mapping });
      const args = ['convert', 'table', ...Object.keys(files), '--mapping', 'mapping.yaml', '--out-dir', 'chat'];
      const { stdout, stderr } = await runCli(args, { cwd: folder });
      const written = await outputsOf(join(folder, 'chat')).catch(() => '');
      expect((stdout + stderr + written).includes(secret) ? `${file}: ${name}` : '').toBe('');
    }
  }
});

test('table: tells files apart whose URLs differ only in the query', async () => {
  const rows = ['5,https://files.example/get?id=1,one', '5,https://files.example/get?id=2,two'];
  const files = Object.fromEntries(Object.entries(tables).map(([name, lines]) => [name, `${lines.join('\n')}\n`]));
  const { folder } = await convertTables({ ...files, 'uploads.csv': `msg,href,label\n${rows.join('\n')}\n` }, mapping);
  const lines = (await readFile(join(folder, 'conversion/files.ndjson'), 'utf8')).trimEnd().split('\n');
  expect(new Set(lines.map((line) => (JSON.parse(line) as { readonly from: string }).from)).size).toBe(2);
});
