// Tests that plans name the dangers of history files: people may not see them, or the platform may delete them.
import { expect, test } from 'vitest';
import { startRepository } from '../../support/git.ts';
import { historyFileText } from '../../support/history-files.ts';
import { connected, type Place, place } from '../../support/place.ts';

const historyFile = historyFileText([{ user_id: 'alice', message: 'Hello', timestamp: 1_500_000_000_000 }]);
const objects = `users: { alice: { nickname: Alice } }
group_channels: { tea-room: { name: Tea, members: { alice: }, messages: { file: tea.ndjson } } }
`;
const emulated = 'application: { base_url: "emulator:.chatform/emulator", rate_plan: 100k_mau }\n';
const filesOf = (more: string) => ({
  'chat.yaml': `version: 1\n${more}${objects}`,
  'tea.ndjson': historyFile,
});
const both = ['history.expires', 'history.hidden'];

interface Found {
  readonly code: string;
  readonly dangerous?: true;
  readonly outcome?: string;
}

async function historyOf(at: Place, command: string, exit = 0): Promise<Found[]> {
  const { warnings = [], diagnostics = warnings, checks = diagnostics } = await at.json(command, exit);
  const found: Found[] = checks.filter(({ code }: Found) => code.startsWith('history.'));
  return found.sort((a, b) => (a.code < b.code ? -1 : 1));
}

const codesOf = async (at: Place, command: string, exit = 0) =>
  (await historyOf(at, command, exit)).map(({ code }) => code);

test('says without a read that it does not know, and with one which messages are hidden and expire', async () => {
  const at = await place(filesOf(emulated));
  const [unread, ...others] = await historyOf(at, 'plan');
  expect([unread, others]).toMatchObject([{ code: 'history.unknown' }, []]);
  expect(unread?.dangerous).toBeUndefined();
  expect((await historyOf(at, 'plan --refresh')).map(({ code, dangerous }) => [code, dangerous])).toEqual(
    both.map((code) => [code, true]),
  );
  expect(await codesOf(at, 'plan --refresh --target user.alice')).toEqual([]);
  expect(await codesOf(at, 'validate --online')).toEqual(both);
  await at.does('apply --auto-approve');
  for (const command of ['plan', 'plan --refresh']) expect(await codesOf(at, command)).toEqual([]);
});

test('names in the headline which dangers the behaviours of a request take away', async () => {
  const at = await place({ ...filesOf(emulated), '.gitignore': '.chatform/\n' });
  startRepository(at.cwd);
  const behaviours = {
    historyLine: { value: 'none', evidence: 'x' },
    migrationRetention: { value: 'none', evidence: 'x' },
  };
  const application = 'emulator:.chatform/emulator';
  const file = { format_version: '1.0', application, date: '2026-01-01T00:00:00Z', chatform: '0.3.0', behaviours };
  await at.write({ 'chatform-behaviours.json': JSON.stringify(file) });
  const { stdout, stderr } = await at.does('plan --base-ref main --refresh');
  // Both sides are judged by what was read once.
  expect(stderr.match(/Refresh: /gu)).toHaveLength(1);
  expect(stdout).toMatch(/With its behaviours: 2 fewer dangers \(history\.\w+, history\.\w+\)\./u);
  expect(await codesOf(at, 'plan --base-ref main --refresh')).toEqual(both);
});

test.for(['human', 'markdown', 'plain', 'html'])('shows the dangers before the changes as %s', async (format) => {
  const at = await place(filesOf(emulated));
  const flags = format === 'plain' ? '--plain' : `--format ${format}`;
  const { stdout } = await at.does(`plan --refresh ${flags}`);
  const [danger, change] = [stdout.indexOf('Members may not see'), stdout.indexOf('Tea')];
  expect(danger).toBeGreaterThan(0);
  if (format !== 'html') expect(danger).toBeLessThan(change);
  expect(stdout.indexOf('display_past_message: true in settings.all_channels')).toBeGreaterThan(danger);
});

