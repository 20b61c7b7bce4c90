// Reads the files that were found and the bases that they extend, and says which file lies over which (semantics §9.12).

import { dirname, resolve } from 'node:path';
import { compareText } from '../../lib/json.ts';
import type { LoadContext } from '../blocks/document.ts';
import type { Problems, Spot } from '../checks/problems.ts';
import { quoted } from '../checks/wording.ts';
import { discover, isInside, type ManifestFile, readSource, shownPath } from '../discover.ts';
import type { FileAccess } from '../files.ts';
import { readManifest, reportForeign } from '../foreign.ts';
import type { SplitDocument } from '../yaml/documents.ts';
import type { Source } from '../yaml/source-text.ts';
import { nearest, type TreeEntry } from '../yaml/tree.ts';

const extendsKey = 'extends';

export interface ParsedFile {
  readonly file: ManifestFile;
  /** The text, or several texts where settings of a base were merged in. */
  readonly source: Source;
  readonly text: string;
  readonly documents: readonly SplitDocument[];
  /** How many layers lie below. */
  readonly depth: number;
  /** The paths of all files below. */
  readonly below: ReadonlySet<string>;
}

interface LayerContext extends Pick<LoadContext, 'kinds' | 'problems'> {
  readonly cwd: string;
  readonly files: FileAccess;
  /** The folder, links followed, that no base may leave. */
  readonly repository: string;
}

/** `isPartial`: a file, or a part of one, could not be read. Sorted by shown name. */
export async function readLayers(
  found: readonly ManifestFile[],
  context: LayerContext,
): Promise<{ readonly parsed: readonly ParsedFile[]; readonly isPartial: boolean }> {
  const reader = new LayerReader(context);
  for (const file of found) await reader.read(file);
  const bases = reader.foundAsBases.filter(({ path }) => !found.some((file) => file.path === path));
  reportForeign(reader.foreign, [...found, ...bases], context.problems);
  return { parsed: reader.parsed(), isPartial: reader.isPartial };
}

type Node = Omit<ParsedFile, 'depth' | 'below'> & { readonly bases: readonly string[] };

class LayerReader {
  readonly foreign: ManifestFile[] = [];
  readonly foundAsBases: ManifestFile[] = [];
  isPartial = false;
  readonly #context: LayerContext;
  readonly #problems: Problems;
  /** By path. Undefined: no manifest, or not readable. */
  readonly #nodes = new Map<string, Node | undefined>();
  /** The files that extend one another down to the one that is being read. */
  readonly #open: ManifestFile[] = [];

  constructor(context: LayerContext) {
    this.#context = context;
    this.#problems = context.problems;
  }

  async read(file: ManifestFile): Promise<void> {
    if (this.#nodes.has(file.path)) return;
    this.#nodes.set(file.path, undefined);
    const source = await readSource(file, this.#context.files, this.#problems);
    if (source === undefined) {
      this.isPartial = true;
      return;
    }
    const yaml = await readManifest(file, source, this.#context.kinds, this.#problems);
    if (yaml === undefined) {
      this.foreign.push(file);
      return;
    }
    this.isPartial ||= yaml.isPartial;
    const node = { file, source, text: source.text, documents: yaml.documents };
    this.#open.push(file);
    const bases = await this.#bases(node);
    this.#open.pop();
    this.#nodes.set(file.path, { ...node, bases });
  }

  async #bases({ file, source, documents }: Omit<Node, 'bases'>): Promise<readonly string[]> {
    const named = documents.flatMap(({ tree }) => (tree.type === 'map' ? (tree.entries.get(extendsKey) ?? []) : []));
    const [first, second] = named;
    if (first === undefined) return [];
    if (second !== undefined) {
      const detail = `A file extends one base; it is named in line ${source.position(first.offset).line} already. Keep one of them.`;
      this.#problems.add('manifest.declared-twice', detail, { source, offset: second.offset });
    }
    const text = first.value.type === 'scalar' && typeof first.value.value === 'string' ? first.value.text : undefined;
    // Another form is reported with the document.
    return text === undefined ? [] : this.#readBase(text, file, { source, offset: spotOffset(first) });
  }

  async #readBase(named: string, file: ManifestFile, spot: Spot): Promise<readonly string[]> {
    const { cwd, files, repository } = this.#context;
    const path = resolve(dirname(file.path), named);
    const real = await files.realPath(path).catch(() => undefined);
    if (real === undefined) {
      const detail = `${shownPath(cwd, path)}, the base, is not there. The path is relative to this file.`;
      return this.#refuse('manifest.file-missing', detail, spot);
    }
    if (!isInside(repository, real) && !isInside(file.root, real)) {
      const detail = `${quoted(named)} leads out of ${shownPath(cwd, repository)}, and a base is reviewed with what extends it. Put it into this repository.`;
      return this.#refuse('manifest.leaves-folder', detail, spot);
    }
    const found = await discover([path], cwd, files, this.#problems);
    const bases: string[] = [];
    for (const base of found) {
      if (this.#open.some((open) => open.path === base.path)) return this.#refuseCycle(base, spot);
      this.foundAsBases.push(base);
      await this.read(base);
      if (this.#nodes.get(base.path) !== undefined) bases.push(base.path);
    }
    return bases;
  }

  #refuseCycle(base: ManifestFile, spot: Spot): readonly string[] {
    const from = this.#open.findIndex(({ path }) => path === base.path);
    const names = [...this.#open.slice(from), base].map(({ name }) => name);
    const detail = `The base leads back to this file: ${names.join(' extends ')}. Name a folder that does not hold what extends it.`;
    return this.#refuse('manifest.extends-cycle', detail, spot);
  }

  #refuse(
    code: 'manifest.file-missing' | 'manifest.leaves-folder' | 'manifest.extends-cycle',
    detail: string,
    spot: Spot,
  ) {
    this.isPartial = true;
    this.#problems.add(code, detail, spot);
    return [];
  }

  parsed(): readonly ParsedFile[] {
    const made = new Map<string, ParsedFile>();
    const make = (path: string): ParsedFile | undefined => {
      const node = this.#nodes.get(path);
      const known = made.get(path);
      if (node === undefined || known !== undefined) return known;
      const { bases, ...rest } = node;
      const lower = bases.flatMap((base) => make(base) ?? []);
      const below = new Set(lower.flatMap(({ file, below: deeper }) => [file.path, ...deeper]));
      const file = { ...rest, depth: Math.max(0, ...lower.map(({ depth }) => depth + 1)), below };
      made.set(path, file);
      return file;
    };
    const files = [...this.#nodes.keys()].flatMap((path) => make(path) ?? []);
    return files.sort((left, right) => compareText(left.file.name, right.file.name));
  }
}

function spotOffset(entry: TreeEntry): number {
  return nearest(entry, []).value.offset;
}
