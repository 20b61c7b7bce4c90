// Turns the library's lossless syntax tree of one document into a layout, whose parts can change places.
import { CST } from 'yaml';
import {
  type BracketsLayout,
  type FlowEntry,
  type FlowLayout,
  joinNames,
  type Layout,
  type LayoutEntry,
  type LayoutItem,
  type Lines,
  type Names,
  noNames,
  type ScalarLayout,
  step,
} from './layout.ts';
import { type Loose, readTrivia, splitLoose, type Trivia, textsOf } from './trivia.ts';

/** Valid YAML that has no place in a manifest and no canonical form, such as `? key`, at `offset`. */
export class Unusual extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

interface Read<T extends Layout = Layout> {
  readonly layout: T;
  /** The comment on the line where the part ends. */
  readonly comment: string;
  readonly names: Names;
  /** Lines below that belong to the next part. */
  readonly after: readonly Loose[];
}

/** `around`: the column of the part around it; -1 for the document's own value. */
export function readLayout(token: CST.Token, around: number): Read {
  switch (token.type) {
    case 'block-map':
      return readMap(token, around);
    case 'block-seq':
      return readList(token, around);
    case 'flow-collection':
      return readFlow(token);
    case 'block-scalar':
      return readBlockText(token);
    case 'alias':
    case 'scalar':
    case 'single-quoted-scalar':
    case 'double-quoted-scalar':
      return readScalar(token);
    default:
      throw new Unusual(`${token.type} stands where a value is expected.`, token.offset);
  }
}

function readMap(map: CST.BlockMap, around: number): Read {
  const entries: LayoutEntry[] = [];
  let pending: readonly Loose[] = [];
  // Below a key without a value, the tree may separate a comment from its line end.
  let endsInComment = false;
  for (const { start, explicitKey, key, sep = [], value } of map.items) {
    const before = readTrivia(endsInComment ? afterNewline(start) : start, true);
    pending = [...pending, ...before.loose];
    endsInComment = value === undefined && sep.at(-1)?.type === 'comment';
    if (explicitKey === true || start.some(({ type }) => type === 'explicit-key-ind')) {
      throw new Unusual(
        'A key is written with ?, for which there is no canonical form: write "key: value".',
        start[0]?.offset ?? map.offset,
      );
    }
    if (key === undefined) continue;
    const scalar = key === null ? undefined : readLayout(key, map.indent).layout;
    if (scalar?.type !== 'scalar')
      throw new Unusual(
        'A key is not a text on one line, for which there is no canonical form.',
        key?.offset ?? map.offset,
      );
    const item = readItem(sep, value, map.indent);
    entries.push({
      ...item.item,
      lead: [...textsOf(pending), ...item.item.lead],
      keyProps: before.props,
      key: scalar,
      names: joinNames([before.names, item.item.names]),
    });
    pending = item.after;
  }
  const { inside, after } = splitLoose(pending, around);
  return { layout: { type: 'map', entries, tail: inside }, comment: '', names: namesOf(entries), after };
}

function afterNewline(tokens: readonly CST.SourceToken[]): readonly CST.SourceToken[] {
  return tokens[0]?.type === 'newline' ? tokens.slice(1) : tokens;
}

function readList(list: CST.BlockSequence, around: number): Read {
  const items: LayoutItem[] = [];
  let pending: readonly Loose[] = [];
  for (const { start, value } of list.items) {
    const dash = start.findIndex(({ type }) => type === 'seq-item-ind');
    pending = [...pending, ...readTrivia(dash === -1 ? start : start.slice(0, dash), true).loose];
    if (dash === -1) continue;
    const { item, after } = readItem(start.slice(dash + 1), value, list.indent);
    items.push({ ...item, lead: [...textsOf(pending), ...item.lead] });
    pending = after;
  }
  const { inside, after } = splitLoose(pending, around);
  return { layout: { type: 'list', items, tail: inside }, comment: '', names: namesOf(items), after };
}