test('an apply reads both settings before it asks, and only if it sends messages', async () => {
  const { at, running } = await connected(filesOf('application: { rate_plan: 100k_mau }\n'));
  const reads = () => running.stats.requests.get('GET /applications/settings_global') ?? 0;
  await at.does('apply --auto-approve --target user.alice');
  expect(reads()).toBe(0);
  const { stdout } = await at.does('apply --auto-approve');
  expect(stdout).toContain('! Members may not see the message history (history.hidden)');
  expect(stdout).toContain('! The platform may delete the message history soon (history.expires)');
  expect(reads()).toBe(1);
  await at.does('apply --auto-approve');
  expect(reads()).toBe(1);
});

test('an apply asks with the danger in its question', async () => {
  const at = await place(filesOf(emulated));
  await at.with({ answers: ['no'] }).ends('apply', 5, '! Members may not see the message history.');
});

test('an apply of a saved plan reads as well, and says so before its first step', async () => {
  const at = await place(filesOf(emulated));
  await at.does('plan --out saved.chatform');
  await at.ends('apply saved.chatform', 0, 'history.hidden', 'Their 1 declared member may not see the 1 message');
  expect(await codesOf(at, 'plan --refresh')).toEqual([]);
});

const application = 'application: { rate_plan: 100k_mau }\n';

test.for([
  {
    name: 'the application',
    declared: 'settings: { all_channels: { SWITCH } }\n',
    customType: '',
    target: 'settings.application',
  },
  {
    name: 'a custom type',
    declared: 'custom_types: { vip: { SWITCH } }\n',
    customType: 'custom_type: vip, ',
    target: 'custom_type.vip',
  },
])('sends what $name declares before channels are made and people invited, which is no danger then', async (row) => {
  const { declared, customType, target } = row;
  const textWith = (isShown: boolean, members: string) =>
    `version: 1\n${application}${declared.replace('SWITCH', `display_past_message: ${isShown}`)}users: { alice: { nickname: Alice }, bob: { nickname: Bob } }
group_channels: { tea-room: { ${customType}members: { ${members} }, messages: { file: tea.ndjson } } }
`;
  const { at, call } = await connected({ 'chat.yaml': textWith(true, 'alice: '), 'tea.ndjson': historyFile });
  const offsetOf = async (user: string) =>
    (await call('GET', `/group_channels/tea-room?user_id=${user}`)).ts_message_offset;
  expect(await codesOf(at, 'plan --refresh')).toEqual(['history.expires']);
  await at.does('apply --auto-approve');
  expect(await offsetOf('alice')).toBe(0);
  await at.write({ 'chat.yaml': textWith(false, 'alice: , bob: ') });
  await at.does(`apply --auto-approve --target ${target}`);
  await at.write({ 'chat.yaml': textWith(true, 'alice: , bob: ') });
  await at.does('apply --auto-approve');
  expect(await offsetOf('bob')).toBe(0);
});

test('keeps a cutover from being ready until a person has decided', async () => {
  const accepted = 'policy: { history: { hidden: accept, expires: accept, unknown: accept } }\n';
  const outcomes = async (at: Place) =>
    (await historyOf(at, 'cutover', 4)).flatMap(({ code, outcome }) => (outcome === 'passed' ? [] : [[code, outcome]]));
  const [undecided, decided] = await Promise.all([place(filesOf(emulated)), place(filesOf(`${emulated}${accepted}`))]);
  expect(await outcomes(undecided)).toEqual(both.map((code) => [code, 'blocks']));
  expect(await outcomes(decided)).toEqual(both.map((code) => [code, 'warning']));
  const notLookedAt = both.map((code) => [code, 'not_looked_at']);
  const unreached = { env: { CHATFORM_BASE_URL: 'http://127.0.0.1:1/v3' } };
  expect(await outcomes(undecided.with(unreached))).toEqual([...notLookedAt, ['history.unknown', 'blocks']]);
  expect(await outcomes(decided.with(unreached))).toEqual([...notLookedAt, ['history.unknown', 'warning']]);
  expect((await historyOf(decided, 'plan --refresh')).map(({ dangerous }) => dangerous)).toEqual([
    undefined,
    undefined,
  ]);
});
