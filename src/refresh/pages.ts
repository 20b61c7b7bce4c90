// Reads a list page by page, and restarts if a page token has expired (platform §1.1).

import { isList, isObject, type JsonObject } from '../lib/json.ts';
import { Refusal } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';
import { platformCode } from '../model/platform-codes.ts';
import { type ApiRequest, routeName } from '../model/request.ts';
import type { ReadAnswer, Reader } from './send.ts';

export const pageSize = '100';
/** The number of restarts before giving up. */
const maxRestarts = 5;

/** Thrown if the object that a list belongs to does not exist. */
class MissingOwner extends Error {}

/**
 * Yields the objects of a list one page at a time, and requests the next page while the caller works on this one. After a
 * token has expired it restarts, so an object may appear twice. Throws `MissingOwner`, the Refusals of `Reader.send`, and one
 * (exit code 1) if the platform refuses the list.
 */
export async function* pagesOf(first: ApiRequest, field: string, reader: Reader): AsyncGenerator<JsonObject[]> {
  let restarts = 0;
  let token = '';
  let waiting = readPage(first, token, field, reader);
  for (;;) {
    const page = await waiting;
    if (page === 'expired') {
      restarts += 1;
      if (restarts > maxRestarts) throw neverEnding(first);
      token = '';
      waiting = readPage(first, token, field, reader);
      continue;
    }
    const isLast = page.next === '' || page.next === token;
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
export async function readPages(first: ApiRequest, field: string, reader: Reader): Promise<JsonObject[] | undefined> {
  const items: JsonObject[] = [];
  try {
    for await (const page of pagesOf(first, field, reader)) items.push(...page);
    return items;
  } catch (error) {
    if (error instanceof MissingOwner) return undefined;
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
  const answer = await reader.send(request);
  if (answer.type === 'refused') {
    if (answer.code === platformCode.expiredPage && token !== '') return 'expired';
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

  constructor(platformCode: number, ...rest: ConstructorParameters<typeof Refusal>) {
    super(...rest);
    this.platformCode = platformCode;
  }
}

export function refused(request: ApiRequest, { code, message }: Extract<ReadAnswer, { type: 'refused' }>): ListRefused {
  return new ListRefused(
    code,
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

function neverEnding(request: ApiRequest): Refusal {
  return new Refusal(
    'refresh.refused',
    exitCode.unexpected,
    `${routeName(request)} was started ${maxRestarts + 1} times, but its page tokens expired each time.`,
    'chatform reads the list too slowly to finish it. Nothing was changed. Raise application.rate_share, or run the command when the platform is less busy.',
  );
}
