// Formats a manifest into its canonical order and layout. Comments and meaning stay the same.
import { type CST, Parser } from 'yaml';
import { InternalError } from '../../lib/errors.ts';
import { isObject } from '../../lib/json.ts';
import type { JsonSchema, KindDefinition } from '../../resources/define.ts';
import type { Problems } from '../checks/problems.ts';
import { layoutSchema } from '../schema/schema.ts';
import { parseYaml } from '../yaml/read-yaml.ts';
import type { SourceText } from '../yaml/source-text.ts';
import type { Tree } from '../yaml/tree.ts';
import { inOrder } from './key-order.ts';
import type { Layout, Lines } from './layout.ts';
import { endsInKept, printLayout } from './print-layout.ts';
import { readLayout, Unusual } from './read-layout.ts';
import { type Defaults, withoutDeprecated } from './rewrite.ts';
import { meanSame } from './same-meaning.ts';
import { type Loose, readTrivia, textsOf } from './trivia.ts';

/**
 * Undefined, with a problem, for a text that cannot be read. Keeps CR LF when the first line ends with it.
 * Throws an InternalError instead of returning a text with another meaning.
 */
export function formatManifest(
  source: SourceText,
  kinds: readonly KindDefinition[],
  problems: Problems,
): string | undefined {
  const known = problems.count;
  const { trees } = parseYaml(source, problems);
  if (problems.count > known) return undefined;
  const unix = source.text.replaceAll('\r\n', '\n');
  let formatted: string;
  try {
    formatted = printStream([...new Parser().parse(unix)], kinds, defaultsOf(trees));
  } catch (error) {
    if (!(error instanceof Unusual)) throw error;
    const detail = `${error.message} The file is left as it is.`;
    const shift = source.text === unix ? 0 : unix.slice(0, error.offset).split('\n').length - 1;
    problems.add('manifest.unusual', detail, { source, offset: error.offset + shift });
    return undefined;
  }
  if (!meanSame(unix, formatted, kinds)) {
    throw new InternalError(
      `the canonical form of ${source.file} would mean something else; the file was left as it is`,
    );
  }
  return /^[^\n]*\r\n/u.test(source.text) ? formatted.replaceAll('\n', '\r\n') : formatted;
}

/** The lines of a file while they are put together. */
class Page {
  readonly #lines: string[] = [];
  /** Blank lines before this line belong to a text and stay. */
  #fixed = 0;

  put(lines: Lines): void {
    this.#lines.push(...lines);
    this.#fixed = this.#lines.length;
  }

  /** Adds comments and blank lines between parts: at most one blank line in a row, none at the start. */
  putLoose(loose: readonly Loose[]): void {
    for (const line of textsOf(loose)) {
      const last = this.#lines.at(-1);
      if (line !== '' || !(last === undefined || last === '' || /^(?:---|%)/u.test(last))) this.#lines.push(line);
    }
  }

  text(): string {
    while (this.#lines.length > this.#fixed && this.#lines.at(-1) === '') this.#lines.pop();
    return `${this.#lines.join('\n')}\n`;
  }
}

function printStream(tokens: readonly CST.Token[], kinds: readonly KindDefinition[], defaults: Defaults): string {
  const page = new Page();
  let loose: CST.SourceToken[] = [];
  for (const token of tokens) {
    if (token.type === 'comment' || token.type === 'newline' || token.type === 'space') {
      loose.push(token);
      continue;
    }
    page.putLoose(readTrivia(loose, true).loose);
    loose = [];
    if (token.type === 'document') printDocument(token, kinds, defaults, page);
    else if (token.type === 'directive') page.put([token.source]);
    else if (token.type === 'doc-end') {
      const end = readTrivia(token.end ?? [], false);
      page.put([token.source + end.comment]);
    }
  }
  page.putLoose(readTrivia(loose, true).loose);
  return page.text();
}

/** A comment at the top of a document is about the whole document and stays there. */
function printDocument(
  { start, value, end = [], offset }: CST.Document,
  kinds: readonly KindDefinition[],
  defaults: Defaults,
  page: Page,
): void {
  const mark = start.findIndex(({ type }) => type === 'doc-start');
  page.putLoose(readTrivia(start.slice(0, Math.max(0, mark)), true).loose);
  const lead = readTrivia(start.slice(mark + 1), mark === -1);
  if (mark !== -1) page.put([`---${lead.comment}`]);
  page.putLoose(lead.loose);
  const isMap = value?.type === 'block-map' || (value?.type === 'flow-collection' && value.start.source === '{');
  if (!isMap || lead.props !== '') throw new Unusual('The document is no plain map of the keys of a manifest.', offset);
  const { layout: written, comment, after } = readLayout(value, -1);
  const schema = layoutSchema(kinds);
  // Other YAML may lie beside manifests; its order must stay.
  if (!isOurs(written, schema)) throw new Unusual('No key of the document is one of a manifest.', offset);
  const layout = inOrder(withoutDeprecated(written, kinds, defaults), schema);
  page.put(printLayout(layout, 0));
  if (comment !== '') page.put([comment.trim()]);
  const below = [...after, ...readTrivia(end, true).loose];
  const first = below.findIndex(({ text }) => text !== '');
  page.putLoose(endsInKept(layout) ? below.slice(first === -1 ? below.length : first) : below);
}

function isOurs(layout: Layout, { properties }: JsonSchema): boolean {
  const keys =
    layout.type === 'map' || layout.type === 'flow-map' ? layout.entries.map(({ key }) => key?.text ?? '') : [];
  return !isObject(properties) || keys.length === 0 || keys.some((key) => Object.hasOwn(properties, key));
}

/** The attributes that the file's defaults set. */
function defaultsOf(trees: readonly Tree[]): Defaults {
  const bySection = new Map<string, Set<string>>();
  for (const tree of trees) {
    const defaults = tree.type === 'map' ? tree.entries.get('defaults')?.value : undefined;
    for (const [section, { value }] of defaults?.type === 'map' ? defaults.entries : []) {
      const names = bySection.get(section) ?? new Set<string>();
      if (value.type === 'map') for (const name of value.entries.keys()) names.add(name);
      bySection.set(section, names);
    }
  }
  return (section) => bySection.get(section) ?? new Set();
}
