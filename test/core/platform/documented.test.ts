// Tests that chatform sends nothing that the vendor does not document. The runs of the promise, of conformance and of refreshes
// check each of their requests with the same function.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ApiRequest } from '../../../src/core/model/request.ts';
import { ROUTES } from '../../../src/emulator/routes/routes.ts';
import { isList, isObject, type JsonValue } from '../../../src/lib/json.ts';
import { sentRequest } from '../../support/planning/strict-platform.ts';
import { projectRoot } from '../../support/source-files.ts';
import {
  borrowedFromView,
  operationOf,
  type SentRequest,
  undocumented,
  vendorOperations,
} from '../../support/vendor/documented.ts';

/** Its requests are those of tests of the emulator, which try fields that do not exist. */
const answersOfEmulator = 'test/emulator/goldens/answers.md';
const goldens = readdirSync(join(projectRoot, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?:^|\/)goldens\/[^/]+\.(?:json|md|txt|human)$/u.test(file))
  .map((file) => `test/${file}`)
  .filter((file) => file !== answersOfEmulator)
  .sort();

/** Returns the requests of a golden: those of a plan document, or lines like `POST /users {"user_id":"a"}`. */
function requestsOf(file: string): SentRequest[] {
  const text = readFileSync(join(projectRoot, file), 'utf8');
  return file.endsWith('.json') ? plannedRequests(JSON.parse(text)) : writtenRequests(text);
}

function plannedRequests(value: JsonValue): SentRequest[] {
  if (isList(value)) return value.flatMap(plannedRequests);
  if (!isObject(value)) return [];
  const nested = Object.values(value).flatMap(plannedRequests);
  const { method, route } = value;
  if (typeof method !== 'string' || typeof route !== 'string') return nested;
  // Tables of calls name the route alone.
  const request = { ...(value as unknown as ApiRequest), route: '/' };
  return [{ ...sentRequest(request), path: route }, ...nested];
}

