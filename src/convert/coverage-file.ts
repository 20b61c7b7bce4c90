// The file that remembers which times the exports of a series covered.
import { isList, isObject, type JsonObject, type JsonValue } from '../lib/json.ts';
import type { Earlier } from './earlier.ts';
import { type Coverage, printedRange, type TimeRange } from './export/coverage.ts';

/** From the folder of the manifests. */
export const coverageFile = 'conversion/coverage.json';

/** user_ids of bots that no list of the series has: they are known by their messages alone. */
export function unlistedIn(earlier: Earlier): readonly string[] {
  const value = earlier.json(coverageFile);
  return isObject(value) && isList(value.unlisted) ? value.unlisted.map(String) : [];
}

/**
 * Adds this export to those of before; an export that was converted twice is there once. `urls`: by source id. `unlisted`:
 * user_ids of bots that this export does not list.
 */
export function coverageText(
  earlier: Earlier,
  coverage: Coverage,
  urls: ReadonlyMap<string, string>,
  unlisted: Iterable<string>,
): string {
  const groups = new Map<string, { readonly range: TimeRange; readonly channels: string[] }>();
  for (const [id, url] of urls) {
    const range = coverage.rangeOf(id);
    if (range === undefined) continue;
    const key = JSON.stringify(printedRange(range));
    const group = groups.get(key) ?? { range, channels: [] };
    group.channels.push(url);
    groups.set(key, group);
  }
  const added = [...groups.values()].map(({ range, channels }) => ({
    ...printedRange(range),
    declared: coverage.isDeclared,
    channels: channels.sort(),
  }));
  const texts = new Set([...exportsIn(earlier.json(coverageFile)), ...added].map((one) => JSON.stringify(one)));
  const bots = [...new Set([...unlistedIn(earlier), ...unlisted])].sort();
  return `{\n  "format_version": "1.0",\n  "unlisted": ${JSON.stringify(bots)},\n  "exports": [${[...texts].map((text) => `\n    ${text}`).join(',')}\n  ]\n}\n`;
}

function exportsIn(value: JsonValue | undefined): readonly JsonObject[] {
  return isObject(value) && isList(value.exports) ? value.exports.filter(isObject) : [];
}
