// Support: runs the real program in a real terminal, drawn and read by tmux.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { runProgram } from '../../support/program.ts';

/** Why these tests cannot run here. Undefined if they can. */
export const noTmux = spawnSync('tmux', ['-V']).status === 0 ? undefined : 'tmux is not installed';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

const pollMs = 40;
const patienceMs = 120_000;

export class Terminal {
  readonly #run: (...args: readonly string[]) => string;

  /** Hangs up, as a closed window does. */
  readonly close: () => Promise<void>;

  private constructor(run: (...args: readonly string[]) => string, close: () => Promise<void>) {
    this.#run = run;
    this.close = close;
  }

  /** Starts a shell with `chatform` and the prompt `$`, which ends with the test. */
  static async open(
    cwd: string,
    { columns, rows }: Size,
    env: Readonly<Record<string, string>> = {},
  ): Promise<Terminal> {
    const socket = join(tmpdir(), `chatform-${randomUUID()}.tmux`);
    const outer = { PATH: process.env.PATH ?? '', HOME: cwd, LANG: 'C.UTF-8' };
    const run = (...args: readonly string[]): string => {
      const all = ['-S', socket, '-f', '/dev/null', ...args];
      const { status, stdout, stderr } = spawnSync('tmux', all, { env: outer, encoding: 'utf8' });
      if (status !== 0) throw new Error(`tmux ${args[0]}: ${stderr}`);
      return stdout;
    };
    const start = join(cwd, '.terminal-rc');
    await writeFile(start, `chatform() { ${runProgram} "$@"; }\nPS1='$ '\n`);
    const settings = Object.entries({ TERM: 'xterm-256color', HISTFILE: '/dev/null', ...env }).flatMap(
      ([name, value]) => ['-e', `${name}=${value}`],
    );
    const size = ['-x', String(columns), '-y', String(rows)];
    run('new-session', '-d', ...size, '-c', cwd, ...settings, `bash --noprofile --rcfile '${start}'`);
    let isOpen = true;
    const close = async (): Promise<void> => {
      if (isOpen) run('kill-server');
      isOpen = false;
      await rm(socket, { force: true });
    };
    onTestFinished(close);
    const terminal = new Terminal(run, close);
    await terminal.shows(/^\$$/u);
    return terminal;
  }

  /** A key by its name in tmux: `C-c`. */
  press(key: string): void {
    this.#run('send-keys', key);
  }

  /** Types a line and the return key. */
  type(line: string): void {
    this.#run('send-keys', '-l', line);
    this.#run('send-keys', 'Enter');
  }

  resize({ columns, rows }: Size): void {
    this.#run('resize-window', '-x', String(columns), '-y', String(rows));
  }

  /** The screen without trailing blanks. `history`: with lines that scrolled off; `colour`: with escapes. */
  screen({ history = false, colour = false } = {}): string {
    const text = this.#run('capture-pane', '-p', ...(history ? ['-S', '-'] : []), ...(colour ? ['-e'] : []));
    return text.replace(/[^\S\n]+$/gmu, '').trimEnd();
  }

  /** Resolves with the screen once it matches. */
  async shows(
    pattern: RegExp,
    options: { readonly history?: boolean; readonly colour?: boolean } = {},
  ): Promise<string> {
    const until = Date.now() + patienceMs;
    for (;;) {
      const screen = this.screen(options);
      if (pattern.test(screen)) return screen;
      if (Date.now() > until) throw new Error(`the terminal never showed ${pattern}:\n${screen}`);
      await sleep(pollMs);
    }
  }
}
