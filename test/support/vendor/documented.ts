// Support: what the vendor documents of its API (operations.txt), and the parts of a request that it does not document.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Body } from '../../../src/emulator/api/request.ts';

export interface VendorOperation {
  readonly method: string;
  /** The path after `/v3`, with parameters in braces. */
  readonly template: string;
  readonly source: string;
  /** The source of each query parameter. */
  readonly query: ReadonlyMap<string, string>;
  /** The source of each field of the body, as operations.txt writes it. */
  readonly body: ReadonlyMap<string, string>;
}

/** A request on its way to the platform. */
export interface SentRequest {
  readonly method: string;
  /** Without the query, with or without `/v3`. */
  readonly path: string;
  readonly query?: string;
  readonly body?: Body;
}

export const vendorOperations: readonly VendorOperation[] = parse(
  readFileSync(join(import.meta.dirname, 'operations.txt'), 'utf8'),
);

/** The source of parameters that are documented for a view, and that lists are sent too (platform §8.1). */
export const borrowedFromView = '\u00a78.1';

function parse(text: string): readonly VendorOperation[] {
  const operations: (VendorOperation & Record<'query' | 'body', Map<string, string>>)[] = [];
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const operation = /^(GET|POST|PUT|DELETE) (\/\S+) \[(.+)\]$/u.exec(line);
    const fields = /^ {2}(query|body) (base|\u00a7?[\d.]+): (\S.*)$/u.exec(line);
    if (operation !== null) {
      const [, method = '', template = '', source = ''] = operation;
      operations.push({ method, template, source, query: new Map(), body: new Map() });
    } else if (fields !== null) {
      const [, place, source = '', names = ''] = fields;
      const named = operations.at(-1)?.[place === 'query' ? 'query' : 'body'];
      for (const name of names.split(' ')) named?.set(name, source);
    } else throw new Error(`operations.txt has an unknown line: ${line}`);
  }
  return operations;
}

const channelTypes = ['open_channels', 'group_channels'];

/** By method and number of segments, the operations with the segments of their templates, those with fewer open ones first. */
const candidates = new Map<string, { readonly operation: VendorOperation; readonly parts: readonly string[] }[]>();
for (const operation of vendorOperations.toSorted((left, right) => openSegments(left) - openSegments(right))) {
  const parts = operation.template.split('/');
  const shape = `${operation.method} ${parts.length}`;
  candidates.set(shape, [...(candidates.get(shape) ?? []), { operation, parts }]);
}

/** Returns the operation of a path. A segment that an operation names precedes one that it leaves open. */
export function operationOf(method: string, path: string): VendorOperation | undefined {
  const segments = path.replace(/^\/v3(?=\/)/u, '').split('/');
  return candidates
    .get(`${method} ${segments.length}`)
    ?.find(({ parts }) => parts.every((part, place) => isAt(part, segments[place] ?? '')))?.operation;
}

function isAt(part: string, segment: string): boolean {
  if (part === '{channel_type}') return channelTypes.includes(segment) || segment === part;
  return part.startsWith('{') ? segment !== '' : part === segment;
}

function openSegments({ template }: VendorOperation): number {
  return template.split('{').length;
}

/** Returns the parts of a request that the vendor does not document, each with its operation. */
export function undocumented({ method, path, query = '', body = { type: 'none' } }: SentRequest): readonly string[] {
  const operation = operationOf(method, path);
  if (operation === undefined) return [`${method} ${path}`];
  const name = `${method} ${operation.template}`;
  const parameters = [...new URLSearchParams(query).keys()].filter((parameter) => !operation.query.has(parameter));
  const fields = fieldsOf(body, operation.body).filter((field) => !operation.body.has(field));
  return [
    ...parameters.map((parameter) => `${name}: query parameter ${parameter}`),
    ...fields.map((field) => `${name}: body field ${field}`),
  ];
}

function fieldsOf(body: Body, documented: VendorOperation['body']): readonly string[] {
  if (body.type === 'invalid') return ['(a body that is not JSON)'];
  if (body.type === 'multipart') return [...body.fields.map(([field]) => field), ...body.files.keys()];
  const fields = new Set<string>();
  if (body.type === 'json') collect(body.value, '', documented, fields);
  return [...fields];
}

function collect(value: unknown, name: string, documented: VendorOperation['body'], fields: Set<string>): void {
  if (documented.has(`${name}.*`)) return;
  if (Array.isArray(value)) for (const item of value) collect(item, `${name}[]`, documented, fields);
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) {
      const field = name === '' ? key : `${name}.${key}`;
      fields.add(field);
      collect(item, field, documented, fields);
    }
}
