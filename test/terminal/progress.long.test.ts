// Tests that the progress of a run stays in place, at any width, after resizing, and without redrawing.
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { busy, figuresLeftOut } from './support/estates.ts';
import { noTmux, Terminal } from './support/tmux.ts';

const rows = 24;
const command = 'chatform apply --auto-approve > plan.txt';
const running = /\d+\/110 \(\d+ %\)[^\n]*left/u;
const done = /Done\. 110 steps succeeded[^$]*\$$/u;
/** The output below the command. */
const below = (screen: string): string => screen.slice(screen.indexOf('plan.txt') + 'plan.txt'.length).trimStart();
const blocksIn = (screen: string): number => screen.split(/\d+\/110 \(/u).length - 1;

test.skipIf(noTmux !== undefined).for([80, 50])('at %i columns', async (columns) => {
  const terminal = await Terminal.open(await temporaryFolder({ 'chat.yaml': busy }), { columns, rows });
  terminal.type(command);
  const screen = below(await terminal.shows(running));
  expect(blocksIn(screen)).toBe(1);
  for (const line of screen.split('\n')) expect(line.length).toBeLessThan(columns);
  await expect(`${figuresLeftOut(screen)}\n`).toMatchFileSnapshot(`goldens/progress-${columns}.txt`);
  // The block leaves no trace.
  expect(blocksIn(await terminal.shows(done, { history: true }))).toBe(0);
});

test.skipIf(noTmux !== undefined)('resized while it runs', async () => {
  const terminal = await Terminal.open(await temporaryFolder({ 'chat.yaml': busy }), { columns: 100, rows });
  terminal.type(command);
  await terminal.shows(running);
  for (const columns of [60, 90, 70]) {
    terminal.resize({ columns, rows });
    await terminal.shows(running);
  }
  // A terminal that rewraps lines leaves at most the head of each rewrapped block, once per narrowing.
  expect(blocksIn(await terminal.shows(done, { history: true }))).toBeLessThanOrEqual(2);
});

test.skipIf(noTmux !== undefined).for([
  ['a terminal of 0 columns', `stty cols 0; ${command}`],
  ['--plain', `${command} --plain`],
  ['TERM=dumb', `TERM=dumb ${command}`],
  ['--verbose', `clear; chatform apply --auto-approve --verbose 2>&1 > plan.txt | grep -v '^  [A-Z]'`],
  ['a pipe', 'chatform apply --auto-approve 2>&1 > plan.txt | cat'],
])('plain lines: %s', async ([, line = '']) => {
  const terminal = await Terminal.open(await temporaryFolder({ 'chat.yaml': busy }), { columns: 100, rows });
  terminal.type(line);
  const screen = await terminal.shows(done);
  expect(screen).toContain('Applying 110 steps, at least');
  expect(screen).not.toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/u);
});
