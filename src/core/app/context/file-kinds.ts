// The kinds of files that commands write by name, and how each is recognised when a command finds it in its way.
import { open } from 'node:fs/promises';
import { isStream } from '../../../lib/output-streams.ts';
import { beginsAsPlanText } from '../../planner/plan-file/layout.ts';
import { isSealed } from '../../state/seal/sealer.ts';

interface FileMark {
  /** As in `plan.chatform is a saved plan`. */
  readonly title: string;
  /** Absent for text without a mark. */
  readonly matches?: (begin: Beginning) => boolean;
}

/** The beginning of a file. */
interface Beginning {
  readonly text: string;
  /** The top-level keys of a JSON document that chatform printed, or of a result in one that is joined from several folders. */
  readonly keys: ReadonlySet<string>;
}

const hasKeys =
  (...names: readonly string[]) =>
  ({ keys }: Beginning): boolean =>
    names.every((name) => keys.has(name));
const begins =
  (mark: RegExp) =>
  ({ text }: Beginning): boolean =>
    mark.test(text);
/** A page of a plan has its status first. */
const isPage = (name: string) =>
  begins(new RegExp(`^<!doctype html>[\\s\\S]*?<title>(?:[^<>]+ \\P{ASCII}+ )?chatform ${name}[:<]`, 'u'));

const kinds = {
  plan: {
    title: 'a saved plan',
    matches: ({ text }) => isSealed(Buffer.from(text, 'latin1')) || beginsAsPlanText(text),
  },
  'plan-json': { title: 'a plan as JSON', matches: hasKeys('summary', 'changes') },
  'plan-markdown': { title: 'a plan as Markdown', matches: begins(/^(?:<!-- chatform:|### chatform: no plan )/u) },
  'plan-html': { title: 'the page of a plan or of drift', matches: isPage('(?:plan|drift)') },
  'plan-sarif': { title: 'a SARIF log', matches: hasKeys('$schema', 'runs') },
  'plan-github': { title: 'annotations for GitHub', matches: begins(/^::(?:notice|warning|error) /u) },
  'plan-human': { title: 'text' },
  report: { title: 'the report of a run', matches: hasKeys('outcome', 'steps') },
  'report-html': { title: 'the page of a run', matches: isPage('(?:run|rehearsal)') },
  verification: { title: 'the report of a verification', matches: hasKeys('exit_code', 'totals') },
  'verification-markdown': {
    title: 'the report of a verification as Markdown',
    matches: begins(/^# Migration report\n/u),
  },
  'verification-html': { title: 'the page of a verification', matches: isPage('verification') },
  certificate: { title: 'a certificate', matches: hasKeys('written_at', 'totals') },
  'certificate-markdown': { title: 'a certificate as Markdown', matches: begins(/^# Certificate of a migration\n/u) },
  'certificate-html': { title: 'the page of a certificate', matches: isPage('certificate') },
  'application-html': { title: 'the page of an application', matches: isPage('application') },
  behaviours: { title: 'the behaviour of a platform', matches: hasKeys('date', 'behaviours') },
  events: { title: 'the events of a run', matches: begins(/^\{"type":"/u) },
  tokens: { title: 'issued tokens', matches: begins(/^\{"user_id":"/u) },
  'state-copy': { title: 'a copy of a state', matches: begins(/^\{[^\n]*"format":"chatform-state\/\d/u) },
  junit: { title: 'a JUnit report', matches: begins(/^(?:<\?xml[^>]*>\s*)?<testsuites?[\s>]/u) },
} as const satisfies Readonly<Record<string, FileMark>>;

export type FileKind = keyof typeof kinds;

/** Enough for the heads of pages and the keys of documents. */
const headBytes = 65_536;
/** Names of files that people write. */
const nameOfSource = /\.(?:ya?ml|json|ndjson|csv|sql)$/u;

/** Why the kind may not replace the file at the path: what the file is. Undefined if it may. */
export async function whatIsThere(kind: FileKind, path: string): Promise<string | undefined> {
  const head = (await isStream(path)) ? undefined : await headOf(path);
  if (head === undefined || head.length === 0) return undefined;
  const presentKind = kindOf(head);
  if (presentKind === kind || (presentKind === 'joined' && isJoined(kind))) return undefined;
  if (presentKind === undefined && kind === 'plan-human' && !head.includes(0) && !nameOfSource.test(path))
    return undefined;
  return presentKind === undefined || presentKind === 'joined'
    ? 'contains something else'
    : `is ${kinds[presentKind].title}`;
}

export function titleOf(kind: FileKind): string {
  return kinds[kind].title;
}

/** Those whose contents --each joins to one document. */
function isJoined(kind: FileKind): boolean {
  return kind === 'plan-json' || kind === 'report';
}

/** `joined` is a document of several folders without any result. */
function kindOf(head: Buffer): FileKind | 'joined' | undefined {
  const text = head.toString('latin1');
  const top = keysAt(text, 2);
  const keys = top.has('each') ? keysAt(text, 8) : top;
  const begin = { text, keys };
  for (const [name, { matches }] of Object.entries<FileMark>(kinds))
    if (matches?.(begin) === true) return name as FileKind;
  return top.has('each') ? 'joined' : undefined;
}

/** Keys are at the beginning of a line, which no value can contain. */
function keysAt(text: string, indent: number): ReadonlySet<string> {
  if (!text.startsWith('{\n')) return new Set();
  return new Set([...text.matchAll(new RegExp(`^ {${indent}}"([\\w$]+)":`, 'gmu'))].map(([, key = '']) => key));
}

/** Returns undefined for a file that is missing or unreadable. */
async function headOf(path: string): Promise<Buffer | undefined> {
  const handle = await open(path).catch(() => undefined);
  try {
    const { bytesRead = 0, buffer } = (await handle?.read(Buffer.alloc(headBytes), 0, headBytes, 0)) ?? {};
    return buffer?.subarray(0, bytesRead);
  } catch {
    // A folder. Writing to it fails with the reason.
    return undefined;
  } finally {
    await handle?.close();
  }
}
