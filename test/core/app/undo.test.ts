// Tests undo: how each change is undone, what is listed instead, and which run is selected.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { adoptObjects } from '../../../src/core/app/adopt.ts';
import { applyChanges } from '../../../src/core/app/apply.ts';
import { destroyEstate } from '../../../src/core/app/destroy.ts';
import { forgetObjects, stateLog } from '../../../src/core/app/state.ts';
import { planUndo, undoRun } from '../../../src/core/app/undo.ts';
import type { Plan } from '../../../src/core/model/plan.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { rebuildState } from '../../../src/tools/live-import/rebuild.ts';
import { writeFiles } from '../../support/folders.ts';
import { estate, identity, paths, type TestPorts, testPorts, withoutState } from './support/ports.ts';

const [head = ''] = estate.split(/(?<=rate_plan: 100k_mau \}\n)/u);
const free = 'removals: { max_share: 1 }, reopen: { deactivated: allow }';

/** Applies manifests in turn. Each contains the anchor, because removing all objects of a kind needs an acknowledgement. */
async function applied(texts: readonly string[], policy = free): Promise<TestPorts> {
  const ports = await testPorts({ 'one.ndjson': line(1), 'two.ndjson': line(1) + line(2) });
  for (const text of texts) {
    await writeFiles(ports.cwd, { 'chat.yaml': `${head}policy: { ${policy} }\n${text}` });
    const { report } = await applyChanges({ paths, tokensOut: 'tokens' }, ports);
    expect(report.failures).toEqual([]);
  }
  return ports;
}

function line(timestamp: number): string {
  return `${JSON.stringify({ message_type: 'MESG', user_id: 'alice', message: 'hi', timestamp: 1_700_000_000_000 + timestamp })}\n`;
}

const planOf = async (ports: TestPorts, run?: string) => (await planUndo({ paths, run }, ports)).plan;
const actionsOf = ({ changes }: Plan) =>
  Array.from(changes, ({ address, actions }) => `${address} ${actions.join(' ')}`);
const lossesOf = ({ warnings }: Plan) =>
  warnings.filter(({ code }) => code === 'undo.not-restored').map(({ detail }) => detail);

/** Blocks by section and key. Each row of the table has its own objects. */
type Blocks = Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;

