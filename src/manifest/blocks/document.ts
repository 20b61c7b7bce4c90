// Reads one document apart from the blocks of its objects: its outline, checked, without refused parts.
import { isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { printPosition } from '../../model/source.ts';
import type { KindDefinition } from '../../resources/define.ts';
import type { ManifestCode } from '../checks/codes.ts';
import type { Problems, Spot } from '../checks/problems.ts';
import type { Suggestions } from '../checks/suggest.ts';
import { quoted } from '../checks/wording.ts';
import type { ManifestFile } from '../discover.ts';
import type { ParsedFile } from '../overlays/layers.ts';
import { mergeSettings } from '../overlays/settings.ts';
import { withSection } from '../schema/block-schema.ts';
import { complaintsOf } from '../schema/schema-errors.ts';
import type { Checks } from '../schema/validate.ts';
import {
  type DeclaredVariables,
  environmentName,
  substitute,
  type Variables,
  type VariableUse,
} from '../variables/application-variables.ts';
import { fillTree, mayHoldPlaceholder, type PlaceholderValues } from '../variables/fill.ts';
import { type GivenValues, type VariablesBlock, VariableTable } from '../variables/variable-table.ts';
import type { SplitDocument } from '../yaml/documents.ts';
import type { SectionItems } from '../yaml/section-items.ts';
import type { Source } from '../yaml/source-text.ts';
import { nearest, type Tree, type TreeEntry, toJson, valueOffset } from '../yaml/tree.ts';
import { prune } from './prune.ts';

export interface ManifestDocument {
  readonly file: ManifestFile;
  readonly source: Source;
  /** Of the whole file. */
  readonly text: string;
  /** How many layers lie below its file. */
  readonly depth: number;
  /** The paths of all files below. */
  readonly below: ReadonlySet<string>;
  /** Sections of objects are empty maps here; `sections` has their content. */
  readonly tree: Tree;
  readonly sections: ReadonlyMap<string, SectionItems>;
  /** Without blocks of objects and defaults. Variables are filled in, refused parts are left out. */
  readonly outline: JsonObject;
  /** Every `${NAME}` of the application block. */
  readonly variables: readonly VariableUse[];
  /** A section may be missing because its name or form was refused. */
  readonly isPartial: boolean;
}

const hidesSections: ReadonlySet<ManifestCode> = new Set<ManifestCode>(['manifest.unknown-key', 'manifest.wrong-type']);

/** Shared by all readers of one load. */
export interface LoadContext {
  readonly kinds: readonly KindDefinition[];
  readonly checks: Checks;
  readonly problems: Problems;
  readonly suggestions: Suggestions;
  readonly variables: Variables;
  readonly missingVariables: 'error' | 'warn';
  /** The variables that manifests declare. */
  readonly variableTable: VariableTable;
}

/** Reads and checks the outlines of all files. `given`: the values of this run. */
export function readDocuments(
  parsed: readonly ParsedFile[],
  given: GivenValues | undefined,
  context: Omit<LoadContext, 'variableTable'>,
  isSecret: (name: string) => boolean = () => false,
): { readonly documents: readonly ManifestDocument[]; readonly variableTable: VariableTable } {
  const layered = mergeSettings(parsed, context.problems);
  const variableTable = new VariableTable(variablesBlocks(layered, context.problems), given, { ...context, isSecret });
  const documents = layered.flatMap((file) =>
    file.documents.map((document) => readDocument(file, document, { ...context, variableTable })),
  );
  return { documents, variableTable };
}

/** The `variables` of all documents. A name that is declared twice is reported. */
function variablesBlocks(parsed: readonly ParsedFile[], problems: Problems): readonly VariablesBlock[] {
  const known = new Map<string, Spot>();
  const blocks: VariablesBlock[] = [];
  for (const { source: text, documents } of parsed) {
    for (const { tree, source = text } of documents) {
      const block = tree.type === 'map' ? tree.entries.get('variables')?.value : undefined;
      if (block?.type !== 'map') continue;
      const entries = [...block.entries].filter(([name, { offset }]) => {
        const first = known.get(name);
        const spot = { source, offset };
        if (first === undefined) known.set(name, spot);
        else {
          const place = printPosition(first.source.position(first.offset));
          const detail = `The variable ${name} is declared here and at ${place}. Keep one of them.`;
          problems.add('manifest.declared-twice', detail, spot);
        }
        return first === undefined;
      });
      blocks.push({ source, tree: { ...block, entries: new Map(entries) } });
    }
  }
  return blocks;
}

function readDocument(
  { file, source: ofFile, text, depth, below }: ParsedFile,
  { tree: written, sections, source = ofFile }: SplitDocument,
  context: LoadContext,
): ManifestDocument {
  const { kinds, checks, problems, suggestions, variableTable } = context;
  const variables: VariableUse[] = [];
  const tree = mayHoldPlaceholder(text) ? filledParts(written, source, context) : written;
  const root: TreeEntry = { offset: tree.offset, value: tree };
  const declared: DeclaredVariables = (name, path) =>
    variableTable.valueOf(name, { source, offset: valueOffset(nearest(root, path)) })?.value ?? undefined;
  const outline = outlineOf(tree, kinds, { variables: context.variables, declared }, variables);
  for (const use of variables) reportVariable(use, { source, offset: valueOffset(nearest(root, use.path)) }, context);
  const explanations = complaintsOf(outline, {
    check: checks.outline,
    title: 'a manifest',
    textAt: (path) => textAt(root, path),
    // Only the whole load knows which variables are secrets.
    isSecret: (path) => variables.some((use) => use.path.join('/') === path.join('/')),
    suggestions,
  });
  for (const { code, detail, path, at } of explanations) {
    problems.add(code, detail, { source, offset: offsetAt(root, path, at) });
  }
  const pruned = prune(
    outline,
    explanations.map(({ path }) => path),
  );
  const isPartial = explanations.some(({ path, code }) => path.length <= 1 && hidesSections.has(code));
  return {
    file,
    source,
    text,
    depth,
    below,
    tree,
    sections,
    outline: isObject(pruned) ? pruned : {},
    isPartial,
    variables,
  };
}

/** Parts of a document, apart from its objects, in which `${var.NAME}` is filled in. The policy is always what it says. */
const filledNames = ['defaults', 'sources', 'removed'] as const;

function filledParts(tree: Tree, source: Source, { variableTable, problems }: LoadContext): Tree {
  if (tree.type !== 'map') return tree;
  const values: PlaceholderValues = {
    valueOf({ scope, name }, offset) {
      if (scope === 'var') return variableTable.valueOf(name, { source, offset });
      const detail = `There is no row here: \${each.${name}} belongs into a block with for_each. For the plain text write $\${each.`;
      problems.add('manifest.each-outside', detail, { source, offset });
      return undefined;
    },
    refuseKey(key, offset) {
      const detail = `With its values filled in, ${quoted(key)} is reserved or appears twice in this map. Choose another.`;
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

/** The spot of a part of a document. */
export function spotIn(document: ManifestDocument, path: readonly string[], at: 'key' | 'value' = 'value'): Spot {
  const root: TreeEntry = { offset: document.tree.offset, value: document.tree };
  return { source: document.source, offset: offsetAt(root, path, at) };
}

function offsetAt(root: TreeEntry, path: readonly string[], at: 'key' | 'value'): number {
  const entry = nearest(root, path);
  return at === 'key' ? entry.offset : valueOffset(entry);
}

/** The source text of the scalar at a path. */
export function textAt(root: TreeEntry, path: readonly string[]): string | undefined {
  const { value } = nearest(root, path);
  return value.type === 'scalar' ? value.text : undefined;
}

export function reportVariable({ type, name }: VariableUse, spot: Spot, context: LoadContext): void {
  if (type === 'filled' || type === 'refused') return;
  if (type === 'malformed') {
    const detail = `\${${name}} is not a valid variable: names consist of letters, digits and underscores. For the plain text write $\${.`;
    context.problems.add('manifest.bad-variable', detail, spot);
    return;
  }
  const detail = `${name} is read from the environment variable ${environmentName(name)}, which is not set. Set it for this command.`;
  const severity = context.missingVariables === 'warn' ? 'warning' : 'error';
  context.problems.add('manifest.missing-variable', detail, spot, severity);
}

function outlineOf(
  tree: Tree,
  kinds: readonly KindDefinition[],
  variables: Parameters<typeof substitute>[1],
  uses: VariableUse[],
): JsonValue {
  if (tree.type !== 'map') return toJson(tree);
  const sections = new Set(withSection(kinds).map(({ section }) => section));
  const entries = Array.from(tree.entries, ([key, { value }]): [string, JsonValue] => {
    if (sections.has(key)) return [key, withoutContent(value)];
    if (key === 'application') return [key, substitute(toJson(value), variables, uses, [key]) ?? {}];
    return [key, key === 'defaults' ? mapEntries(value, withoutContent) : toJson(value)];
  });
  return Object.fromEntries(entries);
}

/** Keeps only the type. */
function withoutContent(tree: Tree): JsonValue {
  return tree.type === 'scalar' ? tree.value : tree.type === 'list' ? [] : {};
}

function mapEntries(tree: Tree, read: (tree: Tree) => JsonValue): JsonValue {
  if (tree.type !== 'map') return toJson(tree);
  return Object.fromEntries(Array.from(tree.entries, ([key, { value }]): [string, JsonValue] => [key, read(value)]));
}
