// Matches a method and path to a route and its path parameters, with a tree of path segments.

import { ROUTES, type Route } from './routes.ts';

export interface Match {
  readonly route: Route;
  /** Decoded after splitting, so that an id may contain an encoded slash (platform §1). */
  readonly params: ReadonlyMap<string, string>;
}

interface Node {
  readonly fixed: Map<string, Node>;
  named: { readonly name: string; readonly node: Node } | undefined;
  readonly routes: Map<string, Route>;
}

const PREFIX = '/v3/';
const ROOT = grow(ROUTES);

/** Undefined when no route matches or the path cannot be decoded. */
export function match(method: string, path: string): Match | undefined {
  if (!path.startsWith(PREFIX)) return undefined;
  const params = new Map<string, string>();
  let node = ROOT;
  for (const segment of path.slice(PREFIX.length).split('/')) {
    const fixed = node.fixed.get(segment);
    if (fixed !== undefined) {
      node = fixed;
      continue;
    }
    const value = decode(segment);
    if (node.named === undefined || value === undefined || value === '') return undefined;
    params.set(node.named.name, value);
    node = node.named.node;
  }
  const route = node.routes.get(method);
  return route === undefined ? undefined : { route, params };
}

/** "METHOD template", the key of rate limits and statistics. All unknown routes share one. */
export function routeKey(matched: Match | undefined): string {
  return matched === undefined ? 'unknown' : `${matched.route.method} ${matched.route.template}`;
}

function grow(routes: readonly Route[]): Node {
  const root = newNode();
  for (const route of routes) {
    let node = root;
    for (const segment of route.template.slice(1).split('/')) node = child(node, segment);
    node.routes.set(route.method, route);
  }
  return root;
}

function child(node: Node, segment: string): Node {
  if (segment.startsWith('{')) {
    node.named ??= { name: segment.slice(1, -1), node: newNode() };
    return node.named.node;
  }
  const known = node.fixed.get(segment) ?? newNode();
  node.fixed.set(segment, known);
  return known;
}

function newNode(): Node {
  return { fixed: new Map(), named: undefined, routes: new Map() };
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
