// Reads YAML 1.2 with the `yaml` package, into trees with offsets.
import {
  type Alias,
  Composer,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  type Pair,
  Parser,
  Scalar,
  type YAMLMap,
} from 'yaml';
import { isUnusableText, reservedKeys } from '../../../lib/json.ts';
import type { ManifestCode } from '../problems/codes.ts';
import type { ProblemReporter, Problems, SourceText } from '../problems/problems.ts';
import { quoted } from '../problems/wording.ts';
import { Anchors, maxDepth, tooDeep } from './anchors.ts';
import { conflictsIn, syntaxProblemsOf } from './syntax-advice.ts';
import type { MapTree, Tree, TreeEntry } from './tree.ts';

/** The levels around a chunk of a section. */
const depthAroundChunks = 4;

/** Characters that no YAML file may contain unescaped. */
const controlCharacter = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/u;

export interface ParsedDocuments {
  /** Documents without a syntax error, in order. */
  readonly trees: readonly Tree[];
  /** Whether a part could not be read, so that objects may be missing. */
  readonly isPartial: boolean;
}

const unfinishedMerge =
  'Git could not merge these lines. The part above ======= is from one branch, the part below from the other. Keep the right part, and remove the lines with <<<<<<<, ======= and >>>>>>>.';

export function parseYaml(source: SourceText, problems: Problems): ParsedDocuments {
  const control = controlCharacter.exec(source.text);
  if (control !== null) {
    const code = control[0].charCodeAt(0).toString(16).padStart(4, '0');
    const detail = `The file contains the control character U+${code}. Remove it, or write it as "\\u${code}" in a text in double quotes.`;
    problems.add('manifest.bad-character', detail, { source, offset: control.index });
    return { trees: [], isPartial: true };
  }
  const conflicts = source.text.includes('<<<<<<<') ? conflictsIn(source.text) : [];
  for (const offset of conflicts) problems.add('manifest.merge-conflict', unfinishedMerge, { source, offset });
  if (conflicts.length > 0) return { trees: [], isPartial: true };
  const { documents, tooDeepAt } = compose(source.text, maxDepth);
  if (tooDeepAt !== undefined) {
    problems.add('manifest.too-deep', tooDeep, { source, offset: tooDeepAt });
    return { trees: [], isPartial: true };
  }
  if (documents.length === 0) emptyDocument(source, 0, problems);
  const trees = documents.map((document) => new YamlReader(source, problems).read(document));
  const complete = trees.filter((tree) => tree !== undefined);
  return { trees: complete, isPartial: complete.length < Math.max(1, trees.length) };
}

/**
 * Adds the entries of a map in the lines from `start` to `end`. Returns false if the lines can be read only with the rest of
 * the file, because of an error, an anchor, an alias or a merge.
 */
export function parseEntries(
  source: SourceText,
  start: number,
  end: number,
  entries: Map<string, TreeEntry>,
  problems: ProblemReporter,
): boolean {
  const { documents, tooDeepAt } = compose(source.text.slice(start, end), maxDepth - depthAroundChunks);
  const [document] = documents;
  if (tooDeepAt !== undefined || document === undefined || documents.length > 1) return false;
  return new YamlReader(source, problems, start).readEntries(document, entries);
}

function compose(
  text: string,
  depth: number,
): { readonly documents: readonly Document.Parsed[]; readonly tooDeepAt?: number } {
  const parser = new Parser();
  // Keys are always texts. The package checks for equal keys in quadratic time, Reader in linear time.
  const composer = new Composer({
    schema: 'core',
    resolveKnownTags: false,
    stringKeys: true,
    uniqueKeys: false,
    logLevel: 'silent',
  });
  const documents: Document.Parsed[] = [];
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) documents.push(...composer.next(token));
    // Composing is recursive, so check the depth first.
    if (parser.stack.length > depth) return { documents: [], tooDeepAt: parser.offset - lexeme.length };
  }
  for (const token of parser.end()) documents.push(...composer.next(token));
  documents.push(...composer.end());
  return { documents };
}

function emptyDocument(source: SourceText, offset: number, problems: ProblemReporter): void {
  const detail =
    'The document declares nothing, so the file may have been truncated. Write "version: 1" and your declarations, or remove the file (or the --- line).';
  problems.add('manifest.empty-document', detail, { source, offset });
}

class YamlReader {
  readonly #source: SourceText;
  readonly #problems: ProblemReporter;
  /** The offset of the document in the source. */
  readonly #start: number;
  /** Made with the first anchor or alias. */
  #anchors: Anchors | undefined;
  #failed = false;
  /** Whether a part needs the whole document. */
  #needsWhole = false;

  constructor(source: SourceText, problems: ProblemReporter, start = 0) {
    this.#source = source;
    this.#problems = problems;
    this.#start = start;
  }