/** Reads what follows a key's colon or an item's dash. */
function readItem(
  tokens: readonly CST.SourceToken[],
  token: CST.Token | undefined,
  around: number,
): { readonly item: LayoutItem; readonly after: readonly Loose[] } {
  const trivia = readTrivia(tokens, false);
  const { props, comment } = trivia;
  if (token === undefined) return { item: { lead: [], props, comment, names: trivia.names }, after: trivia.loose };
  const value = readLayout(token, around);
  const names = joinNames([trivia.names, value.names]);
  const { layout } = value;
  if ((layout.type === 'map' && layout.entries.length > 0) || (layout.type === 'list' && layout.items.length > 0)) {
    return { item: { lead: [], props, comment, value: withLead(layout, trivia), names }, after: value.after };
  }
  // A comment between a key and a value below it moves above the key, since the value moves up to the key.
  const below = value.comment === '' ? [] : [comment.trim()];
  const lead = [...(comment === '' ? [] : below), ...textsOf(trivia.loose)].filter((line) => line !== '');
  return { item: { lead, props, comment: value.comment || comment, value: layout, names }, after: value.after };
}

/** Comments between a key and the first part below it lead that part. */
function withLead(layout: Layout, { loose }: Trivia): Layout {
  const lead = textsOf(loose);
  if (layout.type === 'map') {
    return { ...layout, entries: layout.entries.map((entry, at) => (at === 0 ? leadBy(entry, lead) : entry)) };
  }
  if (layout.type !== 'list') return layout;
  return { ...layout, items: layout.items.map((item, at) => (at === 0 ? leadBy(item, lead) : item)) };
}

function leadBy<T extends LayoutItem>(item: T, lead: Lines): T {
  return { ...item, lead: [...lead, ...item.lead] };
}

function namesOf(parts: readonly { readonly names: Names }[]): Names {
  return joinNames(parts.map(({ names }) => names));
}

function readScalar(token: CST.FlowScalar): Read {
  const { comment, loose } = readTrivia(token.end ?? [], false);
  const { source } = token;
  if (token.type === 'alias') {
    const names = { anchors: new Set<string>(), aliases: new Set([source.slice(1)]) };
    return { layout: { type: 'scalar', source, text: source, style: 'alias' }, comment, names, after: loose };
  }
  if (!source.includes('\n')) return { layout: oneLine(token), comment, names: noNames, after: loose };
  // In double quotes, an escaped line end matters; elsewhere, trailing spaces do not.
  const trim = (line: string) => (token.type === 'double-quoted-scalar' ? line : line.trimEnd());
  const lines = source.split('\n').map((line, at) => trim(at === 0 ? line : line.trimStart()));
  return { layout: { type: 'folded', lines }, comment, names: noNames, after: loose };
}

function oneLine(token: CST.FlowScalar): ScalarLayout {
  const text = CST.resolveAsScalar(token).value;
  return { type: 'scalar', source: token.source, text, style: token.type === 'scalar' ? 'plain' : 'quoted' };
}

function readBlockText({ props, source, offset, indent }: CST.BlockScalar): Read {
  const tokens = props.filter((token): token is CST.SourceToken => 'indent' in token && !('items' in token));
  const header = tokens.find(({ type }) => type === 'block-scalar-header');
  if (header === undefined) throw new Unusual('A text after | or > has no header.', offset);
  const { comment } = readTrivia(tokens.slice(tokens.indexOf(header) + 1), false);
  const lines = source.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const indicator = /[1-9]/u.exec(header.source)?.[0];
  const first = lines.find((line) => line.trim() !== '');
  // Without any text, the spaces of its lines are only indentation.
  const ownEdge = first === undefined ? Number.POSITIVE_INFINITY : spacesBefore(first);
  const edge = indicator === undefined ? ownEdge : indent + Number(indicator);
  const keeps = header.source.includes('+');
  const texts = lines.map((line) => line.slice(Math.min(edge, spacesBefore(line))));
  let end = texts.length;
  while (!keeps && end > 0 && texts[end - 1] === '') end -= 1;
  const after: Loose[] = texts.slice(end).map(() => ({ text: '', indent: 0 }));
  return {
    layout: { type: 'block-text', header: header.source.replace(/[1-9]/u, String(step)), lines: texts.slice(0, end) },
    comment,
    names: noNames,
    after: after.slice(0, 1),
  };
}

function spacesBefore(line: string): number {
  return line.length - line.replace(/^ +/u, '').length;
}

