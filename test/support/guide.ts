// Support: runs every command of a guide and returns the page with the real output.
//
//   ```console
//   $ chatform plan          a command; chatform runs in this process, everything else in bash
//   Nothing to do …          its output, on both streams
//   [exit 2]                 its exit code, if not 0
//   ```
//   <!-- run: command -->    a command whose output is not shown
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { runProgram } from './program.ts';
import { runCli } from './run-cli.ts';

/** The page with the real output. Equal to the page if the page is correct. `programs` are commands for a shell, by name. */
export async function playGuide(
  page: string,
  folder: string,
  programs: Readonly<Record<string, string>> = {},
): Promise<string> {
  const shell = await Shell.open(folder, { chatform: runProgram, ...programs });
  const out: string[] = [];
  let inConsole = false;
  const lines = page.split('\n');
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const silent = /^<!-- run: (.*) -->$/u.exec(line)?.[1];
    if (silent !== undefined) {
      const { output, exit } = await shell.run(silent);
      if (exit !== 0) throw new Error(`${silent} ended with ${exit}:\n${output}`);
    }
    if (line === '```console') inConsole = true;
    else if (line === '```') inConsole = false;
    else if (inConsole && !line.startsWith('$ ')) continue;
    out.push(line);
    if (!inConsole || !line.startsWith('$ ')) continue;
    let command = line.slice(2);
    while (command.endsWith('\\')) {
      index += 1;
      out.push(lines[index] ?? '');
      command = `${command.slice(0, -1)}${lines[index] ?? ''}`;
    }
    const { output, exit } = await shell.run(command);
    if (output.includes('This is a bug in chatform')) throw new Error(`${command}:\n${output}`);
    if (output.trim() !== '') out.push(output.replace(/^\n+|\s+$/gu, ''));
    if (exit !== 0) out.push(`[exit ${exit}]`);
    if ((lines[index + 1] ?? '') !== '```' && hasMoreCommands(lines, index)) out.push('');
  }
  return out.join('\n');
}

function hasMoreCommands(lines: readonly string[], from: number): boolean {
  for (const line of lines.slice(from + 1)) {
    if (line === '```') return false;
    if (line.startsWith('$ ')) return true;
  }
  return false;
}

interface End {
  readonly output: string;
  readonly exit: number;
}

class Shell {
  readonly #home: string;
  #folder: string;
  readonly #env: Record<string, string>;

  private constructor(folder: string, env: Record<string, string>) {
    this.#home = folder;
    this.#folder = folder;
    this.#env = env;
  }

  static async open(folder: string, programs: Readonly<Record<string, string>>): Promise<Shell> {
    const bin = join(folder, '.bin');
    await mkdir(bin);
    for (const [name, command] of Object.entries(programs))
      await writeFile(join(bin, name), `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 });
    const git = { GIT_AUTHOR_NAME: 'Ann', GIT_AUTHOR_EMAIL: 'ann@example.com' };
    const committer = {
      GIT_COMMITTER_NAME: 'Ann',
      GIT_COMMITTER_EMAIL: 'ann@example.com',
      GIT_CONFIG_GLOBAL: '/dev/null',
    };
    const path = `${bin}:${process.env.PATH ?? ''}`;
    return new Shell(folder, { ...git, ...committer, PATH: path, HOME: folder, NO_COLOR: '1' });
  }

  async run(command: string): Promise<End> {
    const [verb = '', ...words] = command.trim().split(/\s+/u);
    if (verb === 'cd') {
      this.#folder = resolve(this.#folder, words[0] ?? '.');
      return { output: '', exit: 0 };
    }
    const variable = /^export (\w+)=(\S*)$/u.exec(command.trim());
    if (variable !== null) {
      this.#env[variable[1] ?? ''] = variable[2] ?? '';
      return { output: '', exit: 0 };
    }
    const [, args, streams = '', filter] = simpleCall.exec(command.trim()) ?? [];
    if (args !== undefined) {
      const { exit, stdout, stderr } = await runCli(args.trim().split(/\s+/u), { cwd: this.#folder, env: this.#env });
      const out = streams.startsWith(' >') ? '' : stdout;
      const err = streams === '' ? stderr : '';
      const piped = streams === ' 2>&1' ? out + stderr : out;
      if (filter === undefined) return { output: this.#steady(piped + err), exit };
      const filtered = this.#bash(filter, piped);
      return { output: filtered.output + this.#steady(err), exit: filtered.exit };
    }
    return this.#bash(command);
  }

  #bash(command: string, input = ''): End {
    const { status, stdout, stderr } = spawnSync('bash', ['-c', command], {
      cwd: this.#folder,
      env: this.#env,
      encoding: 'utf8',
      input,
      timeout: 120_000,
    });
    return { output: this.#steady(`${stdout}${stderr}`), exit: status ?? 1 };
  }

  /**
   * Replaces values that differ between runs by visible placeholders: `~` for the folder, `TIME` for a time of today,
   * `process N`, and `N s` for a measured duration. Durations that a plan computes stay. Digests of what is new each time (an
   * issued token, the creation times that a plan to adopt contains) become one digest.
   */
  #steady(text: string): string {
    return text
      .replaceAll(/(?<="issue_access_token": ")[\da-f]{64}(?=")/gu, steadyDigest)
      .replaceAll(/(?<=^Plan: \d+ to adopt.*^Plan hash )[\da-f]{12}/gmsu, steadyDigest.slice(0, 12))
      .replaceAll(this.#home, '~')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/gu, (time) => (isOfToday(time) ? 'TIME' : time))
      .replaceAll(/\bprocess \d+/gu, 'process N')
      .replaceAll(measuredDuration, 'N s');
  }
}

/** A duration that no plan or estimate computes: these follow one of the words. */
const measuredDuration =
  /(?<!(?:at least|under|would take|minimum of|shortest possible,|longer than) |[\d.])\b\d+(?:\.\d+)? (?:ms|s)\b/gu;

/** Within a day of now, so that the times of messages in a guide's own files stay. */
function isOfToday(time: string): boolean {
  return Math.abs(Date.parse(time) - Date.now()) < 24 * 3_600_000;
}

const steadyDigest = createHash('sha256').update('guide').digest('hex');

/** Arguments without quotes and expansions, the streams that are dropped or joined, and the commands of a pipe. */
const simpleCall = /^chatform((?: [^\s"'|&;<>$*`\\]+)*)( 2>&1| 2> \/dev\/null| > \/dev\/null 2>&1)?(?: \| (.+))?$/u;

export function readGuide(folder: string): Promise<string> {
  return readFile(join(folder, 'README.md'), 'utf8');
}
