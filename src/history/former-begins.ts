// Converts the begins of versions up to 0.3, which an interrupted run of one of them left in state.
import type { JsonObject } from '../lib/json.ts';
import type { ApiRequest, RequestPlaceholder, Search } from '../model/request.ts';
import type { Step } from '../model/step.ts';
import type { PlannedLines } from './lines/range.ts';
import type { MessageSearch, Target } from './sending/message-search.ts';

type FormerLines = PlannedLines & { readonly type: 'messages'; readonly field: string };

/** The place of `Search` and of its content in these versions. */
interface FormerSettle {
  readonly read: ApiRequest;
  readonly until: number;
  readonly refusedOn: readonly number[];
  readonly nothingOn: readonly number[];
  readonly unsure?: true;
  readonly fresh?: NonNullable<Search['fresh']> & NonNullable<MessageSearch['rest']>;
  readonly later?: readonly number[];
  readonly isApart?: true;
  readonly target?: Omit<Target, 'lines'> & { readonly lines: FormerLines };
}

interface FormerStep extends Step {
  readonly settle?: FormerSettle;
}

/** Returns the step itself if it has the form of this version. */
export function inCurrentForm(begun: Step): Step {
  const { settle, ...step }: FormerStep = begun;
  if (settle === undefined) return begun;
  const { request } = step;
  return {
    ...step,
    ...(request === undefined ? {} : { request: currentRequest(request) }),
    search: searchFrom(settle),
  };
}

function currentRequest(request: ApiRequest): ApiRequest {
  const { placeholders } = request;
  return placeholders === undefined ? request : { ...request, placeholders: placeholders.map(currentPlaceholder) };
}

function currentPlaceholder(placeholder: RequestPlaceholder | FormerLines): RequestPlaceholder {
  if (placeholder.type !== 'messages') return placeholder;
  return { type: 'list', field: placeholder.field, source: linesFrom(placeholder) };
}

function linesFrom({ type: _type, field: _field, ...lines }: FormerLines): PlannedLines {
  return lines;
}

function searchFrom({ refusedOn, fresh, later, target, ...search }: FormerSettle): Search {
  const { isFirst, isOptional, ...rest } = fresh ?? { until: search.until };
  const content: JsonObject = {
    ...(later === undefined ? {} : { later }),
    ...(fresh === undefined ? {} : { rest }),
    ...(target === undefined ? {} : { target: { ...target, lines: linesFrom(target.lines) } }),
  };
  return {
    ...search,
    unseenOn: target === undefined ? refusedOn : [],
    ...(fresh === undefined
      ? {}
      : { fresh: { ...(isFirst === true ? { isFirst } : {}), ...(isOptional === true ? { isOptional } : {}) } }),
    content,
  };
}
