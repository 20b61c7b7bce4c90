// Remembers in the folder of an export how far it has come, so that the same command continues it after a kill.
import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ownFile, refuseLinks } from '../../../core/app/context/own-file.ts';
import type { WalkPlace } from '../../../core/history/searching/batch-search.ts';
import { Refusal } from '../../../core/model/errors.ts';
import { exitCode } from '../../../core/model/exit-code.ts';
import type { Exported } from '../../../core/model/report.ts';
import { equalJson, type JsonObject, parsedObject } from '../../../lib/json.ts';
import { hiddenPart, isInside } from '../../../lib/paths.ts';
import type { MarkCounts } from './marks.ts';

/** What was written of a history file up to a page. */
export interface HistoryFileProgress {
  readonly bytes: number;
  readonly written: number;
  readonly refused: number;
  /** Messages that were read: written as one or more lines, or refused. */
  readonly read: number;
  /** Those of them that are replies in threads. */
  readonly replies: number;
  /** Those of them that became messages of the channel, of an export with threads. */
  readonly flat?: number | undefined;
  readonly marks?: MarkCounts | undefined;
  readonly place: WalkPlace;
}

/** A history file that is complete. A channel without messages has no history file. */
export interface CompleteHistoryFile {
  readonly written: number;
  /** What was left out, and why. */
  readonly notes: readonly (readonly [what: string, why: string])[];
}

/** All files are complete, and only the state may be missing. */
export interface CompleteFiles {
  /** When the export began that writes the state, as in its trail entry. */
  readonly begun: string;
  readonly exported: Exported;
}

/** Each line is one of them, after the first line, which contains the options. */
type ProgressLine =
  /** A file of objects that is about to be written. */
  | { readonly file: string }
  /** Without both, the history file is about to be written. */
  | { readonly historyFile: string; readonly until?: HistoryFileProgress; readonly complete?: CompleteHistoryFile }
  | CompleteFiles;

export class ExportProgress {
  /** Whether an earlier run has begun this export. */
  readonly isContinued: boolean;
  readonly #folder: string;
  readonly #options: JsonObject;
  readonly #lines: readonly ProgressLine[];
  readonly #historyFiles = new Map<string, { until?: HistoryFileProgress; complete?: CompleteHistoryFile }>();
  #descriptor: number | undefined;

  private constructor(folder: string, options: JsonObject, lines: readonly ProgressLine[], isContinued: boolean) {
    this.#folder = folder;
    this.#options = options;
    this.#lines = lines;
    this.isContinued = isContinued;
    for (const line of lines) if ('historyFile' in line) this.#historyFiles.set(line.historyFile, line);
  }

  /** Hidden, so that no command reads it as a manifest. Undefined if the folder contains an unfinished export with other options. Lines that a kill has cut are ignored. */
  static async of(folder: string, options: JsonObject): Promise<ExportProgress | undefined> {
    const text = await readFile(ownFile(folder, 'exportProgress'), 'utf8').catch(() => '');
    const [first, ...lines] = text
      .split('\n')
      .map(parsedObject)
      .filter((line) => line !== undefined);
    if (first === undefined) return new ExportProgress(folder, options, [], false);
    if (!equalJson(first.options ?? null, options)) return undefined;
    return new ExportProgress(folder, options, lines as unknown as readonly ProgressLine[], true);
  }

  /** Removes the files of objects of the earlier run, which lists them again. `isKept` says which ones manifests already use. */
  async begin(isKept: (file: string) => boolean = () => false): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    for (const line of this.#lines) if ('file' in line && !isKept(line.file)) await this.#remove(line.file);
    this.#descriptor = openSync(ownFile(this.#folder, 'exportProgress'), this.isContinued ? 'a' : 'w', 0o600);
    // The last line of a killed run may have no end.
    if (this.isContinued) writeSync(this.#descriptor, '\n');
    else this.#write({ options: this.#options });
  }

  get isBegun(): boolean {
    return this.#descriptor !== undefined;
  }

  /** Undefined unless the earlier run completed all files. */
  get last(): CompleteFiles | undefined {
    const last = this.#lines.at(-1);
    return last !== undefined && 'begun' in last ? last : undefined;
  }

  /** The files of all history files that the earlier run began. */
  get historyFiles(): Iterable<string> {
    return this.#historyFiles.keys();
  }

  has(historyFile: string): boolean {
    return this.#historyFiles.has(historyFile);
  }

  historyFile(name: string): { readonly until?: HistoryFileProgress; readonly complete?: CompleteHistoryFile } {
    return this.#historyFiles.get(name) ?? {};
  }

  note(line: ProgressLine): void {
    this.#write(line as unknown as JsonObject);
  }

  /** Removes history files of the earlier run whose channels are gone. */
  async keep(historyFiles: ReadonlySet<string>): Promise<void> {
    for (const name of this.#historyFiles.keys()) if (!historyFiles.has(name)) await this.#remove(name);
  }

  async end(): Promise<void> {
    this.close();
    await rm(ownFile(this.#folder, 'exportProgress'), { force: true });
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #write(line: JsonObject): void {
    if (this.#descriptor !== undefined) writeSync(this.#descriptor, `${JSON.stringify(line)}\n`);
  }

  async #remove(name: string): Promise<void> {
    const path = join(this.#folder, name);
    // The note may be forged: hidden files, such as those of git, are not of an export.
    if (!isInside(this.#folder, dirname(path)) || hiddenPart(this.#folder, path) !== undefined) return;
    refuseLinks(this.#folder, path, 'file');
    await rm(path, { force: true });
  }
}

/** Refused (6): the folder has something else. */
export function occupied(message: string, advice: string, cause?: unknown): Refusal {
  return new Refusal('export.occupied', exitCode.conflict, message, advice, { cause });
}

export function begunOtherwise(name: string): Refusal {
  return occupied(
    `${name} contains an export that was interrupted, of another application or with other options.`,
    'Nothing was read or changed. Repeat the command of that export to continue it, remove the folder, or choose another one.',
  );
}
