// Names in SQL, and the columns of CREATE TABLE.
import { fromUtf8 } from './bytes.ts';

/** A name, or several with dots between, as a source of a regular expression. */
export const nameSource = '(?:"(?:[^"]|"")*"|`(?:[^`]|``)*`|\'(?:[^\']|\'\')*\'|\\[[^\\]]*\\]|[\\w$\\u0080-\\u00ff]+)';
export const tableSource = `${nameSource}(?:\\s*\\.\\s*${nameSource})*`;

const names = new RegExp(nameSource, 'gu');

/** The names in a list, or in a name with dots. */
export function namesIn(text: string): readonly string[] {
  return [...text.matchAll(names)].map(([name]) => plainName(name));
}

function plainName(written: string): string {
  const [quote = ''] = written;
  const inner = /["'`[]/u.test(quote) ? written.slice(1, -1).replaceAll(quote + quote, quote) : written;
  return fromUtf8(inner) ?? inner;
}

const used = new RegExp(`^USE\\s+(?<name>${nameSource})\\s*;?$`, 'iu');
const connected = /^\\(?:connect|c)\s+(?:-reuse-previous=\w+\s+)?(?<target>"(?:[^"]|"")*"|\S+)/u;
const connectedByWord = /\bdbname\s*=\s*(?:'(?<quoted>(?:[^'\\]|\\.)*)'|(?<plain>[^\s']+))/u;
const pathSet = /^SET\s+search_path\s*(?:=|TO)\s*(?<list>[^;]*);?$/iu;
const pathConfigured = /\bset_config\s*\(\s*'search_path'\s*,\s*'(?<list>[^']*)'/iu;

/** The database of the statement `USE`. */
export function usedDatabase(statement: string): string | undefined {
  const name = used.exec(statement)?.groups?.name;
  return name === undefined ? undefined : plainName(name);
}

/** The database of the line `\\connect` of psql: `\\connect chat`, or `\\connect -reuse-previous=on "dbname='chat'"`. */
export function connectedDatabase(line: string): string | undefined {
  const target = connected.exec(line)?.groups?.target;
  if (target === undefined || target === '-') return undefined;
  const name = plainName(target);
  const { quoted, plain } = connectedByWord.exec(name)?.groups ?? {};
  return quoted?.replaceAll(/\\(.)/gu, '$1') ?? plain ?? name;
}

/** The schemas of a statement that sets search_path, which older versions of pg_dump write. */
export function searchPath(statement: string): readonly string[] | undefined {
  const list = (pathSet.exec(statement) ?? pathConfigured.exec(statement))?.groups?.list;
  return list === undefined ? undefined : namesIn(list);
}

/** MySQL writes bit fields and binary values as strings of bytes. */
export type ColumnContent = 'text' | 'binary' | 'bits';

export interface Column {
  readonly name: string;
  /** Computed from other columns. Dumps of some databases leave such columns out. */
  readonly isGenerated: boolean;
  /** How the strings of a dump of MySQL are to be read. */
  readonly content: ColumnContent;
  readonly isBoolean: boolean;
}

// Columns may be called key, index, exclude or period without quotes, so what follows decides. A type has digits or texts in parentheses.
const notColumn: readonly RegExp[] = [
  /^(?:PRIMARY|UNIQUE|CONSTRAINT|CHECK|FOREIGN)\b/iu,
  new RegExp(
    `^(?:(?:FULLTEXT|SPATIAL)\\s+)?(?:KEY|INDEX)\\b\\s*(?:(?!CHECK\\b|DEFAULT\\b)${nameSource}\\s*)?(?:USING\\s+\\w+\\s*)?\\((?!\\s*[\\d'])`,
    'iu',
  ),
  new RegExp(`^(?:FULLTEXT|SPATIAL)\\s+${nameSource}?\\s*\\((?!\\s*[\\d'])`, 'iu'),
  /^EXCLUDE\s*(?:\(|USING\b)/iu,
  /^PERIOD\s+FOR\b/iu,
  new RegExp(`^LIKE\\s+${tableSource}(?:\\s+(?:INCLUDING|EXCLUDING)\\b.*)$`, 'isu'),
];
const firstName = new RegExp(`^(${nameSource})\\s*(.*)$`, 'su');

/** The columns of the statement that creates a table. */
export function columnsOf(statement: string): readonly Column[] {
  return definitionsIn(statement).flatMap((text): Column[] => {
    const [, written = '', type = ''] = firstName.exec(text) ?? [];
    if (written === '' || notColumn.some((form) => form.test(text))) return [];
    return [
      {
        name: plainName(written),
        isGenerated: /\bAS\s*\(/iu.test(type),
        content: contentOf(type),
        isBoolean: isBooleanType(type),
      },
    ];
  });
}

/** `type` is the one of a definition, as in `int(11) unsigned`. */
export function contentOf(type: string): ColumnContent {
  if (/^bit\b/iu.test(type)) return 'bits';
  return /^(?:(?:tiny|medium|long)?blob|(?:var)?binary)\b/iu.test(type) ? 'binary' : 'text';
}

/** MySQL stores a BOOLEAN as tinyint(1). */
export function isBooleanType(type: string): boolean {
  return /^(?:bool(?:ean)?\b(?!\s*\[)|tinyint\s*\(\s*1\s*\))/iu.test(type);
}

const token = /'(?:[^'\\]|''|\\.)*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|--[^\n]*|\/\*.*?\*\/|[(),]|[^'"`(),/-]+|[-/]/gsu;

/** The parts of the list in parentheses, between its commas. Comments are removed. */
export function definitionsIn(statement: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const [text] of statement.matchAll(token)) {
    if (text === ')') depth -= 1;
    if (depth === 0 && parts.length + part.length > 0 && text === ')') break;
    if (depth === 1 && text === ',') {
      parts.push(part.trim());
      part = '';
    } else if (depth > 0 && !text.startsWith('--') && !text.startsWith('/*')) part += text;
    if (text === '(') depth += 1;
  }
  return [...parts, part.trim()].filter((word) => word !== '');
}