  /** Reports a problem and returns undefined if the document is not valid. */
  read(document: Document.Parsed): Tree | undefined {
    const { contents, errors, warnings } = document;
    if (errors.length + warnings.length > 0) {
      for (const { detail, offset } of syntaxProblemsOf(document, this.#source.text)) {
        this.#fail('manifest.syntax', detail, offset);
      }
    }
    if (this.#failed) return undefined;
    if (contents === null || (isScalar(contents) && contents.value === null && contents.source === '')) {
      emptyDocument(this.#source, this.#start + document.range[0], this.#problems);
      return undefined;
    }
    const tree = this.#tree(contents, this.#start);
    return this.#failed ? undefined : tree;
  }

  /** Reads a part of a document, which is a map, into `entries`. Returns false if it needs the whole document. */
  readEntries({ errors, warnings, contents }: Document.Parsed, entries: Map<string, TreeEntry>): boolean {
    if (errors.length + warnings.length > 0 || !isMap(contents) || contents.anchor !== undefined) return false;
    // The keys that take precedence over merged ones may be in a later part of the section.
    if (hasMergeKey(contents) || contents.items.some(({ value }) => isMap(value) && hasMergeKey(value))) return false;
    this.#entries(contents.items, this.#start + contents.range[0], entries);
    return !this.#needsWhole;
  }

  #tree(node: unknown, offset: number): Tree {
    if (isAlias(node)) return this.#aliased(node);
    if (!isNode(node)) return { type: 'scalar', offset, value: null, text: '' };
    const anchor = isAlias(node) ? undefined : node.anchor;
    if (anchor === undefined) return this.#plain(node, offset);
    this.#needsWhole = true;
    this.#anchors ??= new Anchors();
    return this.#anchors.read(anchor, () => this.#plain(node, offset));
  }

  #plain(node: Node, fallback: number): Tree {
    const offset = node.range === undefined || node.range === null ? fallback : this.#start + node.range[0];
    if (isMap(node)) return this.#entries(node.items, offset);
    if (isSeq(node)) return { type: 'list', offset, items: node.items.map((item) => this.#tree(item, offset)) };
    return this.#scalar(isScalar(node) ? node : new Scalar(null), offset);
  }

  #scalar({ value, source = '' }: Scalar, offset: number): Tree {
    if (typeof value === 'string' && isUnusableText(value)) {
      const detail = `${quoted(value)} contains a NUL character or half of a surrogate pair, which the platform cannot store. Remove it.`;
      this.#problems.add('manifest.bad-character', detail, { source: this.#source, offset });
    }
    if (value === null || typeof value === 'boolean') return { type: 'scalar', offset, value, text: source };
    // .inf, .nan and 1e999 are not JSON numbers and keep their text.
    const number = typeof value === 'number' && Number.isFinite(value) ? value : undefined;
    return { type: 'scalar', offset, value: number ?? (typeof value === 'string' ? value : source), text: source };
  }

  #entries(pairs: readonly Pair[], offset: number, entries = new Map<string, TreeEntry>()): MapTree {
    const merged: Tree[] = [];
    for (const { key, value } of pairs) {
      if (!isScalar(key) || typeof key.value !== 'string') continue;
      const keyOffset = key.range === undefined || key.range === null ? offset : this.#start + key.range[0];
      const tree = this.#tree(value, keyOffset);
      if (isMergeKey(key)) merged.push(...this.#mergeSources(tree, keyOffset));
      else if (this.#accepts(key.value, keyOffset, entries)) entries.set(key.value, { offset: keyOffset, value: tree });
    }
    // A key of the map itself takes precedence over merged ones, and an earlier merged map over a later one.
    for (const tree of merged) {
      if (tree.type !== 'map') continue;
      for (const [key, entry] of tree.entries) if (!entries.has(key)) entries.set(key, entry);
    }
    return { type: 'map', offset, entries };
  }

  #accepts(key: string, offset: number, entries: ReadonlyMap<string, TreeEntry>): boolean {
    const first = entries.get(key);
    const spot = { source: this.#source, offset };
    if (first !== undefined) {
      const { line } = this.#source.position(first.offset);
      const detail = `${quoted(key)} appears here and in line ${line} of the same map. Keep one of them.`;
      this.#problems.add('manifest.duplicate-key', detail, spot);
    } else if (reservedKeys.has(key)) {
      const detail = `${quoted(key)} is reserved and cannot be used as a key. Choose another key.`;
      this.#problems.add('manifest.reserved-key', detail, spot);
    } else if (isUnusableText(key)) {
      const detail = `${quoted(key)} contains a NUL character or half of a surrogate pair, which the platform cannot store. Remove it.`;
      this.#problems.add('manifest.bad-character', detail, spot);
    } else return true;
    return false;
  }

  #mergeSources(tree: Tree, offset: number): readonly Tree[] {
    const sources = tree.type === 'list' ? tree.items : [tree];
    if (sources.every(({ type }) => type === 'map')) return sources;
    const detail =
      'The value of the merge key << must be an alias of a map, such as <<: *name, or a list of such aliases.';
    this.#problems.add('manifest.wrong-type', detail, { source: this.#source, offset });
    return [];
  }

  #aliased(alias: Alias): Tree {
    this.#needsWhole = true;
    const offset = this.#start + (alias.range?.[0] ?? 0);
    this.#anchors ??= new Anchors();
    const part = this.#anchors.resolve(alias.source);
    if (part.type !== 'problem') return part;
    // Each further alias would exceed the limit as well.
    if (part.code !== 'manifest.too-many-aliases' || !this.#failed) this.#fail(part.code, part.detail, offset);
    return { type: 'scalar', offset, value: null, text: '' };
  }

  #fail(code: ManifestCode, detail: string, offset: number): void {
    this.#problems.add(code, detail, { source: this.#source, offset });
    this.#failed = true;
  }
}

function hasMergeKey({ items }: YAMLMap): boolean {
  return items.some(({ key }) => isMergeKey(key));
}

function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.value === '<<' && key.type === Scalar.PLAIN;
}
