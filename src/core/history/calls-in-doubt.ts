// Resolves calls in doubt that send, change or delete messages: searches for their messages, or makes the state entry for a
// call that is not searched for (semantics §5.5).
import { InternalError } from '../../lib/errors.ts';
import { isObject, type JsonObject, type JsonValue, valueAt } from '../../lib/json.ts';
import { Refusal } from '../model/errors.ts';
import type { RecordEdit, StateEntry, StateRecord } from '../model/record.ts';
import type { ApiRequest, Search } from '../model/request.ts';
import type { CallSearch, CallsInDoubt, ListReader, Step } from '../model/step.ts';
import { countMarks, marksFrom } from './lines/history-file.ts';
import type { HistoryFileLine } from './lines/line.ts';
import { unknownMark } from './lines/line-mark.ts';
import { type PlannedLines, plannedLines } from './lines/range.ts';
import { markInDoubt } from './marks/known-marks.ts';
import { BatchSearch, type SearchProgress } from './searching/batch-search.ts';
import { ReplySearch } from './searching/reply-search.ts';
import { TargetSearch } from './searching/target-search.ts';
import { targetOf } from './sending/message-search.ts';
import { nextCall, parseCall, pathOfCall, printCall, withMark } from './sent/recorded-calls.ts';

export const callsInDoubt: CallsInDoubt = { search: searchFor, entry: entryInDoubt };

/** Searches for the message that a call changes or deletes, or for the messages that it sends. */
async function searchFor({ id, request, search }: Step, isFresh: boolean, read: ListReader): Promise<CallSearch> {
  if (request === undefined || search === undefined) throw new InternalError(`${id} cannot be looked for`);
  const target = targetOf(search);
  const planned = target?.lines ?? linesIn(request);
  if (planned === undefined) throw new InternalError(`${id} brings no messages, and cannot be looked for`);
  // The reader gives the lines of a history file.
  const lines = (await read(planned)) as readonly HistoryFileLine[];
  const finder = await finderOf(lines, planned, search, isFresh, read);
  return { take: (page) => resultOf(finder.take(page), request), unread: (why) => unread(why, isFresh) };
}

async function finderOf(
  lines: readonly HistoryFileLine[],
  planned: PlannedLines,
  search: Search,
  isFresh: boolean,
  read: ListReader,
): Promise<{ take(page: JsonObject): SearchProgress }> {
  const target = targetOf(search);
  if (target === undefined) return new BatchSearch(lines, planned, search, isFresh);
  const { reply } = target;
  if (reply === undefined) return new TargetSearch(lines, target, search);
  return new ReplySearch(lines, (await read(reply.lines)) as readonly HistoryFileLine[], target, reply, search);
}

/** Turns the outcome of a page into the call still to be made. */
function resultOf(progress: SearchProgress, request: ApiRequest): ReturnType<CallSearch['take']> {
  switch (progress.type) {
    case 'missing':
      return progress.places.length === 0
        ? { type: 'done', note: 'found on the platform' }
        : {
            type: 'send',
            request: withOnly(request, progress.places),
            ...(progress.isClear === true ? { isClear: true } : {}),
          };
    case 'reply':
      return { type: 'send', request: { ...request, body: progress.body } };
    case 'message':
      return { type: 'send', request: withMessage(request, progress) };
    default:
      return progress;
  }
}

function unread(why: string, isFresh: boolean): string {
  return isFresh
    ? `chatform could not read whether messages of the history file are already in the channel: ${why}; it sent nothing, because they might be there twice (policy: {trust_dedup: true} sends them)`
    : `chatform could not read whether the messages arrived: ${why}; it does not send them again, because they might arrive twice (policy: {trust_dedup: true} sends them)`;
}

/** Returns the lines whose messages a call sends. */
function linesIn({ placeholders = [] }: ApiRequest): PlannedLines | undefined {
  const list = placeholders.find((placeholder) => placeholder.type === 'list');
  return list === undefined ? undefined : plannedLines(list.source);
}

/** Returns the call reduced to the missing messages. */
function withOnly(request: ApiRequest, missing: readonly number[]): ApiRequest {
  const placeholders = (request.placeholders ?? []).map((placeholder) =>
    placeholder.type === 'list' ? { ...placeholder, source: { ...placeholder.source, only: missing } } : placeholder,
  );
  return { ...request, placeholders };
}

