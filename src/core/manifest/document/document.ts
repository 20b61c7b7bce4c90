// Reads a manifest into its documents, and of each document the outline, which is everything except the blocks of its objects.

import { isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { type FileAccess, readSource } from '../files/access.ts';
import type { ManifestFile } from '../files/discover.ts';
import {
  readDocuments,
  type SectionItems,
  type SectionStore,
  type SplitDocument,
  type SplitDocuments,
  saysFirstVersion,
} from '../files/documents.ts';
import { entryIn, type MapTree, nearest, type Tree, type TreeEntry, toJson, valueOffset } from '../files/tree.ts';
import type { ManifestCode } from '../problems/codes.ts';
import { type ProblemSource, Problems, type SourceText, type Spot } from '../problems/problems.ts';
import { withSection } from '../schema/block-schema.ts';
import { complaintsOf } from '../schema/schema-errors.ts';
import type { SchemaComplaint } from '../schema/sentences.ts';
import type { VariableUse } from './application-variables.ts';
import { type ForeignFile, isMapping, originOf, originOfText, topLevelNames } from './foreign-files.ts';
import type { LoadContext } from './load-context.ts';
import { applicationOf, filledParts } from './outline-variables.ts';
import { prune } from './prune.ts';
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

/** `isPartial`: whether a part of a file could not be read, so that objects may be missing. */
export interface ReadFiles {
  readonly found: readonly ManifestFile[];
  readonly parsed: readonly ParsedFile[];
  readonly foreign: readonly ForeignFile[];
  readonly isPartial: boolean;
}

export function isLayered(parsed: readonly ParsedFile[]): boolean {
  return parsed.some(({ depth }) => depth > 0);
}

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

export interface ManifestDocument extends Omit<ParsedFile, 'documents'> {
  /** Sections of objects are empty maps here. Their content is in `sections`. */
  readonly tree: Tree;
  readonly sections: ReadonlyMap<string, SectionItems>;
  /** The outline without defaults. Variables are filled in and refused parts left out. */
  readonly outline: JsonObject;
  /** Every `${NAME}` of the application block. */
  readonly variables: readonly VariableUse[];
  /** Whether a section may be missing because its name or form was refused. */
  readonly isPartial: boolean;
}

const hidesSections: ReadonlySet<ManifestCode> = new Set<ManifestCode>(['manifest.unknown-key', 'manifest.wrong-type']);

/** Reads and checks the outline of a document. */
export function readDocument(
  { documents: _, ...ofFile }: ParsedFile,
  { tree: written, sections, source = ofFile.source }: SplitDocument,
  context: LoadContext,
): ManifestDocument {
  const { kinds, checks } = context;
  const tree = ofFile.hasPlaceholders ? filledParts(written, source, context) : written;
  const uses: VariableUse[] = [];
  const values = ofFile.hasPlaceholders ? applicationOf(tree, source, uses, context) : undefined;
  const outline = outlineOf(tree, kinds, values);
  const complaints = checks.outline.fits(outline) ? [] : complaintsAbout(outline, { tree, source }, uses, context);
  return {
    ...ofFile,
    source,
    tree,
    sections,
    outline: fittingPart(outline, complaints),
    isPartial: complaints.some(({ path, code }) => path.length <= 1 && hidesSections.has(code)),
    variables: uses,
  };
}

function complaintsAbout(
  outline: JsonValue,
  { tree, source }: Pick<ManifestDocument, 'tree' | 'source'>,
  uses: readonly VariableUse[],
  { checks, problems, suggestions }: LoadContext,
): readonly SchemaComplaint[] {
  const root: TreeEntry = { offset: tree.offset, value: tree };
  const complaints = complaintsOf(outline, {
    check: checks.outline,
    title: 'a manifest',
    textAt: (path) => textAt(root, path),
    // Which variables are secrets is known only after the whole load.
    isSecret: (path) => uses.some((use) => use.path.join('/') === path.join('/')),
    suggestions,
  });
  for (const { code, detail, path, at } of complaints) {
    problems.add(code, detail, { source, offset: offsetAt(root, path, at) });
  }
  return complaints;
}

function fittingPart(outline: JsonValue, complaints: readonly SchemaComplaint[]): JsonObject {
  const paths = complaints.map(({ path }) => path);
  const fitting = paths.length === 0 ? outline : prune(outline, paths);
  return isObject(fitting) ? fitting : {};
}

/** Returns the position of a part of a document. */
export function spotIn(document: ManifestDocument, path: readonly string[], at: 'key' | 'value' = 'value'): Spot {
  const root: TreeEntry = { offset: document.tree.offset, value: document.tree };
  return { source: document.source, offset: offsetAt(root, path, at) };
}

function offsetAt(root: TreeEntry, path: readonly string[], at: 'key' | 'value'): number {
  const entry = nearest(root, path);
  return at === 'key' ? entry.offset : valueOffset(entry);
}

/** Returns the source text of the scalar at a path. */
export function textAt(root: TreeEntry, path: readonly string[]): string | undefined {
  const { value } = nearest(root, path);
  return value.type === 'scalar' ? value.text : undefined;
}

/** `application` is the block with its variables filled in. */
function outlineOf(tree: Tree, kinds: readonly KindDefinition[], application: JsonValue | undefined): JsonValue {
  if (tree.type !== 'map') return toJson(tree);
  const sections = new Set(withSection(kinds).map(({ section }) => section));
  const entries = Array.from(tree.entries, ([key, { value }]): [string, JsonValue] => {
    if (sections.has(key)) return [key, withoutContent(value)];
    if (key === 'application' && application !== undefined) return [key, application];
    return [key, key === 'defaults' ? mapEntries(value, withoutContent) : toJson(value)];
  });
  return Object.fromEntries(entries);
}

/** Returns an empty value of the same type. */
function withoutContent(tree: Tree): JsonValue {
  return tree.type === 'scalar' ? tree.value : tree.type === 'list' ? [] : {};
}

function mapEntries(tree: Tree, read: (tree: Tree) => JsonValue): JsonValue {
  if (tree.type !== 'map') return toJson(tree);
  return Object.fromEntries(Array.from(tree.entries, ([key, { value }]): [string, JsonValue] => [key, read(value)]));
}
