// Support: history files as the loader would return them, made from given lines.

import {
  type HistoryFileWithMarks,
  historyFileValue,
  type LineBlock,
  type ThreadReply,
  writerMark,
} from '../../src/core/history/lines/history-file.ts';
import {
  type HistoryFileLine,
  identityOfLine,
  likenessOfLine,
  lineMark,
  threadLikeness,
} from '../../src/core/history/lines/line.ts';
import { MarkedLines, markAttributes } from '../../src/core/history/lines/marked-lines.ts';
import type { Resource } from '../../src/core/model/resource.ts';
import { RunningDigest } from '../../src/lib/digest.ts';
import type { JsonObject } from '../../src/lib/json.ts';

export function historyFileText(lines: readonly JsonObject[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

export function historyFileOfLines(
  file: string,
  lines: readonly JsonObject[],
  perCall = 100,
  threads = false,
): HistoryFileWithMarks {
  const marked = new MarkedLines();
  const historyFileLines = lines as unknown as readonly HistoryFileLine[];
  const lineMarks = historyFileLines.map(lineMark);
  const identities = historyFileLines.map(identityOfLine);
  for (const [place, line] of historyFileLines.entries())
    marked.add(line, identities[place] ?? '', lineMarks[place] ?? '');
  const written = new Map(lines.flatMap(({ user_id: id }, place) => (typeof id === 'string' ? [[id, place + 1]] : [])));
  const senders = [...written.keys()].sort();
  const known = new Map<string, number>();
  const blocks: LineBlock[] = [];
  const firsts = new Map(historyFileLines.map(({ dedup_id: id, timestamp }, line) => [id, [line, timestamp] as const]));
  let offset = 0;
  for (let start = 0; start < lines.length; start += perCall) {
    const part = historyFileLines.slice(start, start + perCall);
    const repeats: Record<string, number> = {};
    for (const [place, line] of part.entries()) {
      const likeness = threads ? threadLikeness(line) : likenessOfLine(line);
      const count = known.get(likeness) ?? 0;
      if (count > 0) repeats[String(place)] = count;
      known.set(likeness, count + 1);
    }
    const replies: Record<string, ThreadReply> = {};
    for (const [place, { parent, timestamp }] of part.entries()) {
      const first = !threads || parent === undefined ? undefined : firsts.get(parent);
      if (first !== undefined) replies[String(place)] = [...first, timestamp];
    }
    const bytes = Buffer.byteLength(historyFileText(part));
    const writers = part.map(({ user_id: id }) => (typeof id === 'string' ? senders.indexOf(id) : undefined));
    const by = [...new Set(writers.filter((place) => place !== undefined))];
    const arrays = part.flatMap(({ sorted_metaarray: some }, place) => (some === undefined ? [] : [place]));
    blocks.push({
      offset,
      bytes,
      first: part[0]?.timestamp ?? 0,
      last: part.at(-1)?.timestamp ?? 0,
      marks: lineMarks.slice(start, start + perCall).join(''),
      identities: identities.slice(start, start + perCall).join(''),
      ...(arrays.length === 0 ? {} : { arrays }),
      by,
      writers: writers.map((place) => writerMark(place === undefined ? undefined : by.indexOf(place))).join(''),
      ...(Object.keys(repeats).length === 0 ? {} : { repeats }),
      ...(Object.keys(replies).length === 0 ? {} : { replies }),
    });
    offset += bytes;
  }
  const marks = marked.end();
  const digest = new RunningDigest().add(blocks.map(({ marks }) => marks).join('')).soFar();
  const lastLines = senders.map((id) => written.get(id) ?? 0);
  return {
    file,
    gzip: false,
    ...(threads ? { threads } : {}),
    messages: lines.length,
    digest,
    senders,
    lastLines,
    blocks,
    ...(Object.keys(marks).length === 0 ? {} : { marks }),
  };
}

export function historyFileResource(
  channel: string,
  key: string,
  all: HistoryFileWithMarks,
  more: JsonObject = {},
): Resource {
  const { marks = {}, ...historyFile } = all;
  return {
    address: `messages.${key}`,
    attributes: { channel, history: historyFileValue(historyFile), ...markAttributes(marks), ...more },
    lifecycle: {},
    source: { file: 'manifest.yaml', line: 1, column: 1 },
  };
}
