// Reads a list page by page, and restarts if a page token has expired (platform §1.1).

import { digestText } from '../../lib/digest.ts';
import { isList, isObject, type JsonObject } from '../../lib/json.ts';
import { Refusal } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';
import { isNotOffered, platformCode } from '../model/platform-codes.ts';
import { type ApiRequest, routeName } from '../model/request.ts';
import type { LiveReader, ReadAnswer } from './send.ts';

export const pageSize = '100';
/** The number of restarts before giving up. */
const maxRestarts = 5;
/** The number of pages in a row without anything new before giving up. Filters of the platform may empty some pages. */
const maxOldPages = 10;

/** More objects than an application has, and than a list of one object has. A list with more of them never ends. */
const mostOf = { application: 100_000_000, object: 1_000_000 };

/** Thrown if the object that a list belongs to does not exist. */
class MissingOwner extends Error {}

/**
 * Yields the objects of a list one page at a time, and requests the next page while the caller works on this one. After a
 * token has expired it restarts, so an object may appear twice. Throws `MissingOwner`, the Refusals of `Reader.send`, and one
 * (exit code 1) if the platform refuses the list, leads in a circle or shows more than `most` objects: then the list may lack objects.
 */
export async function* pagesOf(
  first: ApiRequest,
  field: string,
  reader: LiveReader,
  most = mostOf.application,
): AsyncGenerator<JsonObject[]> {
  let restarts = 0;
  let token = '';
  let course = new Course();
  let objects = 0;
  let waiting = readPage(first, token, field, reader);
  for (;;) {
    const page = await waiting;
    if ('type' in page) {
      restarts += 1;
      if (restarts > maxRestarts) throw neverEnding(first, page);
      token = '';
      course = new Course();
      objects = 0;
      waiting = readPage(first, token, field, reader);
      continue;
    }
    const isLast = page.next === '';
    if (!course.leadsOn(page)) throw circular(first);
    objects += page.items.length;
    if (objects > most) throw tooLong(first, most);
    token = page.next;
    if (!isLast) {
      waiting = readPage(first, token, field, reader);
      // Awaited in its turn. If the work on this page fails first, its result no longer matters.
      waiting.catch(() => {});
    }
    yield page.items;
    if (isLast) return;
  }
}

/** Returns all pages of a list, or undefined if the object that it belongs to does not exist. */
export async function readPages(
  first: ApiRequest,
  field: string,
  reader: LiveReader,
): Promise<JsonObject[] | undefined> {
  const items: JsonObject[] = [];
  try {
    for await (const page of pagesOf(first, field, reader, mostOf.object)) items.push(...page);
    return items;
  } catch (error) {
    if (error instanceof MissingOwner) return undefined;
    throw error;
  }
}

interface LivePage {
  readonly items: JsonObject[];
  /** Empty at the end. */
  readonly next: string;
}

/** The pages since the start of a list. */
class Course {
  readonly #tokens = new Set<string>();
  readonly #pages = new Set<string>();
  #oldPages = 0;

  /** False if the next token was used before, or if too many pages in a row have shown nothing new. */
  leadsOn({ items, next }: LivePage): boolean {
    if (next === '') return true;
    // The ends tell pages apart, and cost less than whole pages.
    const page = digestText(JSON.stringify([items[0] ?? null, items.at(-1) ?? null]));
    this.#oldPages = items.length === 0 || this.#pages.has(page) ? this.#oldPages + 1 : 0;
    const leadsOn = !this.#tokens.has(next) && this.#oldPages < maxOldPages;
    this.#pages.add(page);
    this.#tokens.add(next);
    return leadsOn;
  }
}

type RefusedRead = Extract<ReadAnswer, { type: 'refused' }>;

/** Returns the refusal of an expired token. */
async function readPage(
  first: ApiRequest,
  token: string,
  field: string,
  reader: LiveReader,
): Promise<LivePage | RefusedRead> {
  const request = token === '' ? first : { ...first, query: { ...first.query, token } };
  const answer = await reader.send(request);
  if (answer.type === 'refused') {
    if (answer.code === platformCode.expiredPage && token !== '') return answer;
    if (answer.code === platformCode.notFound) throw new MissingOwner(answer.message);
    throw refused(request, answer);
  }
  const list = answer.body[field];
  if (!isList(list)) throw missingField(request, field);
  const { next } = answer.body;
  return { items: list.filter(isObject), next: typeof next === 'string' ? next : '' };
}

/** The platform refuses this list, or refuses it in this form. */
export class ListRefused extends Refusal {
  readonly platformCode: number;
  /** Whether the platform does not offer the list at all. */
  readonly isNotOffered: boolean;

  constructor(answer: RefusedRead, ...rest: ConstructorParameters<typeof Refusal>) {
    super(...rest);
    this.platformCode = answer.code;
    this.isNotOffered = isNotOffered(answer);
  }
}

export function refused(request: ApiRequest, answer: RefusedRead): ListRefused {
  const { code, message } = answer;
  return new ListRefused(
    answer,
    'refresh.refused',
    exitCode.unexpected,
    `${routeName(request)} was refused with code ${code}: ${message}`,
    'chatform cannot read the platform. Nothing was changed. Ask the administrator of the application, or plan without --refresh, which reads nothing.',
  );
}

function missingField(request: ApiRequest, field: string): Refusal {
  return new Refusal(
    'refresh.refused',
    exitCode.unexpected,
    `${routeName(request)} was answered without ${field}.`,
    'The server at base_url does not implement this API. Nothing was changed. Check base_url.',
  );
}

function circular(request: ApiRequest): Refusal {
  return new Refusal(
    'refresh.refused',
    exitCode.unexpected,
    `${routeName(request)} leads in a circle: its page tokens lead to pages that were already read.`,
    'The list may lack objects, so chatform does not use it. Nothing was changed. Run the command again. If it happens again, check base_url and a proxy before it, or ask the vendor.',
  );
}

function tooLong(request: ApiRequest, most: number): Refusal {
  return new Refusal(
    'refresh.refused',
    exitCode.unexpected,
    `${routeName(request)} shows more than ${most.toLocaleString('en')} objects, which is more than there can be.`,
    'The list does not show what was asked for, so chatform does not use it. Nothing was changed. Check base_url and a proxy before it, or ask the vendor.',
  );
}

function neverEnding(request: ApiRequest, { code, message }: RefusedRead): Refusal {
  return new Refusal(
    'refresh.refused',
    exitCode.unexpected,
    `${routeName(request)} was started ${maxRestarts + 1} times, but the platform refused a page token each time, with code ${code}: ${message}`,
    'Nothing was changed. Tokens that expired mean that the list is read too slowly: raise application.rate_share, or run the command when the platform is less busy. If a token is refused at once, check base_url and a proxy before it, or ask the vendor.',
  );
}
