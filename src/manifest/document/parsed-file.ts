// Reads a manifest. A file that is not a manifest is named as such.
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import type { FileAccess } from '../files/access.ts';
import type { ManifestFile } from '../files/discover.ts';
import {
  readDocuments,
  type SectionItems,
  type SplitDocument,
  type SplitDocuments,
  saysFirstVersion,
} from '../files/documents.ts';
import { readSource } from '../files/manifest-text.ts';
import type { SectionStore } from '../files/section-store.ts';
import type { MapTree, Tree } from '../files/tree.ts';
import { Problems } from '../problems/problems.ts';
import type { ProblemSource, SourceText } from '../problems/source-text.ts';
import { withSection } from '../schema/block-schema.ts';
import { entryIn } from './declared-block.ts';
import { type ForeignFile, isMapping, originOf, originOfText, topLevelNames } from './foreign-files.ts';
import { secretsNamedIn, type WithheldVariables } from './withheld.ts';

export interface ParsedFile {
  readonly file: ManifestFile;
  /** The text, or several texts if settings of a base were merged in. */
  readonly source: ProblemSource;
  readonly documents: readonly SplitDocument[];
  /** Whether the text may contain `${var.NAME}` or other placeholders. */
  readonly hasPlaceholders: boolean;
  /** Whether the text may contain for_each. */
  readonly hasForEach: boolean;
  /** The number of layers below. */
  readonly depth: number;
  /** The paths of all files below. */
  readonly below: ReadonlySet<string>;
}

export const forEachKey = 'for_each';

interface ReadContext {
  readonly kinds: readonly KindDefinition[];
  readonly files: FileAccess;
  readonly problems: Problems;
  readonly withheld: WithheldVariables;
  readonly sectionStore: SectionStore;
}

/** `isPartial`: whether a part of the file could not be read, so that objects may be missing. */
interface ReadFile {
  readonly parsed?: ParsedFile;
  readonly isPartial: boolean;
  readonly foreign?: ForeignFile;
}

export async function readFile(file: ManifestFile, context: ReadContext): Promise<ReadFile> {
  const { kinds, files, problems, sectionStore } = context;
  const source = await readSource(file, files, problems);
  // A file that cannot be read may belong to another program.
  if (source === undefined) {
    if (file.isNamed !== true) problems.doubt(file.name);
    return { isPartial: true };
  }
  const split = readManifest(file, source, kinds, problems, sectionStore.roomFor(source.text.length));
  if ('is' in split) return { isPartial: false, foreign: split };
  const { text } = source;
  if (split.isDoubtful) problems.doubt(source.file);
  if (split.isPartial) context.withheld.add(secretsNamedIn(text), 'read');
  const parsed: ParsedFile = {
    file,
    source,
    documents: split.documents,
    hasPlaceholders: text.includes('${'),
    hasForEach: text.includes(forEachKey),
    depth: 0,
    below: new Set(),
  };
  return { parsed, isPartial: split.isPartial };
}

interface ManifestDocuments extends SplitDocuments {
  /** Whether the file may belong to another program, because it does not say `version: 1`. */
  readonly isDoubtful: boolean;
}

/** Whether nothing has to be judged: the file says `version: 1`, and has nothing of a mapping. */
function isPlainManifest(trees: readonly Tree[]): boolean {
  return trees.some(saysFirstVersion) && trees.every((tree) => entryIn(tree, 'tables') === undefined);
}

/**
 * Returns the documents of a file, whose sections `itemsOf` keeps. Without a report, names a mapping, and a file found in a folder
 * that is not a manifest.
 */
export function readManifest(
  file: ManifestFile,
  source: SourceText,
  kinds: readonly KindDefinition[],
  problems: Problems,
  itemsOf?: (section: MapTree) => SectionItems,
): ManifestDocuments | ForeignFile {
  const sections = new Set(withSection(kinds).map(({ section }) => section));
  const trial = new Problems();
  const read = readDocuments(source, sections, trial, { itemsOf });
  const isRead = trial.count === 0;
  const trees = read.documents.map(({ tree }) => tree);
  if (isRead && isPlainManifest(trees)) return { ...read, isDoubtful: false };
  const names = topLevelNames(kinds);
  if (isRead && trees.some((tree) => isMapping(tree, names))) return { file, is: 'mapping' };
  const origin = file.isNamed === true ? 'ours' : isRead ? originOf(trees, names) : originOfText(source.text, names);
  if (origin === 'other') return { file, is: 'other' };
  return {
    ...(isRead ? read : readDocuments(source, sections, problems, { itemsOf })),
    isDoubtful: origin === 'doubtful',
  };
}
