// Tests a mapping that ships: its sample is converted, applied, verified and decoded. mappings.long.test.ts tests the others.
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { publishedSchema } from '../../../../support/published-schema.ts';
import { movedWith, shipped } from './support.ts';

test('ships only mappings that match the schema in their first line', async () => {
  const folders = readdirSync(shipped, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name)).toEqual([
    'cometchat',
    'firestore',
    'postgresql',
    'pubnub',
    'rocketchat',
    'synapse',
    'twilio',
    'zulip',
  ]);
  const check = publishedSchema('mapping');
  for (const { name } of folders) {
    const text = await readFile(join(shipped, name, 'mapping.yaml'), 'utf8');
    expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=../../../../schema/mapping.schema.json');
    expect(check(parse(text)), name).toEqual([]);
  }
});

test('keeps a dump of a self-built schema with its ids, times of a zone, threads, edits, reactions and files', async () => {
  const file = { url: 'https://files.acme.example/plan.pdf', name: 'plan.pdf', size: 20_480, type: 'application/pdf' };
  expect(await movedWith('postgresql')).toEqual([
    {
      id: 'acme:2:9007199254740996',
      sender: 'customer-2',
      time: Date.parse('2024-03-31T01:00:00Z'),
      order: '1',
      text: 'The plan of the house',
      reactions: [{ name: 'tada', users: ['customer-1'] }],
      files: [{ id: file.url, ...file }],
    },
    {
      id: 'acme:2:9007199254740997',
      time: Date.parse('2024-03-31T01:05:00Z'),
      order: '2',
      text: 'I left long ago',
    },
    {
      id: 'acme:1:9007199254740993',
      sender: 'customer-1',
      time: '2024-03-30T08:15:02.123456Z',
      order: '1',
      text: 'Welcome, everybody!',
      reactions: [{ name: '+1', users: ['customer-2', 'customer-3'] }],
    },
    {
      id: 'acme:1:9007199254740994',
      sender: 'customer-2',
      time: Date.parse('2024-03-30T08:16:40Z'),
      order: '2',
      text: 'First line\nand a second\twith a tab',
      thread: '9007199254740993',
      edited: Date.parse('2024-03-30T08:17:00Z'),
    },
  ]);
});