const alice = { members: { alice: {} } };
/** The effect of an undo on the change from `before` to `after`. */
const ways: readonly {
  readonly title: string;
  readonly before?: Blocks;
  readonly after?: Blocks;
  readonly actions?: readonly string[];
  readonly losses?: readonly RegExp[];
}[] = [
  {
    title: 'retires a created object as its on_remove says',
    after: { users: { carol: { nickname: 'C' }, dave: { nickname: 'D', lifecycle: { on_remove: 'delete' } } } },
    actions: ['user.carol deactivate', 'user.dave delete'],
  },
  {
    title: 'sets an edited value and entry back',
    before: { users: { erin: { nickname: 'E', metadata: { a: 'x', b: 'y' } } } },
    after: { users: { erin: { nickname: 'F', metadata: { a: 'z', c: 'w' } } } },
    actions: ['user.erin update'],
  },
  {
    title: 'brings members back and removes those who were added',
    before: { group_channels: { 'room-m': { members: { alice: {}, bob: {} } } } },
    after: { group_channels: { 'room-m': { members: { alice: {}, fred: {} } } }, users: { fred: { nickname: 'F' } } },
    actions: ['group_channel.room-m invite leave', 'user.fred deactivate'],
  },
  {
    title: 'unfreezes a frozen channel',
    before: { open_channels: { 'open-u': { name: 'U' } } },
    after: { open_channels: { 'open-u': { name: 'U', frozen: true } } },
    actions: ['open_channel.open-u unfreeze'],
  },
  {
    title: 'freezes a channel that was frozen before',
    before: { open_channels: { 'open-f': { name: 'F', frozen: true } } },
    after: { open_channels: { 'open-f': { name: 'F', frozen: false } } },
    actions: ['open_channel.open-f freeze'],
  },
  {
    title: 'reactivates somebody who was removed',
    before: { users: { gina: { nickname: 'G' } } },
    actions: ['user.gina update reactivate'],
  },
  {
    title: 'deactivates somebody who returned',
    before: { users: { hank: { nickname: 'H', deactivated: true } } },
    after: { users: { hank: { nickname: 'H' } } },
    actions: ['user.hank deactivate'],
  },
  {
    title: 'lists a deleted object and its memberships',
    before: {
      users: { ivan: { nickname: 'I', lifecycle: { on_remove: 'delete' } } },
      group_channels: { 'room-d': { members: { alice: {}, ivan: {} } } },
    },
    after: { group_channels: { 'room-d': alice } },
    losses: [/^Run 2 deleted these.*group_channel\.room-d \(members\.ivan\), user\.ivan\.$/u],
  },
  {
    title: 'lists messages',
    before: { group_channels: { 'room-s': { ...alice, messages: { file: 'one.ndjson' } } } },
    after: { group_channels: { 'room-s': { ...alice, messages: { file: 'two.ndjson' } } } },
    losses: [/^Messages that run 2 sent.*: messages\.room-s\.$/u],
  },
  {
    title: 'lists a one-way attribute',
    before: { group_channels: { 'room-o': { ...alice, is_super: false } } },
    after: { group_channels: { 'room-o': { ...alice, is_super: true } } },
    losses: [/^The platform cannot change these back: group_channel\.room-o \(is_super is true/u],
  },
  {
    title: 'lists a token that was issued',
    before: { users: { jane: { nickname: 'J', issue_access_token: { revision: 1 } } } },
    after: { users: { jane: { nickname: 'K', issue_access_token: { revision: 2 } } } },
    actions: ['user.jane update'],
    losses: [/tokens, so these stay as they are: user\.jane \(issue_access_token\)\.$/u],
  },
  {
    title: 'lists attributes that were not managed before',
    before: { group_channels: { 'room-n': alice } },
    after: { group_channels: { 'room-n': { ...alice, name: 'N', data: 'x' } } },
    actions: ['group_channel.room-n update'],
    losses: [/^These were not managed before.*: group_channel\.room-n \(name\), group_channel\.room-n \(data\)\.$/u],
  },
];

const standing = { users: { alice: { nickname: 'Alice' }, bob: { nickname: 'Bob' } } };

/** JSON is YAML. */
function manifestWith(side: 'before' | 'after', rows = ways): string {
  const sections = ['users', 'open_channels', 'group_channels'].map((section) => [
    section,
    Object.assign({}, ...[standing as Blocks, ...rows.map((way) => way[side])].map((blocks) => blocks?.[section])),
  ]);
  return Object.entries(Object.fromEntries(sections) as JsonObject)
    .map(([section, blocks]) => `${section}: ${JSON.stringify(blocks)}\n`)
    .join('');
}

const users = (text: string, rest = '') => `users: { alice: { ${text} }, bob: { nickname: Bob }${rest} }\n`;
const plain = users('nickname: Alice');

describe('an undo', () => {
  // All rows share one estate and one plan.
  let planned: Promise<Plan> | undefined;
  const planOnce = async () => planOf(await applied([manifestWith('before'), manifestWith('after')]));

  test.each(ways)('$title', async ({ before = {}, after = {}, actions = [], losses = [] }) => {
    planned ??= planOnce();
    const plan = await planned;
    const keys = [before, after].flatMap((blocks) => Object.values(blocks).flatMap((section) => Object.keys(section)));
    const isOwn = (text: string) => keys.some((key) => text.startsWith(key, text.indexOf('.') + 1));
    expect(actionsOf(plan).filter(isOwn)).toEqual(actions);
    for (const loss of losses) expect(lossesOf(plan)).toContainEqual(expect.stringMatching(loss));
    if (losses.length === 0) expect(lossesOf(plan).join()).not.toMatch(new RegExp(`\\.(?:${keys.join('|')})\\b`, 'u'));
  });

  test('leaves nothing for the earlier manifests to do', async () => {
    const whole = ways.filter(({ losses }) => losses === undefined);
    const ports = await applied([manifestWith('before', whole), manifestWith('after', whole)]);
    expect((await undoRun({ paths }, ports)).report).toMatchObject({ outcome: 'done' });
    await writeFiles(ports.cwd, { 'chat.yaml': `${head}policy: { ${free} }\n${manifestWith('before', whole)}` });
    const { report } = await applyChanges({ paths, refresh: 'all' }, ports);
    expect(report.steps.planned).toBe(0);
  });

  test('names the lines that would repeat the changes, and can be undone', async () => {
    const ports = await applied([plain, users('nickname: Alicia', ', carol: { nickname: C }')]);
    const [warning] = (await planOf(ports)).warnings;
    expect(warning).toMatchObject({ code: 'undo.manifests-differ', source: { file: 'chat.yaml', line: 4 } });
    expect(warning?.detail).toContain('chat.yaml:4 (user.alice nickname), chat.yaml:4 (user.carol)');
    const approvedHash = '0'.repeat(64);
    await expect(undoRun({ paths, approvedHash }, ports)).rejects.toMatchObject({ code: 'plan.not-approved' });
    await undoRun({ paths }, ports);
    expect(actionsOf(await planOf(ports))).toEqual(['user.alice update', 'user.carol update reactivate']);
    await undoRun({ paths }, ports);
    const { entries, kept } = await stateLog({}, ports);
    expect(entries.map(({ command, undoes }) => `${command} ${undoes ?? ''}`)).toEqual([
      'apply ',
      'apply ',
      'undo 2',
      'undo 3',
    ]);
    expect(kept.map(({ run }) => run)).toEqual([1, 2, 3, 4]);
    expect((await applyChanges({ paths, refresh: 'all' }, ports)).report.steps.planned).toBe(0);
  });

  test('undoes an earlier run except for what later runs changed', async () => {
    const ports = await applied([
      users('nickname: A, metadata: { a: x }'),
      users('nickname: B, metadata: { a: y }'),
      users('nickname: C, metadata: { a: y }'),
    ]);
    const plan = await planOf(ports, '2');
    expect(Array.from(plan.changes, ({ attributes }) => attributes.map(({ path }) => path.join('.')))).toEqual([
      ['metadata.a'],
    ]);
    expect(lossesOf(plan)).toEqual([expect.stringMatching(/Later runs changed these.*: user\.alice \(nickname\)\.$/u)]);
  });

  test('is refused by the rules that refuse an apply', async () => {
    const ports = await applied([plain, users('nickname: A', ', c: { nickname: C, lifecycle: { protect: true } }')]);
    const { refusals } = await planUndo({ paths }, ports);
    expect(refusals.map(({ code }) => code)).toEqual(['safety.protected']);
    await expect(undoRun({ paths }, ports)).rejects.toMatchObject({ exitCode: 5 });
  });

  test('says that the undo removes everything, and speaks of no missing file', async () => {
    const { refusals } = await planUndo({ paths }, await applied([plain]));
    expect(refusals.map(({ code, detail }) => `${code}: ${detail}`)).toContainEqual(
      expect.stringMatching(/^safety\.whole-kind: .* would be removed by the undo, because the run created them\./u),
    );
    expect(JSON.stringify(refusals)).not.toMatch(/missing|from the manifest/u);
  });

  test('undoes a destroy', async () => {
    const ports = await applied([`${plain}group_channels: { room: { members: { alice: , bob: } } }\n`]);
    await destroyEstate({ paths, confirm: identity }, ports);
    expect(actionsOf(await planOf(ports))).toEqual([
      'group_channel.room update unfreeze',
      'user.alice update reactivate',
      'user.bob update reactivate',
    ]);
  });

  test('leaves an object that existed before the run', async () => {
    const ports = await applied([users('nickname: Alice', ', carol: { nickname: C }')]);
    await forgetObjects(['user.carol'], {}, ports, async () => {});
    const text = users('nickname: Alice', ', carol: { nickname: D }');
    await writeFiles(ports.cwd, { 'chat.yaml': `${head}policy: { ${free}, existing: adopt }\n${text}` });
    await applyChanges({ paths }, ports);
    const plan = await planOf(ports);
    expect(actionsOf(plan)).toEqual(['user.carol update']);
    expect(lossesOf(plan)).toEqual([expect.stringMatching(/took these existing objects.*: user\.carol\.$/u)]);
  });

  test('leaves objects that the run met and did not create, and that were taken into state later', async () => {
    const ports = await withoutState();
    const { report } = await applyChanges({ paths }, ports);
    expect(report.failures.map(({ address }) => address)).toContain('user.alice');
    await rebuildState({ paths, isForced: true }, ports);
    const plan = await planOf(ports);
    expect({ actions: actionsOf(plan), losses: lossesOf(plan) }).toEqual({ actions: [], losses: [] });
  });

  test('takes back what the run created, whatever was taken into state later', async () => {
    const ports = await applied([users('nickname: Alice'), users('nickname: Alice', ', carol: { nickname: C }')]);
    await forgetObjects(['user.bob'], {}, ports, async () => {});
    await adoptObjects({ paths, addresses: ['user.bob'] }, ports);
    expect(actionsOf(await planOf(ports, '2'))).toEqual(['user.carol deactivate']);
  });
});

describe('the values from before a run', () => {
  test('are missing for a run that the policy does not keep, and after which one kept none', async () => {
    const ports = await applied(
      ['A', 'B', 'C'].map((name) => users(`nickname: ${name}`)),
      'undo: { runs: 2 }',
    );
    const notKept = { code: 'undo.not-kept', exitCode: 66 };
    expect((await stateLog({}, ports)).kept.map(({ run }) => run)).toEqual([2, 3]);
    await expect(planUndo({ paths, run: '1' }, ports)).rejects.toMatchObject(notKept);
    await expect(planUndo({ paths, run: '9' }, ports)).rejects.toMatchObject({ exitCode: 66 });
    expect(ports.notices).not.toContainEqual(expect.objectContaining({ type: 'undo-impossible' }));
    await writeFiles(ports.cwd, { 'chat.yaml': `${head}policy: { undo: { megabytes: 0 } }\n${users('nickname: D')}` });
    await applyChanges({ paths }, ports);
    expect(ports.notices).toContainEqual(expect.objectContaining({ type: 'undo-impossible' }));
    await expect(planUndo({ paths }, ports)).rejects.toMatchObject(notKept);
  });

  test('contain nothing about a deleted or forgotten person', async () => {
    const texts = ['1', '2'].map((turn) =>
      users('nickname: A', `, c: { nickname: Carol-${turn} }, d: { nickname: Dave-${turn} }`),
    );
    const ports = await applied(texts, `${free}, on_remove: { user: delete }`);
    const state = () => readFile(join(ports.cwd, '.chatform/state/state.ndjson'), 'utf8');
    expect(await state()).toContain('Carol');
    await forgetObjects(['user.c'], {}, ports, async () => {});
    expect(await state()).not.toContain('Carol');
    expect(await state()).toContain('Dave');
    await writeFiles(ports.cwd, {
      'chat.yaml': `${head}policy: { ${free}, on_remove: { user: delete } }\n${plain}`,
    });
    expect((await applyChanges({ paths }, ports)).report.failures).toEqual([]);
    expect(await state()).not.toContain('Dave');
  });
});
