// Reads the outline of one document, which is everything except the blocks of its objects.

import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import type { SectionItems, SplitDocument } from '../files/documents.ts';
import { nearest, type Tree, type TreeEntry, toJson, valueOffset } from '../files/tree.ts';
import type { ManifestCode } from '../problems/codes.ts';
import type { Problems, Spot } from '../problems/problems.ts';
import type { ProblemSource } from '../problems/source-text.ts';
import type { Suggestions } from '../problems/suggestions.ts';
import { quoted } from '../problems/wording.ts';
import { withSection } from '../schema/block-schema.ts';
import { complaintsOf } from '../schema/schema-errors.ts';
import type { SchemaComplaint } from '../schema/sentences.ts';
import type { Checks } from '../schema/validate.ts';
import {
  type DeclaredVariables,
  environmentName,
  nameInOtherCase,
  substitute,
  type VariableLookup,
  type VariableUse,
} from './application-variables.ts';
import { fillTree, type PlaceholderValues } from './fill.ts';
import type { ParsedFile } from './parsed-file.ts';
import { prune } from './prune.ts';
import type { VariableTable } from './variable-table.ts';
import type { WithheldVariables } from './withheld.ts';

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

/** Shared by all readers of one load. */
export interface LoadContext {
  readonly kinds: readonly KindDefinition[];
  readonly checks: Checks;
  readonly problems: Problems;
  readonly suggestions: Suggestions;
  readonly variables: VariableLookup;
  /** The names that the environment sets. */
  readonly variableNames: readonly string[];
  readonly missingVariables: 'error' | 'warn';
  readonly withheld: WithheldVariables;
  /** The declared variables. Absent if no manifest declares or uses any. */
  readonly variableTable: VariableTable | undefined;
}

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

/** Returns the application block with variables filled in. `uses` receives each variable. */
function applicationOf(
  tree: Tree,
  source: ProblemSource,
  uses: VariableUse[],
  context: LoadContext,
): JsonValue | undefined {
  const entry = tree.type === 'map' ? tree.entries.get('application') : undefined;
  if (entry === undefined) return undefined;
  const root: TreeEntry = { offset: tree.offset, value: tree };
  const spotOf = (path: readonly string[]): Spot => ({ source, offset: valueOffset(nearest(root, path)) });
  const declared: DeclaredVariables = (name, path) =>
    context.variableTable?.valueOf(name, spotOf(path))?.value ?? undefined;
  const isWithheld = (name: string) => context.withheld.has(name);
  const values = { variables: context.variables, declared, isWithheld };
  const application = substitute(toJson(entry.value), values, uses, ['application']) ?? {};
  for (const use of uses) reportVariable(use, spotOf(use.path), context);
  return application;
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

/** The parts of the outline in which `${var.NAME}` is filled in. The policy is always taken literally. */
const filledNames = ['defaults', 'sources', 'removed'] as const;

function filledParts(tree: Tree, source: ProblemSource, { variableTable, problems }: LoadContext): Tree {
  if (tree.type !== 'map') return tree;
  const values: PlaceholderValues = {
    valueOf({ scope, name }, offset) {
      if (scope === 'var') return variableTable?.valueOf(name, { source, offset });
      const detail = `\${each.${name}} has a value only in a block with for_each. For the literal text, write $\${each.`;
      problems.add('manifest.each-outside', detail, { source, offset });
      return undefined;
    },
    refuseKey(key, offset) {
      const detail = `After values are filled in, ${quoted(key)} is reserved or appears twice in this map. Choose another key.`;
      problems.add('manifest.duplicate-key', detail, { source, offset });
    },
  };
  const entries = new Map(tree.entries);
  for (const name of filledNames) {
    const entry = entries.get(name);
    const value = entry === undefined ? undefined : fillTree(entry.value, values);
    if (entry !== undefined && value !== undefined) entries.set(name, { ...entry, value });
  }
  return { ...tree, entries };
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

export function reportVariable({ type, name }: VariableUse, spot: Spot, context: LoadContext): void {
  if (type === 'filled' || type === 'refused') return;
  if (type === 'malformed') {
    const detail = `\${${name}} is not a valid variable. Names consist of letters, digits and underscores. For the literal text, write $\${.`;
    context.problems.add('manifest.bad-variable', detail, spot);
    return;
  }
  const other = nameInOtherCase(name, context.variableNames);
  const advice =
    other === undefined
      ? 'Set it for this command.'
      : `${environmentName(other)} is set, but upper and lower case differ: rename one of them.`;
  const detail = `${name} is read from the environment variable ${environmentName(name)}, which is not set. ${advice}`;
  const severity = context.missingVariables === 'warn' ? 'warning' : 'error';
  context.problems.add('manifest.missing-variable', detail, spot, severity);
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
