// How is a list read to its end, page by page, when tokens of pages may expire on the way? (platform §1.1)

import { isList, isObject, type JsonObject } from '../lib/json.ts';
import { Refusal } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';
import { platformCode } from '../model/platform-codes.ts';
import { type ApiRequest, routeName } from '../model/request.ts';
import type { Reader, Said } from './send.ts';

export const pageSize = '100';
/** A list that never gets past its start is not going to end. */
const maxRestarts = 5;

/** What a list belongs to is gone. */
class Gone extends Error {}

/**
 * The objects of a list, a page at a time; the next page is asked for while one is worked on. After a token has expired
 * the list begins anew, so that an object may come twice. Throws `Gone`; refused as `Reader.send`, or (1) when the
 * platform refuses the list.
 */
export async function* pagesOf(first: ApiRequest, field: string, reader: Reader): AsyncGenerator<JsonObject[]> {
  let restarts = 0;
  let token = '';
  let waiting = readPage(first, token, field, reader);
  for (;;) {
    const page = await waiting;
    if (page === 'expired') {
      restarts += 1;
      if (restarts > maxRestarts) throw endless(first);
      token = '';
      waiting = readPage(first, token, field, reader);
      continue;
    }
    const isLast = page.next === '' || page.next === token;
    token = page.next;
    if (!isLast) {
      waiting = readPage(first, token, field, reader);
      // It is awaited in its turn; when the work on this page fails before, its end is of no interest any more.
      waiting.catch(() => {});
    }
    yield page.items;
    if (isLast) return;
  }
}

/** All pages of a list at once; undefined when what it belongs to is gone. */
export async function readPages(first: ApiRequest, field: string, reader: Reader): Promise<JsonObject[] | undefined> {
  const items: JsonObject[] = [];
  try {
    for await (const page of pagesOf(first, field, reader)) items.push(...page);
    return items;
  } catch (error) {
    if (error instanceof Gone) return undefined;
    throw error;
  }
}

interface Page {
  readonly items: JsonObject[];
  /** Empty at the end. */
  readonly next: string;
}

async function readPage(first: ApiRequest, token: string, field: string, reader: Reader): Promise<Page | 'expired'> {
  const request = token === '' ? first : { ...first, query: { ...first.query, token } };
  const said = await reader.send(request);
  if (said.type === 'refused') {
    if (said.code === platformCode.expiredPage && token !== '') return 'expired';
    if (said.code === platformCode.notFound) throw new Gone(said.message);
    throw refused(request, said);
  }
  const list = said.body[field];
  if (!isList(list)) throw strange(request, field);
  const { next } = said.body;
  return { items: list.filter(isObject), next: typeof next === 'string' ? next : '' };
}

export function refused(request: ApiRequest, { code, message }: Extract<Said, { type: 'refused' }>): Refusal {
  return new Refusal(
    'refresh.refused',
    exitCode.unexpected,
    `${routeName(request)} was refused with code ${code}: ${message}`,
    'The platform cannot be read as is needed. Nothing was changed. Ask the administrator of the application; a plan without --refresh does not read.',
  );
}

function strange(request: ApiRequest, field: string): Refusal {
  return new Refusal(
    'refresh.refused',
    exitCode.unexpected,
    `${routeName(request)} was answered without ${field}.`,
    'What answers there is no chat platform of this API; check base_url. Nothing was changed.',
  );
}

function endless(request: ApiRequest): Refusal {
  return new Refusal(
    'refresh.refused',
    exitCode.unexpected,
    `${routeName(request)} was begun ${maxRestarts + 1} times, and its page tokens expired each time.`,
    'The list is read too slowly to come to an end. Nothing was changed. Raise application.rate_share, or run the command when the platform is less busy.',
  );
}
