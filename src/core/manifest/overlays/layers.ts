// Reads the bases that manifests extend and determines their layers (semantics §9.12).

import { dirname, resolve } from 'node:path';
import { compareText } from '../../../lib/json.ts';
import { hiddenPart, isInside, shownPath } from '../../../lib/paths.ts';
import { type ParsedFile, readFile } from '../document/document.ts';
import type { ForeignFile } from '../document/foreign-files.ts';
import type { LoadContext } from '../document/load-context.ts';
import type { FileAccess } from '../files/access.ts';
import { discover, type ManifestFile } from '../files/discover.ts';
import type { SectionStore } from '../files/documents.ts';
import { hiddenFile } from '../files/read-failure.ts';
import { nearest, type TreeEntry } from '../files/tree.ts';
import type { Spot } from '../problems/problems.ts';
import { quoted } from '../problems/wording.ts';

const extendsKey = 'extends';

interface LayerContext extends Pick<LoadContext, 'kinds' | 'problems' | 'withheld'> {
  readonly cwd: string;
  readonly files: FileAccess;
  readonly sectionStore: SectionStore;
  /** The folder, with links resolved, that bases must be in. */
  readonly repository: string;
}

interface Layers {
  /** All manifests, sorted by shown name. */
  readonly parsed: readonly ParsedFile[];
  /** The files of bases, whether or not they are manifests. */
  readonly bases: readonly ManifestFile[];
  readonly foreign: readonly ForeignFile[];
  /** Whether a base or a part of one could not be read. */
  readonly isPartial: boolean;
}

/** `parsed` are the files that were found. */
export async function readBases(parsed: readonly ParsedFile[], context: LayerContext): Promise<Layers> {
  const reader = new LayerReader(parsed, context);
  for (const { file } of parsed) await reader.read(file);
  const { bases, foreign, isPartial } = reader;
  return { parsed: reader.layered(), bases, foreign, isPartial };
}

class LayerReader {
  readonly foreign: ForeignFile[] = [];
  readonly bases: ManifestFile[] = [];
  isPartial = false;
  readonly #context: LayerContext;
  /** By path. Undefined for a file that is not a manifest or cannot be read. */
  readonly #parsed: Map<string, ParsedFile | undefined>;
  /** The paths of the bases of each file that was read. */
  readonly #basesOf = new Map<string, readonly string[]>();
  /** The chain of files that extend one another down to the current one. */
  readonly #open: ManifestFile[] = [];

  constructor(parsed: readonly ParsedFile[], context: LayerContext) {
    this.#parsed = new Map(parsed.map((layer) => [layer.file.path, layer]));
    this.#context = context;
  }

  /** Reads the file and its bases, unless that was done before. */
  async read(file: ManifestFile): Promise<void> {
    if (this.#basesOf.has(file.path)) return;
    this.#basesOf.set(file.path, []);
    const parsed = this.#parsed.has(file.path) ? this.#parsed.get(file.path) : await this.#readFile(file);
    if (parsed === undefined) return;
    this.#open.push(file);
    this.#basesOf.set(file.path, await this.#bases(parsed));
    this.#open.pop();
  }

  async #readFile(file: ManifestFile): Promise<ParsedFile | undefined> {
    const { parsed, isPartial, foreign } = await readFile(file, this.#context);
    this.#parsed.set(file.path, parsed);
    this.isPartial ||= isPartial;
    if (foreign !== undefined) this.foreign.push(foreign);
    return parsed;
  }

  async #bases({ file, source, documents }: ParsedFile): Promise<readonly string[]> {
    const baseEntries = documents.flatMap(({ tree }) =>
      tree.type === 'map' ? (tree.entries.get(extendsKey) ?? []) : [],
    );
    const [first, second] = baseEntries;
    if (first === undefined) return [];
    if (second !== undefined) {
      const detail = `A file may extend only one base, and line ${source.position(first.offset).line} already names one. Keep one of them.`;
      this.#context.problems.add('manifest.declared-twice', detail, { source, offset: second.offset });
    }
    const text = first.value.type === 'scalar' && typeof first.value.value === 'string' ? first.value.text : undefined;
    // A wrong type is reported with the document.
    return text === undefined ? [] : this.#readBase(text, file, { source, offset: spotOffset(first) });
  }

  async #readBase(baseName: string, file: ManifestFile, spot: Spot): Promise<readonly string[]> {
    const { cwd, files, repository } = this.#context;
    const path = resolve(dirname(file.path), baseName);
    const real = await files.realPath(path).catch(() => undefined);
    if (real === undefined) {
      const detail = `${shownPath(cwd, path)}, the base, does not exist. The path is relative to this file.`;
      return this.#refuse('manifest.file-missing', detail, spot);
    }
    if (!isInside(repository, real) && !isInside(file.root, real)) {
      const detail = `${quoted(baseName)} is outside ${shownPath(cwd, repository)}. A base must be reviewed together with the files that extend it. Move it into this repository.`;
      return this.#refuse('manifest.leaves-folder', detail, spot);
    }
    const folder = isInside(file.root, real) ? file.root : repository;
    const hidden = hiddenPart(folder, real) ?? hiddenPart(folder, path);
    if (hidden !== undefined) return this.#refuse('manifest.hidden-file', hiddenFile(baseName, hidden), spot);
    const baseFiles = await discover([path], cwd, files, this.#context.problems);
    const bases: string[] = [];
    for (const base of baseFiles) {
      if (this.#open.some((open) => open.path === base.path)) return this.#refuseCycle(base, spot);
      this.bases.push(base);
      await this.read(base);
      if (this.#parsed.get(base.path) !== undefined) bases.push(base.path);
    }
    return bases;
  }

  #refuseCycle(base: ManifestFile, spot: Spot): readonly string[] {
    const from = this.#open.findIndex(({ path }) => path === base.path);
    const names = [...this.#open.slice(from), base].map(({ name }) => name);
    const detail = `The base extends this file in turn: ${names.join(' extends ')}. Name a base that neither contains nor extends this file.`;
    return this.#refuse('manifest.extends-cycle', detail, spot);
  }

  #refuse(
    code: 'manifest.file-missing' | 'manifest.leaves-folder' | 'manifest.hidden-file' | 'manifest.extends-cycle',
    detail: string,
    spot: Spot,
  ) {
    this.isPartial = true;
    this.#context.problems.add(code, detail, spot);
    return [];
  }

  /** Returns every manifest with the files below it. */
  layered(): readonly ParsedFile[] {
    const layered = new Map<string, ParsedFile>();
    const layer = (path: string): readonly ParsedFile[] => {
      const layeredBefore = layered.get(path);
      const parsed = this.#parsed.get(path);
      if (layeredBefore !== undefined || parsed === undefined)
        return layeredBefore === undefined ? [] : [layeredBefore];
      const lower = (this.#basesOf.get(path) ?? []).flatMap(layer);
      const below = new Set(lower.flatMap(({ file, below: deeper }) => [file.path, ...deeper]));
      const file = { ...parsed, depth: Math.max(0, ...lower.map(({ depth }) => depth + 1)), below };
      layered.set(path, file);
      return [file];
    };
    const files = [...this.#parsed.keys()].flatMap(layer);
    return files.sort((left, right) => compareText(left.file.name, right.file.name));
  }
}

function spotOffset(entry: TreeEntry): number {
  return nearest(entry, []).value.offset;
}
