// Prints a layout: two spaces for each level, one space after a colon and inside braces.
import {
  type FlowEntry,
  type Layout,
  type LayoutEntry,
  type LayoutItem,
  type Lines,
  type ScalarLayout,
  step,
} from './layout.ts';

/** Lines without their ends. */
export function printLayout(layout: Layout, indent: number): string[] {
  switch (layout.type) {
    case 'map':
      return blockLines(layout.entries, layout.tail, indent, printEntry);
    case 'list':
      return blockLines(layout.items, layout.tail, indent, printItem);
    case 'brackets':
      return layout.lines.map(({ depth, text }) => at(indent + step * depth, text));
    default: {
      const [first = '', ...below] = printValue(layout, indent - step);
      return [at(indent, first), ...below];
    }
  }
}

function blockLines<T extends LayoutItem>(
  parts: readonly T[],
  tail: Lines,
  indent: number,
  print: (part: T, indent: number) => string[],
): string[] {
  const lines = parts.flatMap((part, place) => {
    const isFixed = place === 0 || endsInKept(parts[place - 1]?.value);
    const lead = withFewBlanks(part.lead, isFixed);
    return [...lead.map((line) => at(indent, line)), ...print(part, indent)];
  });
  return [
    ...lines,
    ...withFewBlanks(tail, parts.length === 0 || endsInKept(parts.at(-1)?.value)).map((line) => at(indent, line)),
  ];
}

function printEntry({ keyProps, key, props, value, comment }: LayoutEntry, indent: number): string[] {
  // An alias as a key would take the colon into its name.
  const name = `${spaced(keyProps)}${printScalar(key)}${key.style === 'alias' ? ' ' : ''}:`;
  return printAfter(name, { props, comment, ...(value === undefined ? {} : { value }) }, indent);
}

function printItem({ props, value, comment }: LayoutItem, indent: number): string[] {
  if (props === '' && comment === '' && (value?.type === 'map' || value?.type === 'list')) {
    const lines = printLayout(value, indent + step);
    const first = lines.findIndex((line) => !/^ *(?:#|$)/u.test(line));
    // Comments cannot stand between a dash and the first key beside it.
    const lead = lines.slice(0, first).map((line) => at(indent, line.trim()));
    const [beside = '', ...below] = lines.slice(first);
    return [...lead, at(indent, `- ${beside.trimStart()}`), ...below];
  }
  return printAfter('-', { props, comment, ...(value === undefined ? {} : { value }) }, indent);
}

function printAfter(
  name: string,
  { props, value, comment }: Pick<LayoutItem, 'props' | 'value' | 'comment'>,
  indent: number,
): string[] {
  const head = props === '' ? name : `${name} ${props}`;
  if (value === undefined) return [at(indent, head + comment)];
  if (value.type === 'map' || value.type === 'list') {
    return [at(indent, head + comment), ...printLayout(value, indent + step)];
  }
  const [first = '', ...below] = printValue(value, indent);
  const opens = value.type === 'block-text';
  return below.length === 0 || opens
    ? [at(indent, `${head} ${first}${comment}`), ...below]
    : [at(indent, `${head} ${first}`), ...below.slice(0, -1), `${below.at(-1) ?? ''}${comment}`];
}

/** The first line follows a key at `indent`; the others are complete. */
function printValue(layout: Exclude<Layout, { type: 'map' | 'list' }>, indent: number): string[] {
  switch (layout.type) {
    case 'scalar':
      return [printScalar(layout)];
    case 'flow-map':
      return [layout.entries.length === 0 ? '{}' : `{ ${layout.entries.map(printFlowEntry).join(', ')} }`];
    case 'flow-list':
      return [`[${layout.entries.map(printFlowEntry).join(', ')}]`];
    case 'folded': {
      const [first = '', ...below] = layout.lines;
      return [first, ...below.map((line) => at(indent + step, line))];
    }
    case 'block-text':
      return [layout.header, ...layout.lines.map((line) => at(indent + step, line))];
    case 'brackets': {
      const [first, ...below] = layout.lines;
      // YAML refuses a closing bracket that is not indented deeper than the key.
      return [first?.text ?? '', ...below.map(({ depth, text }) => at(indent + step * Math.max(1, depth), text))];
    }
  }
}

function printFlowEntry({ key, keyProps, props, value }: FlowEntry): string {
  const [printed = ''] =
    value === undefined || value.type === 'map' || value.type === 'list' ? [] : printValue(value, 0);
  const content = spaced(props) + printed;
  if (key === undefined) return content.trimEnd();
  const name = `${spaced(keyProps)}${printScalar(key)}${key.style === 'alias' ? ' ' : ''}:`;
  return `${name} ${content}`.trimEnd();
}

function spaced(text: string): string {
  return text === '' ? '' : `${text} `;
}

function at(indent: number, line: string): string {
  return line === '' ? '' : ' '.repeat(indent) + line;
}

/** Blank lines after a text with |+ or >+ are part of the text, so none may be added. */
export function endsInKept(layout: Layout | undefined): boolean {
  switch (layout?.type) {
    case 'block-text':
      return layout.header.includes('+');
    case 'map':
      return layout.tail.length === 0 && endsInKept(layout.entries.at(-1)?.value);
    case 'list':
      return layout.tail.length === 0 && endsInKept(layout.items.at(-1)?.value);
    default:
      return false;
  }
}

/** At most one blank line in a row, none at the start of a part. */
function withFewBlanks(lines: Lines, isStart: boolean): Lines {
  const first = lines.findIndex((line) => line !== '');
  if (isStart) return first === -1 ? [] : withFewBlanks(lines.slice(first), false);
  return lines.filter((line, place) => line !== '' || lines[place - 1] !== '');
}

/** Needs no quotes anywhere: at the start of a line, as a key, in brackets. */
const plain = /^[\p{L}_](?:[\p{L}\p{N}_.+@/-]|:(?=[\p{L}\p{N}/])| (?=[\p{L}\p{N}_]))*$/u;
/** Words that some YAML readers do not take for text; their quotes stay. */
const otherThanText = /^(?:null|true|false|yes|no|on|off|y|n)$/iu;

function printScalar({ source, text, style }: ScalarLayout): string {
  if (style !== 'quoted') return source;
  if (plain.test(text) && !otherThanText.test(text)) return text;
  return source === `'${text}'` && !/["\\]/u.test(text) ? `"${text}"` : source;
}