function readFlow(token: CST.FlowCollection): Read {
  const [, ...rest] = token.end;
  const { comment, loose } = readTrivia(rest, false);
  const names = namesIn(token);
  const [closing] = token.end;
  const bare: CST.FlowCollection = { ...token, end: closing === undefined ? [] : [closing] };
  const source = CST.stringify(bare);
  const layout = source.includes('\n') ? readBrackets(bare) : readOneLine(bare);
  return { layout, comment, names, after: loose };
}

function readOneLine({ start, items }: CST.FlowCollection): FlowLayout {
  const isMap = start.type === 'flow-map-start';
  const entries = items.flatMap((item): FlowEntry[] => {
    const { start: before, key, sep, value } = item;
    if (before.some(({ type }) => type === 'explicit-key-ind')) {
      throw new Unusual(
        'A key is written with ?, for which there is no canonical form: write "key: value".',
        before[0]?.offset ?? start.offset,
      );
    }
    const own = readTrivia(before, false);
    if (key === undefined && value === undefined && sep === undefined) {
      if (own.props === '') return [];
      throw new Unusual('An anchor stands at nothing.', before[0]?.offset ?? start.offset);
    }
    if (key === null) throw new Unusual('A key is left out.', start.offset);
    // `{ alice }` has a key without a colon, which the tree holds either as a value or as a key.
    const keyToken = key ?? (isMap ? value : undefined);
    const valueToken = key === undefined && isMap ? undefined : value;
    const inner = readTrivia(sep ?? [], false);
    const read = valueToken === undefined ? undefined : readLayout(valueToken, 0);
    const names = joinNames([own.names, inner.names, read?.names ?? noNames]);
    if (!keyToken) return [{ keyProps: '', props: own.props, ...(read ? { value: read.layout } : {}), names }];
    const scalar = readLayout(keyToken, 0).layout;
    if (scalar.type !== 'scalar')
      throw new Unusual('A key is not a text on one line, for which there is no canonical form.', start.offset);
    return [{ key: scalar, keyProps: own.props, props: inner.props, ...(read ? { value: read.layout } : {}), names }];
  });
  return { type: isMap ? 'flow-map' : 'flow-list', entries };
}

/** Each line with the number of brackets that are open where it begins. */
function readBrackets(token: CST.FlowCollection): BracketsLayout {
  const lines: { depth: number; text: string }[] = [];
  let depth = 0;
  let text = '';
  let textDepth = 0;
  const put = (source: string, closes: boolean) => {
    for (const [at, part] of source.split('\n').entries()) {
      if (at > 0) {
        lines.push({ depth: textDepth, text: text.trimEnd() });
        text = '';
      }
      if (text === '') textDepth = closes ? depth - 1 : depth;
      text += text === '' ? part.trimStart() : part;
    }
  };
  const visit = (tokens: readonly CST.Token[]) => {
    for (const inner of tokens) {
      if (inner.type === 'flow-collection') {
        put(inner.start.source, false);
        depth += 1;
        for (const { start, key, sep, value } of inner.items) {
          visit(start);
          if (key) visit([key]);
          visit(sep ?? []);
          if (value) visit([value]);
        }
        const [closing, ...rest] = inner.end;
        put(closing?.source ?? '', true);
        depth -= 1;
        visit(rest);
      } else if (inner.type === 'block-map' || inner.type === 'block-seq') {
        throw new Unusual('A block stands inside brackets.', inner.offset);
      } else {
        put('source' in inner ? inner.source : '', false);
        if ('end' in inner) visit(inner.end ?? []);
      }
    }
  };
  visit([token]);
  lines.push({ depth: textDepth, text: text.trimEnd() });
  return { type: 'brackets', lines };
}

function namesIn(token: CST.Token): Names {
  const anchors = new Set<string>();
  const aliases = new Set<string>();
  const visit = (tokens: readonly CST.Token[]) => {
    for (const inner of tokens) {
      if (inner.type === 'anchor') anchors.add(inner.source.slice(1));
      if (inner.type === 'alias') aliases.add(inner.source.slice(1));
      if (inner.type !== 'flow-collection') continue;
      for (const { start, key, sep, value } of inner.items) {
        visit([...start, ...(key ? [key] : []), ...(sep ?? []), ...(value ? [value] : [])]);
      }
    }
  };
  visit([token]);
  return anchors.size + aliases.size === 0 ? noNames : { anchors, aliases };
}
