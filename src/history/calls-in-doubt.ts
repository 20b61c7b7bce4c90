// Resolves calls in doubt that send, change or delete messages: searches for their messages, or makes the state entry for a
// call that is not searched for (semantics §5.5).
import { InternalError } from '../lib/errors.ts';
import { isObject, type JsonObject, type JsonValue } from '../lib/json.ts';
import type { RecordEdit, StateEntry, StateRecord } from '../model/record.ts';
import type { ApiRequest } from '../model/request.ts';
import type { CallSearch, CallsInDoubt, Step } from '../model/step.ts';
import { countMarks, marksFrom } from './lines/archive.ts';
import type { ArchiveLine } from './lines/line.ts';
import { markInDoubt } from './marks/known-marks.ts';
import { BatchSearch } from './searching/batch-search.ts';
import { TargetSearch } from './searching/target-search.ts';
import { nextCall, parseCall, pathOfCall, printCall, unknownMark, withMark } from './sent/recorded-calls.ts';

export const callsInDoubt: CallsInDoubt = { search: searchFor, entry: entryInDoubt };

/** Searches for the message that a call changes or deletes, or for the messages that it sends. */
function searchFor({ id, request, settle }: Step, lines: readonly ArchiveLine[]): CallSearch {
  const batch = request?.placeholders?.find((placeholder) => placeholder.type === 'messages');
  if (request === undefined || settle === undefined) throw new InternalError(`${id} cannot be looked for`);
  if (settle.target !== undefined) return resumed(request, new TargetSearch(lines, settle.target, settle));
  if (batch === undefined) throw new InternalError(`${id} brings no messages, and cannot be looked for`);
  return resumed(request, new BatchSearch(lines, batch, settle));
}

/** Turns a search into one whose result is the call still to be made. */
function resumed(request: ApiRequest, search: BatchSearch | TargetSearch): CallSearch {
  return {
    take: (page) => {
      const progress = search.take(page);
      switch (progress.type) {
        case 'missing':
          return progress.places.length === 0
            ? { type: 'done', note: 'found on the platform' }
            : {
                type: 'send',
                request: withOnly(request, progress.places),
                ...(progress.isClear === true ? { isClear: true } : {}),
              };
        case 'message':
          return { type: 'send', request: withMessage(request, progress) };
        default:
          return progress;
      }
    },
  };
}

/** Returns the call reduced to the missing messages. */
function withOnly(request: ApiRequest, missing: readonly number[]): ApiRequest {
  const placeholders = (request.placeholders ?? []).map((placeholder) =>
    placeholder.type === 'messages' ? { ...placeholder, only: missing } : placeholder,
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
 * If the archive still contains the lines of a batch (`isWhole`), the run searches for it. Otherwise, and for all other
 * calls, state notes what may have been sent, and the next plan compares that with the archive.
 */
function entryInDoubt(step: Step, record: StateRecord | undefined, isWhole: boolean): StateEntry | undefined {
  const { action, settle, entry } = step;
  if (settle === undefined || (settle.isApart !== true && isWhole)) return undefined;
  if (entry.type === 'put') {
    return { ...entry, record: { ...entry.record, attributes: unsureIn(entry.record.attributes) } };
  }
  if (entry.type !== 'patch' || record === undefined) return undefined;
  const calls = entry.edits.filter(({ path }) => path[0] === 'calls');
  const { address } = entry;
  const { target } = settle;
  if (target?.reaction !== undefined || target?.pin !== undefined) {
    return { type: 'patch', address, edits: markInDoubt(target, settle) };
  }
  const others = entry.edits.filter(({ path: [name] }) => name === 'changed' || name === 'arrays');
  if (action === 'update') return { type: 'patch', address, edits: [...unknownMarkIn(calls, record), ...others] };
  if (action === 'erase') return { type: 'patch', address, edits: [...calls, erasedLine(step, record), ...others] };
  return { type: 'patch', address, edits: [...unsureFirst(calls), ...others] };
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
    return { ...edit, value: printCall(changed.reduce((one, place) => withMark(one, place, unknownMark), call)) };
  });
}

/** Notes the deleted line separately, as one that may still exist. */
function erasedLine({ settle }: Step, record: StateRecord): RecordEdit {
  const { mark = unknownMark, identity: identities = '' } = settle?.target ?? {};
  const first = Number(settle?.read.query?.message_ts ?? 0);
  const value = printCall({ marks: mark, identities, first, last: settle?.until ?? first, isUnsure: true });
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

function valueAt(attributes: JsonObject, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((value, part) => (isObject(value) ? value[part] : undefined), attributes);
}
