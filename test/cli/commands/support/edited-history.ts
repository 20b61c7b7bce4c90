// Support: an applied estate with a channel for every field of the lines of history files, whose line has another value than the message.
import { onTestFinished } from 'vitest';
import { type HistoryFileLine, type MessageType, messageTypes } from '../../../../src/core/history/lines/line.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../../../src/lib/json.ts';
import { startAltering } from '../../../support/altered-answers.ts';
import { reaching } from '../../../support/desk.ts';
import { historyFileText } from '../../../support/history-files.ts';
import { fieldsOfLine, lineOfType, lineValues } from '../../../support/line-rows.ts';
import { place } from '../../../support/place.ts';
import { startPlatform } from '../../../support/platform.ts';
import { fastClock } from '../../../support/run-cli.ts';

export interface LineRow {
  readonly type: MessageType;
  readonly field: string;
  readonly channel: string;
}

export const lineRows: readonly LineRow[] = messageTypes.flatMap((type) =>
  fieldsOfLine(type).map((field) => ({ type, field, channel: `${type}-${field}` })),
);

const people = ['alice', 'bob', 'carol'];
const members = Object.fromEntries(people.map((id) => [id, {}]));

function manifestText(): string {
  const channels = lineRows.map(({ channel }): [string, JsonObject] => [
    channel,
    { members, messages: { file: `history/${channel}.ndjson` } },
  ]);
  return JSON.stringify({
    version: 1,
    users: Object.fromEntries(people.map((id) => [id, { nickname: id }])),
    group_channels: Object.fromEntries(channels),
  });
}

function filesOf(lineOf: (row: LineRow) => HistoryFileLine): Record<string, string> {
  return Object.fromEntries(lineRows.map((row) => [`history/${row.channel}.ndjson`, historyFileText([lineOf(row)])]));
}

/** The fields of messages that no call needs. */
const dispensable = ['data', 'custom_type', 'mentioned_users', 'sorted_metaarray', 'silent', 'reactions'];
const dispensableOfFile = ['name', 'type', 'size', 'data'];

function leavingOut(answer: JsonValue): JsonValue {
  if (isList(answer)) return answer.map(leavingOut);
  if (!isObject(answer)) return answer;
  const isMessage = answer.message_id !== undefined;
  const isFile = answer.url !== undefined && answer.size !== undefined;
  const left = isMessage ? dispensable : isFile ? dispensableOfFile : [];
  return Object.fromEntries(
    Object.entries(answer).flatMap(([name, value]) => (left.includes(name) ? [] : [[name, leavingOut(value)]])),
  );
}

export async function editedHistory() {
  const running = await startPlatform({ rateLimits: false, token: 'token' });
  const { transit, url, close } = await startAltering(running.url);
  onTestFinished(close);
  const files = { 'chat.yaml': manifestText(), ...filesOf(({ type }) => lineOfType(type)) };
  const at = await place(files, reaching({ url, token: running.token }));
  await at.with({ clock: fastClock(20) }).does('apply --auto-approve');
  await at.does('verify --all');
  // An edit of the line differs from the message as an edit of the message differs from the line.
  await at.write(filesOf(({ type, field }) => ({ ...lineOfType(type), [field]: lineValues[field]?.[1] ?? null })));
  return {
    at,
    /** Whether answers leave out what messages can do without. */
    answer: (isLeftOut: boolean): void => {
      transit.change = isLeftOut ? leavingOut : (answer) => answer;
    },
  };
}
