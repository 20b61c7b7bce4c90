// The columns that a mapping reads or omits, and the parts of them. What it neither reads nor omits stays with the message or channel.
import { isList, isObject, type JsonObject, type JsonValue } from '../../../../lib/json.ts';
import { parsedText } from './row-values.ts';

/** In a path: every element of a list, but not the keys of a map. */
export const everyElement = '#';
/** In a path: every element of a list, and every value of a map. */
export const everyPart = '*';

interface UsedPart {
  /** The whole value is read. */
  isWhole: boolean;
  /** Only whether there is a value is read. */
  isTested: boolean;
  readonly parts: Map<string, UsedPart>;
}

function newPart(): UsedPart {
  return { isWhole: false, isTested: false, parts: new Map() };
}

export class UsedColumns {
  readonly #root = newPart();

  /** `${address.city}` is a part of a column, or a column with a dot in its name. */
  addNamed(name: string): void {
    this.add([name], 'whole');
    if (name.includes('.')) this.add(name.split('.'), 'whole');
  }

  add(path: readonly string[], use: 'whole' | 'tested'): void {
    let node = this.#root;
    for (const step of path) {
      const part = node.parts.get(step) ?? newPart();
      node.parts.set(step, part);
      node = part;
    }
    if (use === 'whole') node.isWhole = true;
    else node.isTested = true;
  }

  /** Whether nothing of the column is left over, in any row. */
  isWhole(column: string): boolean {
    const node = this.#root.parts.get(column);
    return node !== undefined && isUsedUp(node);
  }

  /** The columns and parts of columns that the mapping neither reads nor omits, or undefined without any. */
  unusedIn(row: JsonObject): JsonObject | undefined {
    return unusedOfMap([this.#root], row);
  }
}

function isUsedUp({ isWhole, isTested, parts }: UsedPart): boolean {
  return isWhole || (isTested && parts.size === 0);
}

/** `nodes` are those of all paths that lead to the map. */
function unusedOfMap(nodes: readonly UsedPart[], map: JsonObject): JsonObject | undefined {
  let unused: Record<string, JsonValue> | undefined;
  for (const name in map) {
    const value = map[name];
    if (value === undefined || value === null || value === '') continue;
    const inner = unusedOf(nodes, value, [name, everyPart]);
    if (inner === undefined) continue;
    unused ??= {};
    // A definition takes three times as long as an assignment.
    if (name === '__proto__') Object.defineProperty(unused, name, { value: inner, enumerable: true });
    else unused[name] = inner;
  }
  return unused;
}

/** `steps` are those by which a path may lead to the value. */
function unusedOf(around: readonly UsedPart[], value: JsonValue, steps: readonly string[]): JsonValue | undefined {
  const nodes: UsedPart[] = [];
  for (const { parts } of around) {
    for (const step of steps) {
      const node = parts.get(step);
      if (node === undefined) continue;
      if (isUsedUp(node)) return undefined;
      nodes.push(node);
    }
  }
  // Rows that are inside of a row leave an empty map behind.
  if (nodes.length === 0) return isEmptyMap(value) ? undefined : value;
  const whole = typeof value === 'string' ? (parsedText(value) ?? value) : value;
  if (isObject(whole)) return unusedOfMap(nodes, whole);
  if (!isList(whole)) return value;
  const unused = whole.flatMap((element, place) => {
    const inner = unusedOf(nodes, element, [String(place), everyElement, everyPart]);
    return inner === undefined ? [] : [inner];
  });
  return unused.length === 0 ? undefined : unused;
}

function isEmptyMap(value: JsonValue): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}
