// Decides which file each exported block belongs in: the file that already has the most blocks of its custom type, or of its kind.
import type { KindDefinition } from '../../../core/kinds/definition/kind.ts';
import { textOf } from '../../../core/kinds/definition/values.ts';
import { kindOf } from '../../../core/model/address.ts';
import type { Resource } from '../../../core/model/resource.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { mostInFile } from '../export/files.ts';

export type Block = readonly [key: string, block: JsonObject];

interface FileContents {
  blocks: number;
  readonly types: Map<string, number>;
}

/** The plain blocks of the manifests of a folder, counted by kind and file. */
export class Placement {
  readonly #kinds = new Map<string, Map<string, FileContents>>();

  /** `files` are the names of the manifests in the folder, as the sources of objects name them. */
  constructor(resources: Iterable<Resource>, files: ReadonlySet<string>) {
    for (const { address, attributes, source } of resources) {
      const { file, row, over } = source;
      if (row !== undefined || over !== undefined || !files.has(file)) continue;
      const kind = kindOf(address);
      const byFile = this.#kinds.get(kind) ?? new Map<string, FileContents>();
      this.#kinds.set(kind, byFile);
      const contents = byFile.get(file) ?? { blocks: 0, types: new Map<string, number>() };
      byFile.set(file, contents);
      contents.blocks += 1;
      const type = textOf(attributes, 'custom_type') ?? '';
      if (type !== '') contents.types.set(type, (contents.types.get(type) ?? 0) + 1);
    }
  }

  /** The blocks by the file that has room for them. Those under undefined need new files. */
  filesFor(kind: KindDefinition, blocks: readonly Block[]): ReadonlyMap<string | undefined, readonly Block[]> {
    const byFile = new Map<string | undefined, Block[]>();
    const add = (file: string | undefined, added: readonly Block[]) =>
      byFile.set(file, [...(byFile.get(file) ?? []), ...added]);
    const wanted = new Map<string | undefined, Block[]>();
    for (const block of blocks) {
      const file = this.#fileFor(kind.name, textOf(block[1], 'custom_type') ?? '');
      const others = wanted.get(file);
      if (others === undefined) wanted.set(file, [block]);
      else others.push(block);
    }
    for (const [file, ofFile] of wanted) {
      const known = file === undefined ? 0 : (this.#kinds.get(kind.name)?.get(file)?.blocks ?? 0);
      add(known + ofFile.length > mostInFile(kind.section) ? undefined : file, ofFile);
    }
    return byFile;
  }

  #fileFor(kind: string, type: string): string | undefined {
    let best: { readonly file: string; readonly rank: readonly [number, number] } | undefined;
    for (const [file, { blocks, types }] of this.#kinds.get(kind) ?? []) {
      const rank = [types.get(type) ?? 0, blocks] as const;
      const isBetter =
        best === undefined || rank[0] > best.rank[0] || (rank[0] === best.rank[0] && rank[1] > best.rank[1]);
      if (isBetter) best = { file, rank };
    }
    return best?.file;
  }
}
