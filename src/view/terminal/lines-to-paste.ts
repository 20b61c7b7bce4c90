// The lines of YAML that declare an object as it is on the platform, for a create that the platform will refuse.

import { isObject, type JsonValue } from '../../lib/json.ts';
import type { Change } from '../../model/change.ts';
import { safe } from '../text/text.ts';

type PastedLines = Map<string, JsonValue | PastedLines>;

/** `attributes` have the values on the platform in `before`. A value is written as JSON, which YAML reads. */
export function* linesToPaste({ attributes }: Pick<Change, 'attributes'>): Generator<string> {
  const lines: PastedLines = new Map();
  for (const { path, before } of attributes) if (before !== undefined) put(lines, path, before);
  yield '    as it is on the platform, to paste over the declared lines:';
  yield* printed(lines, '      ');
}

function put(lines: PastedLines, [name = '', ...rest]: readonly string[], value: JsonValue): void {
  if (rest.length === 0) {
    lines.set(name, value);
    return;
  }
  const below = lines.get(name);
  const inner: PastedLines = below instanceof Map ? below : new Map();
  lines.set(name, inner);
  put(inner, rest, value);
}

function* printed(lines: PastedLines, indent: string): Generator<string> {
  for (const [name, value] of lines) {
    const key = /^[a-z_]+$/u.test(name) ? name : JSON.stringify(name);
    if (value instanceof Map) {
      yield safe(`${indent}${key}:`);
      yield* printed(value, `${indent}  `);
    } else if (isObject(value)) {
      yield safe(`${indent}${key}:`);
      yield* printed(new Map(Object.entries(value)), `${indent}  `);
    } else yield safe(`${indent}${key}: ${JSON.stringify(value)}`);
  }
}
