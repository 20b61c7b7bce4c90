// Tests what the report of a conversion says about requests, time and the hosts of files.
import { beforeEach, expect, test } from 'vitest';
import type { ConvertResult } from '../../../src/core/model/conversion.ts';
import { publishedSchema } from '../../support/published-schema.ts';
import { decided, Series } from './support/series.ts';
import { ann, bob, type Files, room, said, slackFiles } from './support/small-exports.ts';

const file = (id: string, url: string, size?: number) => ({
  id,
  name: `${id}.png`,
  url_private: url,
  ...(size === undefined ? {} : { size }),
});
const saidAfter = (seconds: number, text: string, more: object = {}) => ({
  ...said,
  text,
  ts: `${1_704_096_000 + seconds}.000100`,
  ...more,
});

const workspace = {
  users: [ann],
  channels: [{ ...room, is_archived: true }],
  'room/2023-11-14': [
    ...Array.from({ length: 150 }, (_none, number) => saidAfter(number, `text ${number}`)),
    saidAfter(200, 'files', {
      files: [
        file('F1', 'https://files.slack.com/files-pri/T-F1/a.png', 1000),
        file('F2', 'https://files.slack.com/files-pri/T-F2/a.png', 24),
        file('F3', 'https://cdn.example.com/a.png?X-Amz-Date=20240101T000000Z&X-Amz-Expires=3600&X-Amz-Signature=abc'),
        file('F4', 'https://cdn.example.com/b.png', 5),
      ],
    }),
  ],
};

let series: Series;
beforeEach(async () => {
  series = await Series.of('slack');
});

const convert = async (files: Files = slackFiles(workspace)): Promise<ConvertResult> => {
  const result = JSON.parse(await series.converted(files, '--format', 'json')) as ConvertResult;
  expect(publishedSchema('results#converted')(result)).toEqual([]);
  return result;
};
const plan = async () => {
  const { stdout } = await series.chat('plan', '--format', 'json');
  const { requests, duration } = JSON.parse(stdout) as { readonly requests: unknown; readonly duration: unknown };
  return { requests, duration };
};

test('the cost is that of the plan of an empty application, at the declared rate plan', async () => {
  const first = await convert();
  const { requests, duration } = await plan();
  expect(first.cost).toEqual({ rate_plan: '5k_mau', requests, duration });
  await series.write({
    'application.yaml': 'version: 1\napplication: { base_url: "emulator:.chatform/emulator", rate_plan: free_trial }\n',
  });
  const slower = await convert();
  const other = await plan();
  expect(slower.cost).toEqual({ rate_plan: 'free_trial', requests, duration: other.duration });
  expect(other.duration).not.toEqual(duration);
  for (const name of ['report.md', 'report.html'])
    expect(await series.read(`conversion/${name}`)).toMatch(
      /empty application takes \d+ requests at the rate plan free_trial\. Takes at least [\d.]+ s, limited by POST/u,
    );
});

const liked = { reactions: [{ name: '+1', users: ['U000001'] }] };
test.for([
  [
    'a deactivated sender whose lines are out of order',
    { 'room/2023-11-15': [saidAfter(60, 'a', { user: 'U000002' })] },
  ],
  ['reactions that are sent', { 'room/2023-11-15': [saidAfter(300, 'a', liked)] }],
  [
    'lines of an earlier conversion',
    { 'room/2023-11-14': [saidAfter(900, 'b')] },
    { 'room/2023-11-14': [saidAfter(0, 'a', liked)] },
  ],
] as const)('the cost of a history file with %s is that of its plan', async ([, exported, earlier]) => {
  await series.write({ 'conversion/decisions.yaml': decided('messages: { reactions: send }') });
  const users = [ann, { ...bob, deleted: true }];
  const given = (lists: Readonly<Record<string, readonly unknown[]>>) => slackFiles({ ...workspace, users, ...lists });
  if (earlier !== undefined) await convert(given(earlier));
  const { cost } = await convert(given(exported));
  expect(cost).toEqual({ rate_plan: '5k_mau', ...(await plan()) });
});

test.for([
  ['have errors', 'application: { base_url: 7 }', 'The manifests have errors, which chatform validate shows.'],
  ['declare no application', 'users: {}', 'The manifests do not declare an application with a usable base_url.'],
] as const)('the report says that the cost is not known if the manifests %s', async ([, text, why]) => {
  await series.write({ 'application.yaml': `version: 1\n${text}\n` });
  expect((await convert()).cost).toBeUndefined();
  expect(await series.read('conversion/report.md')).toContain(
    `## Requests and time\n\nNot known what it costs to send everything. ${why}\n`,
  );
});

test('counts files and bytes by host, with logins and signatures', async () => {
  const { attachments } = await convert();
  const signed = { signed: 1, last_end: '2024-01-01T01:00:00.000Z' };
  expect(attachments.hosts).toEqual([
    { host: 'cdn.example.com', files: 2, bytes: 5, copied: 0, login: 0, ...signed },
    { host: 'files.slack.com', files: 2, bytes: 1024, copied: 0, login: 2, signed: 0 },
  ]);
  expect(await series.read('conversion/report.md')).toContain('| files.slack.com | 2 | 1 kB | 0 | 2 | 0 |  |');
  expect(await series.read('conversion/report.html')).toContain('cdn.example.com');
});
