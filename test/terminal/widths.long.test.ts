// Tests a script of a terminal at several widths: no line is wider, no word is cut, and the words are those of a pipe.
import { expect, test } from 'vitest';
import { runProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { small, steady } from './support/estates.ts';
import { noTmux, Terminal } from './support/tmux.ts';

/** A value that is a warning, a first run, what a refresh costs, an unknown command, and a state that was lost. */
const script = [
  'chatform plan',
  'chatform apply --auto-approve',
  'chatform plan --refresh',
  'chatform unlock',
  'chatform plan --out night.chatform',
  'rm -r .chatform/state; chatform apply --auto-approve',
  'chatform plan --state s4://bucket/of/ours',
];
const manifest = small.replace('team: support', 'team: support, api_key: "sk_live_51HxyzAbCdEfGhIjKlMnOpQr"');

/** Without the line in place of a progress bar. */
const wordsOf = (text: string) =>
  text
    .replaceAll(/^Applying \d+ steps?\.$/gmu, '')
    .split(/\s+/u)
    .filter((word) => word !== '');

async function played(terminal: Terminal, line: string): Promise<string> {
  terminal.type('clear');
  await terminal.shows(/^exit \d+\n\$$/u);
  terminal.type(line);
  const screen = await terminal.shows(/\n[^\n]+\n(?:[^\n]*\n)*exit \d+\n\$$/u);
  return screen.replace(/^exit \d+\n/u, '').replace(/\n\$$/u, '');
}

test.skipIf(noTmux !== undefined)('says the same at 60, 80 and 120 columns, and wraps nothing in a pipe', async () => {
  const said = new Map<string, readonly string[]>();
  for (const columns of [60, 80, 120, 'pipe'] as const) {
    const cwd = await temporaryFolder({ 'chat.yaml': manifest });
    const width = columns === 'pipe' ? 400 : columns;
    const terminal = await Terminal.open(cwd, { columns: width, rows: 120 });
    terminal.type(`PS1='exit $?\\n$ '`);
    await terminal.shows(/exit 0\n\$$/u);
    if (columns === 'pipe') await played(terminal, `chatform() { set -o pipefail; ${runProgram} "$@" 2>&1 | cat; }`);
    let session = '';
    for (const line of script) session += `${await played(terminal, line)}\n\n`;
    expect(session.split('\n').filter((line) => line.length > width)).toEqual([]);
    // The length of a time decides where its line ends.
    const shown = steady(session.replaceAll(/\s+Took\s+[\d.]+\s+s\b/gu, ' Took 0.5 s'));
    await expect(shown).toMatchFileSnapshot(`goldens/script-${columns}.txt`);
    said.set(String(columns), wordsOf(shown));
  }
  for (const columns of ['60', '80', '120']) expect(said.get(columns)).toEqual(said.get('pipe'));
});
