// Reads a manifest, and distinguishes manifests from YAML of other programs in the same folder (semantics §9.5).

import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { mappingSections } from '../../model/tables/mapping.ts';
import type { FileAccess } from '../files/access.ts';
import type { ManifestFile } from '../files/discover.ts';
import { readDocuments, type SplitDocument, type SplitDocuments } from '../files/documents.ts';
import { readSource } from '../files/manifest-text.ts';
import type { MapTree, Tree } from '../files/tree.ts';
import { Problems } from '../problems/problems.ts';
import type { Source, SourceText } from '../problems/source-text.ts';
import { Suggestions } from '../problems/suggestions.ts';
import { withSection } from '../schema/block-schema.ts';
import { secretsNamedIn, type WithheldVariables } from './withheld.ts';

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
  readonly withheld: WithheldVariables;
}

/** `isPartial`: whether a part of the file could not be read, so that objects may be missing. */
interface ReadFile {
  readonly parsed?: ParsedFile;
  readonly isPartial: boolean;
  readonly foreign?: ForeignFile;
}

/** A file that is not a manifest: of another program, or a mapping of `chatform convert table`. */
export interface ForeignFile {
  readonly file: ManifestFile;
  readonly is: 'other' | 'mapping';
}

export async function readFile(
  file: ManifestFile,
  { kinds, files, problems, withheld }: ReadContext,
): Promise<ReadFile> {
  const source = await readSource(file, files, problems);
  if (source === undefined) return { isPartial: true };
  const split = readManifest(file, source, kinds, problems);
  if ('is' in split) return { isPartial: false, foreign: split };
  const { text } = source;
  if (split.isPartial) withheld.add(secretsNamedIn(text), 'read');
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

/** Returns the documents of a file. Without a report, names a mapping, and a file found in a folder that is not a manifest. */
export function readManifest(
  file: ManifestFile,
  source: SourceText,
  kinds: readonly KindDefinition[],
  problems: Problems,
): SplitDocuments | ForeignFile {
  const names = namesOf(kinds);
  const sections = new Set(names.sections);
  const isNamed = file.isNamed === true;
  const trial = new Problems();
  const read = readDocuments(source, sections, trial);
  if (trial.count > 0) {
    if (isNamed || mayBeManifest(source.text, names)) return readDocuments(source, sections, problems);
    return { file, is: 'other' };
  }
  if (read.documents.some(({ tree }) => isMapping(tree, names))) return { file, is: 'mapping' };
  return isNamed || read.documents.some(({ tree }) => isManifest(tree, names)) ? read : { file, is: 'other' };
}

/** Both may have users, but only a mapping has tables with files. A file with keys that only manifests have is not one. */
function isMapping(tree: Tree, { keys }: Names): boolean {
  if (tree.type !== 'map') return false;
  const tables = tree.entries.get('tables')?.value;
  if (tables?.type !== 'map') return false;
  const isOfManifests = (key: string) => keys.includes(key) && !mappingSections.some((section) => section === key);
  return (
    [...tables.entries.values()].some(({ value }) => value.type === 'map' && value.entries.has('files')) &&
    ![...tree.entries.keys()].some(isOfManifests)
  );
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
const useOfMappings = 'a mapping is input of chatform convert table.';

/** Reports a note for the files of other programs and one for the mappings, or an error if a folder contains nothing else. */
export function reportForeign(
  foreign: readonly ForeignFile[],
  found: readonly ManifestFile[],
  problems: Problems,
): void {
  if (foreign.length === 0) return;
  const skipped = new Set(foreign.map(({ file }) => file));
  const roots = new Set([...skipped].map(({ root }) => root));
  for (const file of found) if (!skipped.has(file)) roots.delete(file.root);
  const others = foreign.filter(({ is }) => is === 'other');
  const mappings = foreign.filter(({ is }) => is === 'mapping');
  if (roots.size > 0) {
    const noManifest =
      others.length === 0
        ? ''
        : `${listOf(others)}: none of these files contains version: 1 or a section of a manifest. `;
    const noMapping = mappings.length === 0 ? '' : `${listOf(mappings)}: ${useOfMappings} `;
    const advice = 'Pass the folder of your manifests, or run chatform init to create one.';
    problems.add('manifest.no-manifests', `${noManifest}${noMapping}${advice}`);
    return;
  }
  for (const [files, why] of [
    [others, 'no version: 1 and no section of a manifest. To check such a file anyway, pass it as a PATH argument.'],
    [mappings, `${useOfMappings} To check one, run chatform convert table DATA --mapping FILE --sample 20.`],
  ] as const) {
    if (files.length === 0) continue;
    const detail = `${listOf(files)} ${files.length === 1 ? 'was' : 'were'} skipped: ${why}`;
    problems.add('manifest.foreign', detail, undefined, 'note');
  }
}

function listOf(files: readonly ForeignFile[]): string {
  const more = files.length > maxNamed ? ` and ${files.length - maxNamed} more` : '';
  const names = files.slice(0, maxNamed).map(({ file }) => file.name);
  return `${names.join(', ')}${more}`;
}
