// Tests the terminal of a person who plans, says yes and applies, at several widths. Sessions are recorded as text.
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { small, steady } from './support/estates.ts';
import { noTmux, Terminal } from './support/tmux.ts';

const size = (columns: number) => ({ columns, rows: 50 });
const prompt = /\n\$$/u;

test.skipIf(noTmux !== undefined).for([80, 48])('plan at %i columns', async (columns) => {
  const terminal = await Terminal.open(await temporaryFolder({ 'chat.yaml': small }), size(columns));
  terminal.type('chatform plan');
  const screen = await terminal.shows(/Plan hash[^$]*\$$/u);
  expect(screen.split('\n').every((line) => line.length <= columns)).toBe(true);
  await expect(`${steady(screen)}\n`).toMatchFileSnapshot(`goldens/plan-${columns}.txt`);
});

test.skipIf(noTmux !== undefined)('apply: the plan, the question, yes, and what was done', async () => {
  const terminal = await Terminal.open(await temporaryFolder({ 'chat.yaml': small }), size(80));
  terminal.type('chatform apply');
  await terminal.shows(/Only "yes" is accepted:$/u);
  terminal.type('yes');
  await terminal.shows(/Done\.[^$]*\$$/u);
  terminal.type('echo "exit $?"; chatform plan');
  const screen = await terminal.shows(/Nothing to do since the last apply\.[^$]*\$$/u);
  await expect(`${steady(screen)}\n`).toMatchFileSnapshot('goldens/apply.txt');
});

test.skipIf(noTmux !== undefined)('apply, and no: nothing was changed', async () => {
  const terminal = await Terminal.open(await temporaryFolder({ 'chat.yaml': small }), size(80), {
    CHATFORM_PLAIN: '1',
  });
  terminal.type('chatform apply');
  await terminal.shows(/Only "yes" is accepted:$/u);
  terminal.type('no');
  const screen = await terminal.shows(/Nothing was changed\.[^$]*\$$/u);
  expect(screen).not.toMatch(/[→·…✔]/u);
  await expect(`${steady(screen)}\n`).toMatchFileSnapshot('goldens/apply-plain-declined.txt');
});

test.skipIf(noTmux !== undefined).for(['C-c', 'C-d'])(
  'apply, and %s in place of an answer: nothing was changed',
  async (key) => {
    const terminal = await Terminal.open(await temporaryFolder({ 'chat.yaml': small }), size(80));
    terminal.type('chatform apply; echo "exit $?"');
    await terminal.shows(/Only "yes" is accepted:$/u);
    terminal.press(key);
    const screen = await terminal.shows(/exit \d+[^$]*\$$/u);
    expect(screen).toMatch(/apply\.declined[^$]*Nothing was changed\.\s+exit 5\n/u);
  },
);

test.skipIf(noTmux !== undefined).for<[string, Readonly<Record<string, string>>, string, boolean]>([
  ['a terminal', {}, '', true],
  ['NO_COLOR', { NO_COLOR: '1' }, '', false],
  ['--plain', {}, '--plain', false],
  ['TERM=dumb', { TERM: 'dumb' }, '', false],
  ['FORCE_COLOR', { TERM: 'dumb', FORCE_COLOR: '1' }, '', true],
])('colour: %s', async ([, env, flags, isColoured]) => {
  const terminal = await Terminal.open(await temporaryFolder({ 'chat.yaml': small }), size(80));
  // tmux sets TERM itself.
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value} `);
  terminal.type(`${variables.join('')}chatform plan ${flags}`);
  await terminal.shows(/Plan hash[^$]*\$$/u);
  expect(terminal.screen({ colour: true }).includes('\u{1b}[')).toBe(isColoured);
});

test('tmux is there, or it is said why nothing was recorded', () => {
  expect(noTmux === undefined || noTmux === 'tmux is not installed').toBe(true);
});

test.skipIf(noTmux !== undefined)('an error is told in the width of the terminal', async () => {
  const broken = small.replace('nickname: Alice', 'nickname: [Alice]');
  const terminal = await Terminal.open(await temporaryFolder({ 'chat.yaml': broken }), size(60));
  terminal.type('chatform apply');
  const screen = await terminal.shows(/error\[manifest\.invalid\][^$]*\$$/u);
  expect(screen).toMatch(prompt);
  await expect(`${steady(screen)}\n`).toMatchFileSnapshot('goldens/error-60.txt');
});
