// Support: the values of a row for every field of the lines of history files.
import { type HistoryFileLine, lineSchemas } from '../../src/core/history/lines/line.ts';
import type { JsonValue } from '../../src/lib/json.ts';

export const lineTime = 1_600_000_000_000;
/** For each field, the value that was sent and a later value in the history file. */
export const lineValues: Readonly<Record<string, readonly [JsonValue, JsonValue]>> = {
  timestamp: [lineTime, lineTime + 1],
  user_id: ['alice', 'bob'],
  message: ['Hello', 'Bye'],
  url: ['https://files.example/a.pdf', 'https://files.example/b.pdf'],
  data: ['{"a":1}', '{"a":2}'],
  custom_field: ['page 1', 'page 2'],
  custom_type: ['note', 'memo'],
  mentioned_user_ids: [
    ['bob', 'alice'],
    ['bob', 'carol'],
  ],
  sorted_metaarray: [[{ key: 'tags', value: ['a', 'b'] }], [{ key: 'tags', value: ['b', 'a'] }]],
  is_silent: [true, false],
  file_name: ['a.pdf', 'b.pdf'],
  file_size: [1024, 1025],
  file_type: ['application/pdf', 'text/plain'],
  thumbnails: [['https://files.example/a.png'], ['https://files.example/b.png']],
  require_auth: [true, false],
  reactions: [{ up: ['alice', 'bob'] }, { up: ['alice', 'carol'] }],
  pinned: [true, false],
  dedup_id: ['source-1', 'source-2'],
};
/** Fields that the emulator never shows. */
export const hiddenFields = ['dedup_id', 'require_auth', 'thumbnails'];
/** Fields that the platform may set by itself, so a line without one declares nothing. */
export const ownFields = ['file_name', 'file_size', 'file_type', 'reactions', 'pinned'];

/** Without `parent`, whose meaning depends on another line. */
export const fieldsOfLine = (type: HistoryFileLine['message_type']) =>
  Object.keys(lineSchemas[type].properties ?? {}).filter((name) => name !== 'message_type' && name !== 'parent');

export const requiredOfLine = (type: HistoryFileLine['message_type']) =>
  lineSchemas[type].required as readonly string[];

export function lineOfType(type: HistoryFileLine['message_type']): HistoryFileLine {
  const fields = fieldsOfLine(type).map((name) => [name, lineValues[name]?.[0] ?? null]);
  return { message_type: type, timestamp: lineTime, ...Object.fromEntries(fields) };
}
