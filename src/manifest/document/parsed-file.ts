// Reads a manifest, and distinguishes manifests from YAML of other programs in the same folder (semantics §9.5).
import type { KindDefinition } from '../../resources/definition/kind.ts';
import type { FileAccess } from '../files/access.ts';
import type { ManifestFile } from '../files/discover.ts';
import { readSource } from '../files/manifest-text.ts';
import { Problems } from '../problems/problems.ts';
import type { Source, SourceText } from '../problems/source-text.ts';
import { Suggestions } from '../problems/suggestions.ts';
import { withSection } from '../schema/block-schema.ts';
import { readDocuments, type SplitDocument, type SplitDocuments } from '../yaml/documents.ts';
import type { MapTree, Tree } from '../yaml/tree.ts';

export interface ParsedFile {
  readonly file: ManifestFile;
  /** The text, or several texts if settings of a base were merged in. */
  readonly source: Source;
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
}

/** `isPartial`: whether a part of the file could not be read, so that objects may be missing. */
interface ReadFile {
  readonly parsed?: ParsedFile;
  readonly isPartial: boolean;
  readonly isForeign: boolean;
}

export async function readFile(file: ManifestFile, { kinds, files, problems }: ReadContext): Promise<ReadFile> {
  const source = await readSource(file, files, problems);
  if (source === undefined) return { isPartial: true, isForeign: false };
  const split = readManifest(file, source, kinds, problems);
  if (split === undefined) return { isPartial: false, isForeign: true };
  const { text } = source;
  const parsed: ParsedFile = {
    file,
    source,
    documents: split.documents,
    hasPlaceholders: text.includes('${'),
    hasForEach: text.includes(forEachKey),
    depth: 0,
    below: new Set(),
  };
  return { parsed, isPartial: split.isPartial, isForeign: false };
}

/** Top-level keys of a manifest besides its version and its sections. */
export const settingKeys = ['extends', 'variables', 'application', 'policy', 'defaults', 'sources', 'removed'];

/** Top-level names of a manifest. */
interface Names {
  readonly sections: readonly string[];
  readonly keys: readonly string[];
}

function namesOf(kinds: readonly KindDefinition[]): Names {
  const sections = withSection(kinds).map(({ section }) => section);
  return { sections, keys: [...settingKeys, ...sections] };
}

/** Returns the documents of a file. Returns undefined without a report for a file found in a folder that is not a manifest. */
export function readManifest(
  file: ManifestFile,
  source: SourceText,
  kinds: readonly KindDefinition[],
  problems: Problems,
): SplitDocuments | undefined {
  const names = namesOf(kinds);
  const sections = new Set(names.sections);
  if (file.isNamed) return readDocuments(source, sections, problems);
  const trial = new Problems();
  const read = readDocuments(source, sections, trial);
  if (trial.count === 0) return read.documents.some(({ tree }) => isManifest(tree, names)) ? read : undefined;
  return mayBeManifest(source.text, names) ? readDocuments(source, sections, problems) : undefined;
}

/** Errs on the side of manifests, because an overlooked manifest is worse than a reported foreign file. */
function isManifest(tree: Tree, names: Names): boolean {
  if (tree.type === 'list') return tree.items.some((item) => item.type === 'map' && isManifestMap(item, names));
  if (tree.type === 'scalar') return tree.value === null || mayBeManifest(tree.text, names);
  return [...tree.entries.keys()].every((key) => key === 'version') || isManifestMap(tree, names);
}

function isManifestMap({ entries }: MapTree, { sections, keys }: Names): boolean {
  const version = entries.get('version')?.value;
  if (version?.type === 'scalar' && Number(version.value) === 1) return true;
  const suggestions = new Suggestions();
  return [...entries].some(([key, { value }]) => {
    // GitHub workflows also have `defaults`.
    if (key === 'defaults') return value.type === 'map' && sections.some((section) => value.entries.has(section));
    return keys.includes(key) || (version !== undefined && suggestions.sentence(key, keys) !== '');
  });
}

/** Judges by its words a text that cannot be parsed or is not a map. A text without content may have been truncated. */
function mayBeManifest(text: string, { sections, keys }: Names): boolean {
  const words = new RegExp(
    `\\b(?:${sections.join('|')})\\b|^["']?(?:${keys.join('|')}|version["']?:\\s*["']?1\\b)`,
    'mu',
  );
  return words.test(text) || !/^(?!---|\.\.\.)\s*[^\s#]/mu.test(text);
}

const maxNamed = 10;

/** Reports one note for all foreign files, or an error if a folder contains nothing else. */
export function reportForeign(
  foreign: readonly ManifestFile[],
  found: readonly ManifestFile[],
  problems: Problems,
): void {
  if (foreign.length === 0) return;
  const roots = new Set(foreign.map(({ root }) => root));
  for (const { root } of found.filter((file) => !foreign.includes(file))) roots.delete(root);
  const more = foreign.length > maxNamed ? ` and ${foreign.length - maxNamed} more` : '';
  const names = `${foreign
    .slice(0, maxNamed)
    .map(({ name }) => name)
    .join(', ')}${more}`;
  if (roots.size > 0) {
    const detail = `${names}: none of these files contains version: 1 or a section of a manifest. Give the folder of your manifests, or run chatform init to create one.`;
    problems.add('manifest.no-manifests', detail);
    return;
  }
  const detail = `${names} ${foreign.length === 1 ? 'was' : 'were'} skipped: no version: 1 and no section of a manifest. To check such a file anyway, give it as a PATH argument.`;
  problems.add('manifest.foreign', detail, undefined, 'note');
}
