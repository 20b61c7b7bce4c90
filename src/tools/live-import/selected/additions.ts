// Adds exported blocks to the manifests of a folder. The edited manifests are loaded before a manifest is written: they must be
// valid, and declare what they declared before. Kinds are written after the kinds that they refer to, so that the manifests stay
// valid after each file, and a killed export can be run again.
import { existsSync } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeOutput } from '../../../core/app/context/output-files.ts';
import type { Ports } from '../../../core/app/context/ports.ts';
import { loadDeclared } from '../../../core/app/opening/load-declared.ts';
import type { KindDefinition } from '../../../core/kinds/definition/kind.ts';
import { disk } from '../../../core/manifest/files/access.ts';
import type { ManifestFile } from '../../../core/manifest/files/discover.ts';
import type { LoadedManifest } from '../../../core/manifest/passes/loaded-manifest.ts';
import { addBlocks } from '../../../core/manifest/write/added-blocks.ts';
import { manifestText, type SectionNode, settingsNode } from '../../../core/manifest/write/block-text.ts';
import { hasErrors } from '../../../core/model/diagnostic.ts';
import { Refusal } from '../../../core/model/errors.ts';
import { exitCode } from '../../../core/model/exit-code.ts';
import { refreshSubjects } from '../../../core/refresh/subjects.ts';
import { registry } from '../../../core/resources/index.ts';
import { InternalError } from '../../../lib/errors.ts';
import { equalJson, type JsonObject } from '../../../lib/json.ts';
import { demandInside } from '../../../lib/own-files.ts';
import { editedFiles } from '../../rehearsal/testing/edited-files.ts';
import { filesOf, manyInYaml, rowOf, sectionLayout } from '../export/files.ts';
import type { ExportProgress } from '../export/progress.ts';
import { type Block, Placement } from './placement.ts';

/** The blocks of one kind. There may be a million. */
export interface KindBlocks {
  readonly kind: KindDefinition;
  readonly blocks: Iterable<Block>;
}

export interface ManifestFolder {
  /** Absolute, with links resolved. */
  readonly folder: string;
  /** The PATH that names the folder. */
  readonly out: string;
  readonly files: readonly ManifestFile[];
  /** Absent: the folder has no manifests. */
  readonly manifest: LoadedManifest | undefined;
}

interface Write {
  readonly path: string;
  /** As messages name it. */
  readonly name: string;
  readonly text: string;
}

export class Additions {
  readonly #place: ManifestFolder;
  readonly #progress: ExportProgress;
  readonly #ports: Ports;
  /** In the order of writing. A file may be written several times. */
  #writes: Write[] = [];
  /** By path, the content of the files that are edited. */
  readonly #before = new Map<string, string>();
  /** The names of the files of rows, which are written first because no manifest names them yet. */
  readonly #rows: string[] = [];
  #isBegun = false;

  constructor(place: ManifestFolder, progress: ExportProgress, ports: Ports) {
    this.#place = place;
    this.#progress = progress;
    this.#ports = ports;
  }

