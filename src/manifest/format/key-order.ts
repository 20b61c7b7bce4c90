// Puts the keys of maps into the schema's order. Ids stay where they are, and so does what anchors bind.
import { isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import type { JsonSchema } from '../../resources/define.ts';
import type { FlowEntry, Layout, LayoutEntry, LayoutItem, Names } from './layout.ts';

/** The same parts with the keys of every map in the schema's order. */
export function inOrder(layout: Layout, schema: JsonSchema): Layout {
  return order(layout, schema, schema);
}

function order(layout: Layout, schema: JsonValue | undefined, root: JsonSchema): Layout {
  const here = resolved(schema, root);
  if (here === undefined) return layout;
  switch (layout.type) {
    case 'map': {
      const entries = layout.entries.map((entry) => below(entry, propertyOf(here, entry.key.text), root));
      return { ...layout, entries: withGaps(sorted(entries, here), layout.entries) };
    }
    case 'flow-map': {
      const entries = layout.entries.map((entry) => below(entry, propertyOf(here, entry.key?.text ?? ''), root));
      return { ...layout, entries: sorted(entries, here) };
    }
    case 'list':
      return { ...layout, items: layout.items.map((item) => below(item, here.items, root)) };
    case 'flow-list':
      return { ...layout, entries: layout.entries.map((item) => below(item, here.items, root)) };
    default:
      return layout;
  }
}

function below<T extends LayoutItem | FlowEntry>(part: T, schema: JsonValue | undefined, root: JsonSchema): T {
  return part.value === undefined ? part : { ...part, value: order(part.value, schema, root) };
}

/** Follows references; among alternatives, takes the one with properties. */
function resolved(schema: JsonValue | undefined, root: JsonSchema): JsonObject | undefined {
  if (!isObject(schema)) return undefined;
  if (typeof schema.$ref === 'string') {
    let here: JsonValue | undefined = root;
    for (const part of schema.$ref.split('/').slice(1)) here = isObject(here) ? here[part] : undefined;
    return resolved(here, root);
  }
  const alternatives = Array.isArray(schema.oneOf) ? schema.oneOf : Array.isArray(schema.anyOf) ? schema.anyOf : [];
  return alternatives.find((choice): choice is JsonObject => isObject(choice) && isObject(choice.properties)) ?? schema;
}

function propertyOf({ properties, additionalProperties }: JsonObject, key: string): JsonValue | undefined {
  return isObject(properties) && Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
}

/**
 * A map with keys of the author's choice keeps the author's order. Merge keys come first and unknown keys last.
 * Two parts that set or use the same anchor keep their order.
 */
function sorted<T extends LayoutEntry | FlowEntry>(entries: readonly T[], schema: JsonObject): readonly T[] {
  if (!isObject(schema.properties) || isObject(schema.additionalProperties)) return entries;
  const known = Object.keys(schema.properties);
  const rank = ({ key }: T): number => {
    if (key?.text === '<<' && key.style === 'plain') return -1;
    const place = known.indexOf(key?.text ?? '');
    return place === -1 ? known.length : place;
  };
  const left = [...entries];
  const result: T[] = [];
  while (left.length > 0) {
    let best: number | undefined;
    for (const [at, entry] of left.entries()) {
      const isFree = left.slice(0, at).every((earlier) => mayPass(earlier.names, entry.names));
      if (isFree && (best === undefined || rank(entry) < rank(left[best] ?? entry))) best = at;
    }
    result.push(...left.splice(best ?? 0, 1));
  }
  return result;
}

function mayPass(earlier: Names, later: Names): boolean {
  const meets = (left: ReadonlySet<string>, right: ReadonlySet<string>) => [...left].some((name) => right.has(name));
  return (
    !meets(earlier.anchors, later.anchors) &&
    !meets(earlier.anchors, later.aliases) &&
    !meets(earlier.aliases, later.anchors)
  );
}

/** The first part has no blank line above it: a part that moves there gives its blank line to the one that was first. */
function withGaps(entries: readonly LayoutEntry[], before: readonly LayoutEntry[]): readonly LayoutEntry[] {
  const [first] = entries;
  const firstKey = before[0]?.key;
  if (first === undefined || first.key === firstKey || first.lead[0] !== '') return entries;
  return entries.map((entry) => (entry.key === firstKey ? { ...entry, lead: ['', ...entry.lead] } : entry));
}
