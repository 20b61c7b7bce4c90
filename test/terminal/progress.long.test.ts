// Tests that the progress of a run stays in place, at any width, after resizing, and without redrawing.
import { expect, test } from 'vitest';
import { crowd } from '../support/desk.ts';
import { soon } from '../support/soon.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { busy, figuresLeftOut } from './support/estates.ts';
import { noTmux, Terminal } from './support/tmux.ts';

const rows = 24;
const command = 'chatform apply --auto-approve > plan.txt';
const running = /\d+\/[\d,]+ \(\d+ %\)[^\n]*left/u;
const done = /Done\. 110 steps succeeded[^$]*\$$/u;
const interrupted = /Interrupted\. [^$]*\$$/u;
/** The output below the command. */
const below = (screen: string): string => screen.slice(screen.indexOf('plan.txt') + 'plan.txt'.length).trimStart();
const blocksIn = (screen: string): number => screen.split(/\d+\/[\d,]+ \(/u).length - 1;
/** About three minutes at the rate limits, so that a run does not end before it is interrupted. */
const long = crowd(2_000, 'application: { base_url: "emulator:.chatform/emulator", rate_plan: 5k_mau }\n');

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

test.skipIf(noTmux !== undefined)('leaves no trace of what it redraws after it was resized', async () => {
  const terminal = await Terminal.open(await temporaryFolder(long), { columns: 100, rows });
  terminal.type(command);
  await terminal.shows(running);
  for (const [columns, bar] of [
    [64, '{9,19}'],
    [90, '{30}'],
    [74, '{20,28}'],
  ] as const) {
    terminal.resize({ columns, rows });
    // The bar has the length that this width leaves for it, so the run knows its width.
    await terminal.shows(new RegExp(`(?<![█░])[█░]${bar}  ${running.source}`, 'u'));
  }
  // A terminal that rewraps lines keeps the heads of the blocks that were drawn before the run knew of a narrower width.
  const heads = blocksIn(terminal.screen({ history: true })) - 1;
  for (let redrawn = 0; redrawn < 10; redrawn += 1) {
    const screen = terminal.screen();
    await soon(() => terminal.screen() !== screen);
  }
  terminal.press('C-c');
  expect(blocksIn(await terminal.shows(interrupted, { history: true }))).toBe(heads);
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
