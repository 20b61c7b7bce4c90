// Support: a folder in which the commands convert one export after the other, and apply what they made.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { removeFolder, writeFiles } from '../../../support/folders.ts';
import { type CliEnd, expectEnd, runCli, succeeded } from '../../../support/run-cli.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import type { Files } from './small-exports.ts';

/** The manifests are in `chat`, the exports in `export`. */
export class Series {
  readonly cwd: string;
  readonly #source: string;

  static async of(source: string): Promise<Series> {
    return new Series(source, await temporaryFolder());
  }

  private constructor(source: string, cwd: string) {
    this.#source = source;
    this.cwd = cwd;
  }

  /** `files` are the export, in place of the one before. Without them that one is converted again. */
  async convert(files?: Files, ...flags: readonly string[]): Promise<CliEnd> {
    if (files !== undefined) {
      await removeFolder(join(this.cwd, 'export'));
      await writeFiles(join(this.cwd, 'export'), files);
    }
    return runCli(['convert', this.#source, 'export', '--out-dir', 'chat', ...flags], { cwd: this.cwd });
  }

  /** Standard output of a conversion that must succeed. */
  async converted(files?: Files, ...flags: readonly string[]): Promise<string> {
    return (await succeeded(this.convert(files, ...flags))).stdout;
  }

  chat(...args: readonly string[]): Promise<CliEnd> {
    return runCli(args, { cwd: join(this.cwd, 'chat') });
  }

  /** Applies the manifests and expects that everything arrives and nothing is left to do. */
  async arrives(): Promise<void> {
    await expectEnd(this.chat('apply', '--auto-approve'), 0, 'Done.');
    await succeeded(this.chat('verify', '--all'));
    await succeeded(this.chat('plan', '--detailed-exitcode'));
  }

  read(name: string): Promise<string> {
    return readFile(join(this.cwd, 'chat', name), 'utf8');
  }

  write(files: Files): Promise<void> {
    return writeFiles(join(this.cwd, 'chat'), files);
  }

  /** The texts of a history file, in its order. */
  async texts(channelUrl: string): Promise<readonly string[]> {
    const lines = (await this.read(`history/${channelUrl}.ndjson`)).trimEnd().split('\n');
    return lines.map((line) => (JSON.parse(line) as { readonly message: string }).message);
  }
}

/** A decisions file of the source with these lines. */
export function decided(lines: string, source = 'slack'): string {
  return `format_version: 1\nsource: ${source}\n${lines}\n`;
}

/** The end of a command that must end with `exit` and say each of the texts, whatever line breaks the terminal needs. */
export function expectRefused({ exit: ended, stdout, stderr }: CliEnd, exit: number, ...says: readonly string[]): void {
  expect(ended, stdout + stderr).toBe(exit);
  for (const text of says) expect(stderr.replace(/\s+/gu, ' ')).toContain(text);
}
