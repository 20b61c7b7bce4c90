// Tests what the report of a conversion says about requests, time and the hosts of files.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { ConvertResult } from '../../src/model/conversion.ts';
import { writeFiles } from '../support/folders.ts';
import { publishedSchema } from '../support/published-schema.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const file = (id: string, url: string, size?: number) => ({
  id,
  name: `${id}.png`,
  url_private: url,
  ...(size === undefined ? {} : { size }),
});
const said = (ts: number, text: string, files: readonly object[] = []) => ({
  type: 'message',
  user: 'U000001',
  text,
  ts: `${1_704_096_000 + ts}.000100`,
  files,
});

let cwd = '';
beforeEach(async () => {
  cwd = await temporaryFolder();
  await writeFiles(join(cwd, 'export'), {
    'users.json': JSON.stringify([{ id: 'U000001', name: 'ann' }]),
    'channels.json': JSON.stringify([{ id: 'C000001', name: 'room', members: ['U000001'], is_archived: true }]),
    'room/2024-01-01.json': JSON.stringify([
      ...Array.from({ length: 150 }, (_none, number) => said(number, `text ${number}`)),
      said(200, 'files', [
        file('F1', 'https://files.slack.com/files-pri/T-F1/a.png', 1000),
        file('F2', 'https://files.slack.com/files-pri/T-F2/a.png', 24),
        file('F3', 'https://cdn.example.com/a.png?X-Amz-Date=20240101T000000Z&X-Amz-Expires=3600&X-Amz-Signature=abc'),
        file('F4', 'https://cdn.example.com/b.png', 5),
      ]),
    ]),
  });
});

const convert = async (): Promise<ConvertResult> => {
  const { stdout } = await runCli(['convert', 'slack', 'export', '--out', 'chat', '--format', 'json'], { cwd });
  const result = JSON.parse(stdout) as ConvertResult;
  expect(publishedSchema('results#converted')(result)).toEqual([]);
  return result;
};
const plan = async () => {
  const { stdout } = await runCli(['plan', '--format', 'json'], { cwd: join(cwd, 'chat') });
  const { requests, duration } = JSON.parse(stdout) as { readonly requests: unknown; readonly duration: unknown };
  return { requests, duration };
};

test('the cost is that of the plan of an empty application, at the declared rate plan', async () => {
  const first = await convert();
  const { requests, duration } = await plan();
  expect(first.cost).toEqual({ rate_plan: '5k_mau', requests, duration });
  await writeFiles(join(cwd, 'chat'), {
    'application.yaml': 'version: 1\napplication: { base_url: "emulator:.chatform/emulator", rate_plan: free_trial }\n',
  });
  const slower = await convert();
  const other = await plan();
  expect(slower.cost).toEqual({ rate_plan: 'free_trial', requests, duration: other.duration });
  expect(other.duration).not.toEqual(duration);
  for (const name of ['report.md', 'report.html'])
    expect(await readFile(join(cwd, 'chat/conversion', name), 'utf8')).toMatch(
      /empty application takes \d+ requests at the rate plan free_trial\. Takes at least [\d.]+ s, limited by POST/u,
    );
});

const day = (first: number, texts: readonly string[], fields: object = {}) =>
  JSON.stringify(texts.map((text, number) => ({ ...said(first + number, text), ...fields })));
const liked = { reactions: [{ name: '+1', users: ['U000001'] }] };

test.for([
  [
    'a deactivated sender whose lines are out of order',
    { 'room/2024-01-02.json': day(60, ['a'], { user: 'U000002' }) },
  ],
  ['reactions that are sent', { 'room/2024-01-02.json': day(300, ['a'], liked) }],
  [
    'lines of an earlier conversion',
    { 'room/2024-01-01.json': day(900, ['b']) },
    { 'room/2024-01-01.json': day(0, ['a'], liked) },
  ],
] as const)('the cost of an archive with %s is that of its plan', async ([, exported, earlier]) => {
  await writeFiles(join(cwd, 'chat'), {
    'conversion/decisions.yaml': 'format_version: 1\nsource: slack\nmessages: { reactions: send }\n',
  });
  const users = [
    { id: 'U000001', name: 'ann' },
    { id: 'U000002', name: 'bob', deleted: true },
  ];
  await writeFiles(join(cwd, 'export'), { 'users.json': JSON.stringify(users), ...earlier });
  if (earlier !== undefined) await convert();
  await writeFiles(join(cwd, 'export'), exported);
  const { cost } = await convert();
  expect(cost).toEqual({ rate_plan: '5k_mau', ...(await plan()) });
});

test.for([
  ['have errors', 'application: { base_url: 7 }', 'The manifests have errors, which chatform validate shows.'],
  ['declare no application', 'users: {}', 'The manifests do not declare an application with a usable base_url.'],
] as const)('the report says that the cost is not known if the manifests %s', async ([, text, why]) => {
  await writeFiles(join(cwd, 'chat'), { 'application.yaml': `version: 1\n${text}\n` });
  expect((await convert()).cost).toBeUndefined();
  const report = await readFile(join(cwd, 'chat/conversion/report.md'), 'utf8');
  expect(report).toContain(`## Requests and time\n\nNot known what it costs to send everything. ${why}\n`);
});

test('counts files and bytes by host, with logins and signatures', async () => {
  const { attachments } = await convert();
  expect(attachments.hosts).toEqual([
    {
      host: 'cdn.example.com',
      files: 2,
      bytes: 5,
      copied: 0,
      login: 0,
      signed: 1,
      last_end: '2024-01-01T01:00:00.000Z',
    },
    { host: 'files.slack.com', files: 2, bytes: 1024, copied: 0, login: 2, signed: 0 },
  ]);
  const report = await readFile(join(cwd, 'chat/conversion/report.md'), 'utf8');
  expect(report).toContain('| files.slack.com | 2 | 1 kB | 0 | 2 | 0 |  |');
  expect(await readFile(join(cwd, 'chat/conversion/report.html'), 'utf8')).toContain('cdn.example.com');
});