/** Returns the call with the id of the found message. */
function withMessage(
  request: ApiRequest,
  { id, body, query }: { readonly id: string } & Pick<ApiRequest, 'body' | 'query'>,
): ApiRequest {
  return {
    ...request,
    params: { ...request.params, message_id: id },
    ...(body === undefined ? {} : { body }),
    ...(query === undefined ? {} : { query }),
  };
}

/**
 * If the history file still contains the lines of a batch, the run searches for it. Otherwise, and for all other calls, state notes
 * what may have been sent, and the next plan compares that with the history file.
 */
async function entryInDoubt(
  step: Step,
  record: StateRecord | undefined,
  read: ListReader,
): Promise<StateEntry | undefined> {
  const { action, request, search, entry } = step;
  if (search === undefined) return undefined;
  if (search.isApart !== true && (await isWhole(request, read))) return undefined;
  if (entry.type === 'put') {
    return { ...entry, record: { ...entry.record, attributes: unsureIn(entry.record.attributes) } };
  }
  if (entry.type !== 'patch' || record === undefined) return undefined;
  const calls = entry.edits.filter(({ path }) => path[0] === 'calls');
  const { address } = entry;
  const target = targetOf(search);
  if (target?.reaction !== undefined || target?.pin !== undefined) {
    return { type: 'patch', address, edits: markInDoubt(target, search) };
  }
  const others = entry.edits.filter(({ path: [name] }) => name === 'changed' || name === 'arrays');
  if (action === 'update') return { type: 'patch', address, edits: [...unknownMarkIn(calls, record), ...others] };
  if (action === 'erase') return { type: 'patch', address, edits: [...calls, erasedLine(step, record), ...others] };
  return { type: 'patch', address, edits: [...unsureFirst(calls), ...others] };
}

/** Whether the history file still contains the lines of the call. */
async function isWhole(request: ApiRequest | undefined, read: ListReader): Promise<boolean> {
  const planned = request === undefined ? undefined : linesIn(request);
  if (planned === undefined) return false;
  try {
    await read(planned);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** Makes an edited line count as edited until it is sent again. */
function unknownMarkIn(edits: readonly RecordEdit[], record: StateRecord): RecordEdit[] {
  return edits.map((edit): RecordEdit => {
    const before = valueAt(record.attributes, edit.path);
    if (edit.op !== 'set' || typeof edit.value !== 'string' || typeof before !== 'string') return edit;
    const [old, call] = [parseCall(before), parseCall(edit.value)];
    const places = Array.from({ length: countMarks(call.marks) }, (_none, place) => place);
    const changed = places.filter(
      (place) => marksFrom(old.marks, place, place + 1) !== marksFrom(call.marks, place, place + 1),
    );
    return { ...edit, value: printCall(changed.reduce((line, place) => withMark(line, place, unknownMark), call)) };
  });
}

/** Notes the deleted line separately, as one that may still exist. */
function erasedLine({ search }: Step, record: StateRecord): RecordEdit {
  const { mark = unknownMark, identity: identities = '' } = targetOf(search) ?? {};
  const first = Number(search?.read.query?.message_ts ?? 0);
  const value = printCall({ marks: mark, identities, first, last: search?.until ?? first, isUnsure: true });
  return { op: 'set', path: pathOfCall(nextCall(record.attributes)), value };
}

/** Marks the call's own lines as unsure. They are first among its edits, followed by lines that it takes over. */
function unsureFirst(edits: readonly RecordEdit[]): RecordEdit[] {
  return edits.map((edit, place) =>
    place === 0 && edit.op === 'set' ? { ...edit, value: unsureCall(edit.value) } : edit,
  );
}

function unsureIn({ calls = {}, ...attributes }: JsonObject): JsonObject {
  return { ...attributes, calls: unsureCall(calls) };
}

/** Marks a call, or groups of calls, as unsure. */
function unsureCall(value: JsonValue): JsonValue {
  if (typeof value === 'string') return printCall({ ...parseCall(value), isUnsure: true });
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, unsureCall(part)]));
}
