// The lines of YAML that declare an object as it is on the platform, for a create that the platform will refuse.

import { isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import { hashPrefix } from '../../../lib/patterns/secret-values.ts';
import type { AttributeChange, Change } from '../../model/change.ts';
import type { ViewOptions } from '../text/options.ts';
import { safe, safeYaml } from '../text/text.ts';

/**
 * `attributes` have the values on the platform in `before`. Nothing without `blockText`, which writes a block as manifests have it.
 * A comment names what cannot be pasted.
 */
export function* linesToPaste(
  { attributes }: Pick<Change, 'attributes'>,
  { blockText, redactionKey }: Pick<ViewOptions, 'blockText' | 'redactionKey'>,
): Generator<string> {
  if (blockText === undefined) return;
  if (redactionKey !== undefined) {
    yield '    without --redact, the plan shows lines to paste over the declared ones';
    return;
  }
  const block: Record<string, JsonValue> = {};
  const comments: string[] = [];
  for (const [path, before] of attributes.flatMap(itemsOf)) {
    const name = safe(path.join('.'));
    if (before === undefined) comments.push(`# ${name}: not set on the platform; remove the declared line`);
    else if (isHidden(before)) comments.push(`# ${name}: not shown, because it may be a secret`);
    else put(block, path, before);
  }
  yield '    as it is on the platform, to paste over the declared lines:';
  for (const comment of comments) yield `      ${comment}`;
  if (Object.keys(block).length === 0) return;
  for (const line of blockText(block).trimEnd().split('\n')) yield safeYaml(`      ${line}`);
}

/** A map may hold a secret beside other values. */
function itemsOf({ path, before }: AttributeChange): (readonly [readonly string[], JsonValue | undefined])[] {
  if (!isObject(before) || Object.keys(before).length === 0) return [[path, before]];
  return Object.entries(before).map(([name, value]) => [[...path, name], value]);
}

function isHidden(before: AttributeChange['before']): boolean {
  return JSON.stringify(before).includes(hashPrefix);
}

function put(block: Record<string, JsonValue>, [name = '', ...below]: readonly string[], value: JsonValue): void {
  const inner: JsonObject = isObject(block[name]) ? { ...block[name] } : {};
  if (below.length > 0) put(inner, below, value);
  // Unlike an assignment, this also takes the name __proto__.
  Object.defineProperty(block, name, {
    value: below.length === 0 ? value : inner,
    ...{ enumerable: true, configurable: true, writable: true },
  });
}