  /**
   * Returns the manifests as they will be. `first` is the text of a file that is written before all others. Refused (65) if the
   * manifests would not be valid.
   */
  async prepare(kinds: readonly KindBlocks[], first: ReadonlyMap<string, string>): Promise<LoadedManifest> {
    const { manifest, files } = this.#place;
    const parts: (readonly [KindDefinition, readonly Block[] | string])[] = [];
    for (const { kind, blocks } of kinds) parts.push([kind, fewOf(blocks) ?? (await this.#writeRows(kind, blocks))]);
    // Blocks that mean something else beside similar ones get files of their own.
    for (const isEdit of [true, false]) {
      this.#writes = [];
      this.#before.clear();
      for (const [name, text] of first) this.#add(name, text);
      const placement = new Placement(manifest?.resources ?? [], new Set(isEdit ? files.map(({ name }) => name) : []));
      for (const [kind, part] of parts) {
        if (typeof part === 'string')
          this.#addSection(`${kind.section}-rows.yaml`, 'sources', settingsNode([{ kind: kind.name, file: part }]));
        else await this.#placeBlocks(kind, part, placement);
      }
      const loaded = await this.#loaded();
      const isValid = !hasErrors(loaded.diagnostics);
      if (isValid && declaresSame(manifest, loaded)) return loaded;
      if (this.#before.size > 0) continue;
      // New files do not change what others declare.
      throw isValid
        ? changedMeanwhile(this.#place.out, 'No file was written.')
        : wouldBeInvalid(this.#place.out, loaded);
    }
    throw new InternalError('blocks in files of their own are an edit');
  }

  /** Writes all files, and returns their names. Refused (6) when a file was changed since it was read. */
  async write(): Promise<readonly string[]> {
    const written = new Set<string>();
    for (const { path, name } of this.#writes) await this.#demandUnchanged(path, name);
    for (const { path, name, text } of this.#writes) {
      await this.#demandUnchanged(path, name);
      this.#isBegun = true;
      const mode = await stat(path).catch(() => undefined);
      if (mode === undefined) await writeOutput(path, text);
      else await writeOutput(path, text, mode.mode & 0o7777, 'exactly');
      this.#before.set(path, text);
      written.add(name);
    }
    return [...this.#rows, ...written];
  }

  /** Whether a manifest was written. */
  get isBegun(): boolean {
    return this.#isBegun;
  }

  /** Removes the files of rows, unless a manifest names them by now. */
  async discard(): Promise<void> {
    for (const name of this.#rows) await rm(join(this.#place.folder, name), { force: true });
  }

  async #writeRows(kind: KindDefinition, blocks: Iterable<Block>): Promise<string> {
    const name = this.#freeName(`data/${kind.section}.ndjson`);
    const path = join(this.#place.folder, name);
    await demandInside(this.#place.folder, path);
    await this.#progress.begin();
    this.#progress.note({ file: name });
    this.#rows.push(name);
    const rows = function* () {
      for (const [key, block] of blocks) yield rowOf(kind, key, block);
    };
    await writeOutput(path, rows());
    return name;
  }

  async #placeBlocks(kind: KindDefinition, blocks: readonly Block[], placement: Placement): Promise<void> {
    for (const [file, ofFile] of placement.filesFor(kind, blocks)) {
      if (file !== undefined && (await this.#edit(file, kind, ofFile))) continue;
      const listed = ofFile.map(([key, attributes]) => ({ key, attributes }));
      for (const { name, listed: ofNew } of filesOf(kind.section, listed)) {
        const objects = ofNew.map(({ key, attributes }) => [key, attributes] as const);
        this.#addSection(name, kind.section, sectionLayout(kind, objects));
      }
    }
  }

  /** Returns false if the file is not a good place for the blocks. */
  async #edit(name: string, kind: KindDefinition, blocks: readonly Block[]): Promise<boolean> {
    const { files, folder } = this.#place;
    const file = files.find((known) => known.name === name);
    if (file === undefined || kind.onlyKey !== undefined) return false;
    const isInside = await demandInside(folder, file.path).then(
      () => true,
      () => false,
    );
    const path = await disk.realPath(file.path).catch(() => undefined);
    if (!isInside || path === undefined) return false;
    const edited = this.#writes.findLast((write) => write.path === path);
    const before = edited?.text ?? (await readFile(path, 'utf8'));
    const text = addBlocks(before, kind, blocks, registry);
    if (text === undefined) return false;
    if (edited === undefined) this.#before.set(path, before);
    this.#writes.push({ path, name, text });
    return true;
  }

  #addSection(name: string, section: string, node: SectionNode | undefined): void {
    if (node !== undefined) this.#add(this.#freeName(name), manifestText([[section, node]], registry));
  }

  #add(name: string, text: string): void {
    this.#writes.push({ path: join(this.#place.folder, name), name, text });
  }

  /** The name, with a number if a file has it already. */
  #freeName(name: string): string {
    const [stem = '', ending = ''] = name.split(/(?=\.[a-z]+$)/u);
    const isTaken = (path: string) => existsSync(path) || this.#writes.some((write) => write.path === path);
    for (let number = 1; ; number += 1) {
      const free = number === 1 ? name : `${stem}-${number}${ending}`;
      if (!isTaken(join(this.#place.folder, free))) return free;
    }
  }

  #loaded(): Promise<LoadedManifest> {
    const files = editedFiles(new Map(this.#writes.map(({ path, text }) => [path, text])));
    return loadDeclared([this.#place.out], this.#ports, { files, isEditedDisk: true, trustsHosts: true });
  }

  async #demandUnchanged(path: string, name: string): Promise<void> {
    const now = await readFile(path, 'utf8').catch(() => undefined);
    if (now === this.#before.get(path)) return;
    throw changedMeanwhile(
      name,
      this.#isBegun ? 'Files before it were written, and each is complete.' : 'No file was written.',
    );
  }
}

/** Undefined if there are too many for YAML. */
function fewOf(blocks: Iterable<Block>): readonly Block[] | undefined {
  const few: Block[] = [];
  for (const block of blocks) {
    if (few.length === manyInYaml) return undefined;
    few.push(block);
  }
  return few;
}

/** Whether everything that was declared before means the same. */
function declaresSame(before: LoadedManifest | undefined, { resources }: LoadedManifest): boolean {
  for (const { resource, record: after } of refreshSubjects(before?.resources ?? [], resources)) {
    if (resource === undefined) continue;
    const isSame =
      equalJson(resource.attributes, after?.attributes) &&
      equalJson(resource.lifecycle as JsonObject, (after?.lifecycle ?? {}) as JsonObject);
    if (!isSame) return false;
  }
  return true;
}

function wouldBeInvalid(out: string, { diagnostics }: LoadedManifest): Refusal {
  return new Refusal(
    'export.invalid',
    exitCode.invalid,
    `With the exported objects, the manifests of ${out} would not be valid.`,
    'No manifest was changed. Fix the problems listed above, or select fewer objects.',
    { diagnostics },
  );
}

function changedMeanwhile(name: string, state: string): Refusal {
  return new Refusal(
    'export.file-changed',
    exitCode.conflict,
    `${name} was changed while the application was read.`,
    `${state} Run the command again.`,
  );
}
