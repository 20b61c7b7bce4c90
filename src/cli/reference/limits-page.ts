// Generates schema/limits.md: the limits of chatform and of the platform, and measured figures.

import { maxImageBytes } from '../../core/kinds/definition/schemas.ts';
import { maxOperators } from '../../core/kinds/parts/operators.ts';
import { maxTimeMs } from '../../core/manifest/checks/expression.ts';
import { maxManifestBytes } from '../../core/manifest/files/access.ts';
import { maxAliasedValues, maxDepth } from '../../core/manifest/files/anchors.ts';
import { maxMessagesPerCall } from '../../core/manifest/history-files/history-files.ts';
import { maxShown } from '../../core/manifest/problems/problems.ts';
import { maxRows } from '../../core/manifest/rows/rows.ts';
import { channelsOfUser, messageLengths, ratePlans } from '../../core/model/limits.ts';
import type { Method } from '../../core/model/request.ts';
import { maxAnswerBytes } from '../../core/platform/exchange.ts';
import { limitsOf, strictRules } from '../../core/platform/limits.ts';
import { maxMembers, maxSupergroupMembers } from '../../core/resources/group-channel/attributes.ts';
import { maxLineBytes } from '../../lib/line-reader.ts';
import { maxCharacters } from '../../lib/patterns/linear-pattern.ts';
import { defaultBytes as defaultToolBytes } from '../mcp/answer.ts';
import { defaultBytes as defaultResultBytes } from '../output/result.ts';
import { maxBytes as maxReportBytes } from '../output/show-report.ts';
import { code, listedPage, table } from './markdown.ts';

const opening =
  'How large manifests, history files and results may be, how fast requests are sent, and how long commands take. [The manifest](manifest.md) and [the attributes](reference.md) have the limit of each key.';

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'DELETE'];

/** `benchmarks` is the text of test/bench/README.md. */
export function limitsPage(benchmarks: string): string {
  return listedPage('limits.md', opening, [
    '## Files',
    table(['What', 'At most', 'Beyond it'], fileLimits),
    '## Results',
    table(['What', 'At most', 'Beyond it'], resultLimits),
    '## The platform',
    table(['What', 'At most', 'How to change it'], platformLimits),
    '## Rate limits',
    'Requests a second for each endpoint, by rate plan. `application.limits` raises them, and `application.rate_share` limits chatform to a share of them.',
    table(
      ['Rate plan', ...methods],
      ratePlans.map((plan) => [code(plan), ...methods.map((method) => requestsOf(plan, method))]),
    ),
    'Stricter rules, the same in every plan:',
    table(
      ['Endpoint', 'Requests a second', 'Counted'],
      strictRules.map(({ route, calls, scope }) => [code(route), String(calls), `for each ${scope}`]),
    ),
    '## Performance',
    'The rate limits above set the pace of an apply, and `chatform plan` prints its duration. The figures below measure the work of chatform itself. They come from `test/bench/README.md` in the repository. That page also describes the machine and how to measure again.',
    'Budgets:',
    table(
      ['What', 'At most'],
      rowsBelow(benchmarks, '## Budgets').filter(([what]) => !what?.startsWith('code ')),
    ),
    'Processor time and memory for 100,000 objects: nine users and a channel of ten members for every ten objects.',
    table(
      ['Command', 'Node 20', 'Node 24', 'Node 26'],
      commandRows(benchmarks).map(([command = '', , large, , on24, on26]) => [
        command,
        ...[large, on24, on26].map(inUnits),
      ]),
    ),
  ]);
}

const fileLimits: readonly (readonly string[])[] = [
  ['a YAML file', bytes(maxManifestBytes), '`manifest.file-too-big`: move the objects to a file under `sources`'],
  ['a file under `sources`, a history file', 'any size', 'chatform reads them line by line'],
  ['a line of such a file', bytes(maxLineBytes), 'the line is an error'],
  ['objects from one `for_each`', count(maxRows), '`manifest.too-many`: use `sources`'],
  ['nested maps and lists', `${maxDepth} levels`, '`manifest.too-deep`'],
  ['values to which aliases expand', count(maxAliasedValues), '`manifest.too-many-aliases`'],
  ['a regular expression', `${count(maxCharacters)} characters`, '`manifest.bad-pattern`'],
  ['a rule of `policy.rules`', `${count(maxTimeMs / 1000)} s for each change`, 'the plan is refused'],
  ['an image of a user or channel', bytes(maxImageBytes), '`manifest.file-too-big`'],
];

const resultLimits: readonly (readonly string[])[] = [
  ['problems of one code in one file', count(maxShown), 'the others are counted'],
  [
    'a result with `--format json`',
    bytes(defaultResultBytes),
    'lists are cut, and `omitted` has the numbers. Set `--max-bytes`',
  ],
  ['a plan with `--format json`', 'any size', 'it is whole unless you set `--max-bytes`'],
  ['a report that `chatform show` reads', bytes(maxReportBytes), 'the command refuses the file'],
  ['a response of the platform', bytes(maxAnswerBytes), 'the request fails'],
  ['a result of an MCP tool', bytes(defaultToolBytes), 'lists are cut. Set `--max-bytes` of `chatform mcp`'],
];

const platformLimits: readonly (readonly string[])[] = [
  ['members of a group channel', count(maxMembers), '`is_super`'],
  ['members of a supergroup', count(maxSupergroupMembers), 'cannot be changed'],
  ['operators of a channel', count(maxOperators), 'cannot be changed'],
  [
    'group channels of a user',
    `${count(channelsOfUser.most)}, a warning from ${count(channelsOfUser.many)}`,
    'cannot be changed',
  ],
  [
    'characters of a message',
    count(messageLengths.usual),
    `\`application.limits.message_length\`, up to ${count(messageLengths.most)}, once the vendor raised it`,
  ],
  [
    'messages of a migration request',
    count(maxMessagesPerCall),
    '`application.limits.messages_per_migration`, once the vendor raised it',
  ],
];

function requestsOf(ratePlan: string, method: Method): string {
  const [bucket] = limitsOf({ ratePlan, limits: {}, share: 1 })({ method, route: '/' });
  return String(bucket?.calls ?? '');
}

/** Rows of what users wait for, without the cases of a benchmark. */
function commandRows(benchmarks: string): readonly (readonly string[])[] {
  const rows = rowsBelow(benchmarks, 'Nine users and a channel of ten members');
  return rows.filter(([command = '']) => !/\bn\b|2n|--out|state/u.test(command));
}

/** Returns the cells of the first table below a heading, row by row. */
function rowsBelow(page: string, text: string): readonly (readonly string[])[] {
  const at = page.indexOf(text);
  const [, rows] = /\n\|[^\n]*\n\|[-|: ]+\n((?:\|[^\n]*\n)+)/u.exec(at === -1 ? '' : page.slice(at)) ?? [];
  if (rows === undefined) throw new Error(`test/bench/README.md has no table below: ${text}`);
  return rows
    .trimEnd()
    .split('\n')
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** `4.11, 150` is seconds and MB. */
function inUnits(figures = ''): string {
  const [seconds = '', megabytes = ''] = figures.split(', ');
  return `${seconds} s, ${megabytes} MB`;
}

function count(amount: number): string {
  return amount.toLocaleString('en');
}

/** `200 MB`, or `64 KiB` for a power of two. */
function bytes(amount: number): string {
  if (amount % 1_048_576 === 0) return `${count(amount / 1_048_576)} MiB`;
  return amount % 1024 === 0 && amount % 1000 !== 0 ? `${count(amount / 1024)} KiB` : `${count(amount / 1_000_000)} MB`;
}