const written = /\b(GET|POST|PUT|DELETE) (\/[\w%{}./~-]*[\w%{}~-])(?:\?([^\s`]+))? ?/gu;
const filledLater = /^ \+(?:file|list|seconds|secret) (\w+)=/u;

function writtenRequests(text: string): SentRequest[] {
  return [...text.matchAll(written)].map((match) => {
    const [head, method = '', path = '', query = ''] = match;
    const start = match.index + head.length;
    const body = objectAt(text, start);
    const [, later] = filledLater.exec(text.slice(start + body.length)) ?? [];
    const value = { ...JSON.parse(body === '' ? '{}' : body), ...(later === undefined ? {} : { [later]: '' }) };
    return { method, path, query, body: { type: 'json', value } };
  });
}

/** Returns the JSON object at this place, which may have line breaks, or an empty text. */
function objectAt(text: string, start: number): string {
  const piece = /"(?:[^"\\]|\\.)*"|[{}]/gu;
  piece.lastIndex = start;
  let depth = 0;
  while (text[start] === '{') {
    const found = piece.exec(text);
    if (found === null) break;
    depth += found[0] === '{' ? 1 : found[0] === '}' ? -1 : 0;
    if (depth === 0) return text.slice(start, piece.lastIndex);
  }
  return '';
}

test('documents every request of every golden', () => {
  const counts = goldens.map((file) => {
    const requests = requestsOf(file);
    expect({ file, undocumented: requests.flatMap(undocumented) }).toEqual({ file, undocumented: [] });
    return requests.length;
  });
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(500);
});

const json = (value: object) => ({ type: 'json', value }) as const;

test.for<readonly [plant: string, request: SentRequest, fault: string]>([
  ['a path', { method: 'PUT', path: '/v3/users/ann/colour' }, 'PUT /v3/users/ann/colour'],
  ['a method', { method: 'DELETE', path: '/v3/users' }, 'DELETE /v3/users'],
  ['a channel type', { method: 'GET', path: '/v3/rooms/a/messages' }, 'GET /v3/rooms/a/messages'],
  [
    'a query parameter',
    { method: 'GET', path: '/v3/users', query: 'limit=100&colour=red' },
    'GET /users: query parameter colour',
  ],
  [
    'an attribute',
    { method: 'POST', path: '/v3/users', body: json({ user_id: 'ann', nickname: 'Ann', favourite_colour: 'red' }) },
    'POST /users: body field favourite_colour',
  ],
  [
    'a field of another operation',
    { method: 'PUT', path: '/v3/users/ann', body: json({ strict: true }) },
    'PUT /users/{user_id}: body field strict',
  ],
  [
    'a field of an object',
    { method: 'PUT', path: '/v3/applications/settings_global', body: json({ domain_filter: { type: 1, mode: 2 } }) },
    'PUT /applications/settings_global: body field domain_filter.mode',
  ],
  [
    'a field of an item',
    { method: 'POST', path: '/v3/migration/room', body: json({ messages: [{ message_type: 'MESG' }, { mood: 'x' }] }) },
    'POST /migration/{channel_url}: body field messages[].mood',
  ],
  [
    'on_demand_upsert, which creates users,',
    {
      method: 'POST',
      path: '/v3/applications/settings_by_channel_custom_type/a/mute',
      body: json({ user_ids: ['ann'], on_demand_upsert: true }),
    },
    'POST /applications/settings_by_channel_custom_type/{custom_type}/mute: body field on_demand_upsert',
  ],
  [
    'a part of a form',
    {
      method: 'PUT',
      path: '/v3/users/ann',
      body: { type: 'multipart', fields: [['colour', 'red']], files: new Map() },
    },
    'PUT /users/{user_id}: body field colour',
  ],
])('finds %s in a request', ([, request, fault]) => {
  expect(undocumented(request)).toEqual([fault]);
});

test('allows any content of a map, and only of a map', () => {
  const body = json({ user_id: 'ann', nickname: { a: '1' }, metadata: { team: { deep: 'x' } } });
  expect(undocumented({ method: 'POST', path: '/v3/users', body })).toEqual(['POST /users: body field nickname.a']);
});

test('borrows two parameters of views for lists, and no others', () => {
  const borrowed = vendorOperations.flatMap(({ method, template, query }) =>
    [...query].flatMap(([name, source]) => (source === borrowedFromView ? [`${method} ${template} ${name}`] : [])),
  );
  expect(borrowed).toEqual(['GET /group_channels member_active_mode', 'GET /open_channels include_operators']);
});

test('names as source a part of platform.md that exists', () => {
  const page = readFileSync(join(projectRoot, 'src/platform.md'), 'utf8');
  const sources = vendorOperations.flatMap(({ source, query, body }) => [source, ...query.values(), ...body.values()]);
  const parts = [...new Set(sources)].filter((source) => !['base', '2.1.5', '1.0.27'].includes(source));
  expect(parts.filter((part) => !new RegExp(`^#+ ${part.slice(1)}\\.? `, 'mu').test(page))).toEqual([]);
  expect(parts.length).toBeGreaterThan(4);
});

test('the emulator serves every operation of the file 2.1.5, and none that no source has', () => {
  const served = ROUTES.map(({ method, template }) => operationOf(method, template)).filter(
    (operation) => operation !== undefined,
  );
  const unknown = ROUTES.filter(({ method, template }) => operationOf(method, template) === undefined);
  expect(unknown.map(({ method, template }) => `${method} ${template}`)).toEqual([]);
  const missing = vendorOperations.filter((operation) => !served.includes(operation));
  expect(missing.filter(({ source }) => ['base', '2.1.5'].includes(source))).toEqual([]);
});

test('the page of the emulator lists the paths that it does not serve, and no other ones', () => {
  const page = readFileSync(join(projectRoot, 'src/emulator/behaviours.md'), 'utf8');
  const [, section = ''] = page.split('### Not emulated');
  const listed = [...section.slice(0, section.indexOf('Of operations')).matchAll(/`(\/[^`]+)`/gu)].map(
    ([, path = '']) => path,
  );
  const routes = ROUTES.map(({ method, template }) => operationOf(method, template));
  const missing = vendorOperations.filter((operation) => !routes.includes(operation));
  const isListed = ({ template }: { template: string }) => listed.some((path) => template.startsWith(path));
  expect(missing.filter((operation) => !isListed(operation)).map(({ template }) => template)).toEqual([]);
  expect(listed.filter((path) => !missing.some(({ template }) => template.startsWith(path)))).toEqual([]);
});
