// Support: what the schema of the manifest does not say about the values of its keys. A path is matched by its end.
import { isObject, type JsonObject, type JsonValue } from '../../../../src/lib/json.ts';
import type { Files } from './in-memory.ts';

type ByEnd<Value> = Readonly<Record<string, Value>>;

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f';

/** Two values, neither of them the default. */
export const values: ByEnd<readonly [JsonValue, JsonValue]> = {
  version: [1, 2],
  extends: ['base/one.yaml', 'base/two.yaml'],
  'application.base_url': ['https://api-a.sendbird.com/v3', 'https://api-b.sendbird.com/v3'],
  'application.state': ['file:one', 'file:two'],
  'policy.adopt': [['user.alice'], ['user.bob']],
  'approvals.signers': [[`ann ${key}`], [`ben ${key}`]],
  'rules[].when': ['plan.changes > 1', 'plan.changes > 2'],
  'for_each.file': ['one.csv', 'two.csv'],
  'for_each.from': [1, 2],
  'for_each.to': [3, 4],
  operators: [['alice'], ['bob']],
  operator_ids: [['alice'], ['bob']],
  'operator_ids[]': [['alice'], ['bob']],
  'operators[]': [['alice'], ['bob']],
  user_ids: [['alice'], ['bob']],
  'users[].user_id': ['alice', 'bob'],
  'group_channels.users': [[{ user_id: 'alice' }], [{ user_id: 'bob' }]],
  'group_channels.*.users': [[{ user_id: 'alice' }], [{ user_id: 'bob' }]],
  inviter_id: ['alice', 'bob'],
  bot_callback_url: ['https://a.example', 'https://b.example'],
  'webhook.url': ['https://a.example', 'https://b.example'],
  'messages.file': ['one.ndjson', 'two.ndjson'],
  mark_as_read: [['alice'], ['alice']],
  'sources[].kind': ['user', 'bot'],
  'sources[].file': ['one-users.csv', 'two-users.csv'],
  'removed[].address': ['user.carol', 'user.dave'],
  'removed[].on_remove': ['delete', 'forget'],
};

/** Keys that an object has in every case, beside those that its schema requires. */
export const always: ByEnd<JsonObject> = {
  '': { version: 1 },
  'variables.*': { default: 'one' },
  'bots.*': { bot_callback_url: 'https://a.example' },
  'group_channels.*': { members: { alice: {} } },
};

/** Keys that one key needs beside it. */
export const beside: ByEnd<JsonObject> = {
  access_code: { is_public: true },
  session_token_expires_at: { issue_session_token: true },
  'sources[].mark_as_read': { kind: 'messages', file: 'history/{channel_url}.ndjson' },
  'sources[].threads': { kind: 'messages', file: 'history/{channel_url}.ndjson' },
};

/** The key that a key replaces, because both spell one attribute. */
export const insteadOf: ByEnd<string> = { user_ids: 'members', users: 'members' };

/** Keys whose value shows by a refusal: of another key of the object, or of the value itself. */
export const refusing: ReadonlySet<string> = new Set([
  'version',
  'variables.*.type',
  'variables.*.allowed',
  'variables.*.secret',
  'open_channels.*.messages.mark_as_read',
  'sources[].kind',
]);

/** Keys that cannot differ in what is read, with the reason. */
export const unread: Readonly<Record<string, string>> = {
  'variables.*.description': 'It is for people who read the manifest.',
  'policy.on_remove.settings': 'Its only value is the default.',
};

const rows = (name: string) => `name\n${name}\n`;
const image = (last: number) => new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, last]);
const base = (channel: string) => JSON.stringify({ version: 1, open_channels: { [channel]: { name: 'Base' } } });
const line = { message_type: 'MESG', user_id: 'alice', timestamp: 1_600_000_000_000 };
/** A message and a reply to it. */
const message = (text: string) =>
  [
    { ...line, message: text, dedup_id: text },
    { ...line, message: `re: ${text}`, parent: text },
  ]
    .map((each) => `${JSON.stringify(each)}\n`)
    .join('');

const files: Files = {
  'people.yaml': JSON.stringify({
    version: 1,
    users: { alice: { nickname: 'Alice' }, bob: { nickname: 'Bob' } },
    group_channels: { 'chat-1': { members: { alice: {} } } },
  }),
  'base/one.yaml': base('one-2'),
  'base/two.yaml': base('two-2'),
  'one.csv': rows('one'),
  'two.csv': rows('two'),
  'one.png': image(1),
  'two.png': image(2),
  'one.ndjson': message('one'),
  'two.ndjson': message('two'),
  'history/chat-1.ndjson': message('three'),
  'one-users.csv': 'user_id,nickname\nrow-1,One\n',
  'two-users.csv': 'user_id,nickname\nrow-1,Two\n',
};

/** The files that are loaded. The others are named by them. */
export const paths = ['chat.yaml', 'people.yaml'];

const blocks: Readonly<Record<string, JsonObject>> = {
  users: { nickname: 'one' },
  bots: { bot_nickname: 'one', bot_type: 'one', bot_callback_url: 'https://a.example' },
  group_channels: { members: { alice: {} } },
  settings: { lifecycle: { protect: true } },
};

/** The document as a file, with what makes its values visible: a use of the variable, objects that lack what `defaults` gives. */
export function filesOf(document: JsonObject): Files {
  const defaults = isObject(document.defaults) ? document.defaults : {};
  const completed = Object.entries(defaults).map(([section, added]) => {
    const kept = Object.entries(blocks[section] ?? {}).filter(
      ([name]) => !isObject(added) || !Object.keys(added).some((key) => key === name || insteadOf[key] === name),
    );
    return [
      section,
      section === 'settings' ? Object.fromEntries(kept) : { 'one-1': Object.fromEntries(kept) },
    ] as const;
  });
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of manifests
  const user = document.variables === undefined ? {} : { users: { 'one-1': { nickname: '${var.bob}' } } };
  const text = JSON.stringify({ ...document, ...Object.fromEntries(completed), ...user });
  return { ...files, 'chat.yaml': text.includes('"for_each"') ? text.replace('"one-1"', keyOfRows(text)) : text };
}

const keyOfRows = (text: string) => `"one-\${each.${text.includes('.csv') ? 'name' : 'value'}}"`;

/** A key of a section or a map. Bob is a user, and a member of no channel. */
export function keyIn(path: string): string {
  if (path === 'application.limits') return 'POST';
  if (path.endsWith('_status')) return 'alice';
  return path.includes('.') || path === 'variables' ? 'bob' : 'one-1';
}

/** The entry whose key is the path or its end. */
export function byEnd<Value>(table: ByEnd<Value>, path: string): Value | undefined {
  const name = Object.keys(table).find((end) => path === end || (end !== '' && path.endsWith(`.${end}`)));
  return name === undefined ? undefined : table[name];
}
