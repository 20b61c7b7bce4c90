// Support: a folder with the command line, as a person in it uses it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EmulatorOptions, RunningEmulator } from '../../src/emulator/server.ts';
import type { JsonObject } from '../../src/lib/json.ts';
import { reaching } from './desk.ts';
import { contentOf, writeFiles } from './folders.ts';
import { call, startPlatform } from './platform.ts';
import { type CliEnd, type CliOptions, expectEnd, runCli } from './run-cli.ts';
import { temporaryFolder } from './temporary-folder.ts';

type Files = Readonly<Record<string, string>>;

/** `plan --refresh`. A list if a word contains a space or may be empty. */
export type Command = string | readonly string[];

export class Place {
  readonly cwd: string;
  readonly #options: Omit<CliOptions, 'cwd'>;

  constructor(cwd: string, options: Omit<CliOptions, 'cwd'> = {}) {
    this.cwd = cwd;
    this.#options = options;
  }

  /** The same folder with further variables, and with other surroundings. */
  with({ env = {}, ...options }: Omit<CliOptions, 'cwd'>): Place {
    return new Place(this.cwd, { ...this.#options, ...options, env: { ...this.#options.env, ...env } });
  }

  run(command: Command): Promise<CliEnd> {
    return runCli(wordsOf(command), { ...this.#options, cwd: this.cwd });
  }

  /** The result of a command that must end with `exit` and say each of the texts on standard error, wherever it wraps them. */
  async ends(command: Command, exit: number, ...says: readonly (string | RegExp)[]): Promise<CliEnd> {
    const end = await this.run(command);
    const inOneLine = { ...end, stderr: end.stderr.replaceAll(/\s+/gu, ' ') };
    const isShort = (text: string | RegExp): boolean => typeof text === 'string' && !/\s\s|\n/u.test(text);
    await expectEnd(Promise.resolve(end), exit, ...says.filter((text) => !isShort(text)));
    await expectEnd(Promise.resolve(inOneLine), exit, ...says.filter(isShort));
    return end;
  }

  /** The result of a command that must succeed. */
  does(command: Command): Promise<CliEnd> {
    return this.ends(command, 0);
  }

  /** The document that a command prints, which must end with `exit`. */
  async json(command: Command, exit = 0) {
    const { stdout } = await this.ends([...wordsOf(command), '--format', 'json'], exit);
    return JSON.parse(stdout);
  }

  write(files: Files): Promise<void> {
    return writeFiles(this.cwd, files);
  }

  async read(file: string): Promise<string> {
    return readFileSync(this.path(file), 'utf8');
  }

  async readJson(file: string) {
    return JSON.parse(await this.read(file));
  }

  path(...names: readonly string[]): string {
    return join(this.cwd, ...names);
  }

  /** All files below a folder, to show that nothing changed. */
  content(folder = '.'): Promise<Files> {
    return contentOf(this.path(folder));
  }
}

function wordsOf(command: Command): readonly string[] {
  return typeof command === 'string' ? command.split(' ') : command;
}

export async function place(files: Files = {}, env: Files = {}): Promise<Place> {
  return new Place(await temporaryFolder(files), { env });
}

/** A place whose environment names a platform of its own. */
export interface Connected {
  readonly at: Place;
  readonly running: RunningEmulator;
  /** A call of another client. */
  call(method: string, path: string, body?: object): Promise<JsonObject>;
}

export async function connected(files: Files = {}, options?: EmulatorOptions): Promise<Connected> {
  const running = await startPlatform(options);
  const at = await place(files, reaching(running));
  return { at, running, call: (method, path, body) => call(running, method, path, body) };
}
