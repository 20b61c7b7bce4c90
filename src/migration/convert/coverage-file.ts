// Stores which times the exports of a series covered, and when each was taken.
import { isList, isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import type { EarlierConversion } from './earlier-conversion.ts';
import { type Coverage, type CoveredRange, printedRange, type Taken } from './export/coverage.ts';

/** Relative to the manifest folder. */
export const coverageFile = 'conversion/coverage.json';

/** user_ids of bots that appear in messages but in no list of the series. */
export function unlistedIn(earlier: EarlierConversion): readonly string[] {
  const value = earlier.json(coverageFile);
  return isObject(value) && isList(value.unlisted) ? value.unlisted.map(String) : [];
}

/**
 * Adds this export to the previous ones. An export that was converted twice counts once. `urls` are channel_urls by source id,
 * and `unlisted` are user_ids of bots that this export does not list.
 */
export function coverageText(
  earlier: EarlierConversion,
  coverage: Coverage,
  urls: ReadonlyMap<string, string>,
  unlisted: Iterable<string>,
): string {
  const groups = new Map<string, { readonly fields: JsonObject; readonly channels: string[] }>();
  for (const [id, url] of urls) {
    const { at, newest } = coverage.takenOf(id);
    const ranges = coverage.rangesOf(id);
    // Record even an export that covers no time, because its lists still show which users and channels existed.
    for (const range of ranges.length === 0 ? [noTime] : ranges) {
      const times = { taken: printedTime(at), newest: printedTime(newest) };
      const edges = range.edges.map((time) => printedTime(time));
      const limits = range === noTime ? { empty: true } : printedRange(range);
      const fields = { ...limits, edges, declared: coverage.isDeclared, ...times };
      const key = JSON.stringify(fields);
      const group = groups.get(key) ?? { fields, channels: [] as string[] };
      group.channels.push(url);
      groups.set(key, group);
    }
  }
  const added = [...groups.values()].map(
    ({ fields, channels }): JsonObject => ({ ...fields, channels: channels.sort() }),
  );
  const texts = new Set([...exportsIn(earlier.json(coverageFile)), ...added].map((entry) => JSON.stringify(entry)));
  const bots = [...new Set([...unlistedIn(earlier), ...unlisted])].sort();
  return `{\n  "format_version": "1.0",\n  "unlisted": ${JSON.stringify(bots)},\n  "exports": [${[...texts].map((text) => `\n    ${text}`).join(',')}\n  ]\n}\n`;
}

const noTime: CoveredRange = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY, edges: [] };

/** An export that was converted before. */
interface LaterExport {
  readonly channels: ReadonlySet<JsonValue>;
  readonly range: CoveredRange;
}

/** Already converted exports, compared with this one. An entry states when it was taken only if the user did. */
export class LaterExports {
  /** `taken` is the earliest possible time. */
  readonly #exports: readonly (LaterExport & { readonly taken: number })[];

  constructor(earlier: EarlierConversion) {
    this.#exports = exportsIn(earlier.json(coverageFile)).map(
      ({ empty, from, to, edges, taken, newest, channels }) => ({
        channels: new Set(isList(channels) ? channels : []),
        range: {
          ...(empty === true ? noTime : { from: timeOf(from), to: timeOf(to) }),
          edges: isList(edges) ? edges.flatMap((edge) => timeOf(edge) ?? []) : [],
        },
        taken: timeOf(taken) ?? timeOf(newest) ?? Number.NEGATIVE_INFINITY,
      }),
    );
  }

  /**
   * Times that exports cover which were certainly taken later. `url` undefined: times of any channel. Without a proof,
   * the export that is converted last counts as the latest.
   */
  rangesOf(url: string | undefined, { at, before }: Taken): readonly CoveredRange[] {
    if (at !== undefined) return this.#ranges(url, (taken) => taken > at);
    return before === undefined ? [] : this.#ranges(url, (taken) => taken >= before);
  }

  /** Times that exports cover which may have been taken later, as they have newer messages or edits. */
  doubtfulRangesOf(url: string | undefined, { at, newest }: Taken): readonly CoveredRange[] {
    return at === undefined ? this.#ranges(url, (taken) => taken > newest) : [];
  }

  #ranges(url: string | undefined, isMeant: (taken: number) => boolean): readonly CoveredRange[] {
    const isOf = ({ channels }: LaterExport): boolean => url === undefined || channels.has(url);
    return this.#exports
      .filter((laterExport) => isOf(laterExport) && isMeant(laterExport.taken))
      .map(({ range }) => range);
  }
}

/** ISO time; null for none. */
export function printedTime(time: number | undefined): string | null {
  return time === undefined || !Number.isFinite(time) ? null : new Date(time).toISOString();
}

function timeOf(value: JsonValue | undefined): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

function exportsIn(value: JsonValue | undefined): readonly JsonObject[] {
  return isObject(value) && isList(value.exports) ? value.exports.filter(isObject) : [];
}
