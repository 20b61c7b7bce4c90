// The examples of the reference pages, by the key of the manifest or the section. A test validates each of them.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of manifests

/** Contents by file name. An example of one file needs no name for it. */
type Example = string | Readonly<Record<string, string>>;

const examples: Readonly<Record<string, Example>> = {
  version: `version: 1
users:
  alice: { nickname: Alice }
`,
  extends: {
    'base/chat.yaml': `version: 1
open_channels:
  lobby: { name: Lobby, data: Ask anything }
`,
    'production/chat.yaml': `version: 1
extends: ../base
open_channels:
  lobby:
    name: Lounge # replaces the name
    data: { absent: true } # removes the line of the base
`,
  },
  variables: `version: 1
variables:
  region:
    default: eu
    allowed: [eu, us]
open_channels:
  lobby: { name: 'Lobby \${var.region}' }
`,
  application: `version: 1
application:
  base_url: https://api-\${APP_ID}.sendbird.com/v3
  state: s3://acme-chat/state
  rate_plan: 25k_mau
  rate_share: 0.5
  limits:
    POST /migration/{channel_url}: 10
`,
  policy: `version: 1
policy:
  on_remove: { user: forget }
  existing: adopt_equal
  external: { users: [^sys-] }
  acknowledge:
    - { effect: open_channel.freeze, count: 2, expires: 2099-12-31 }
`,
  defaults: `version: 1
defaults:
  open_channels: { custom_type: support }
open_channels:
  lobby: { name: Lobby }
  help: { name: Help, custom_type: help } # overrides the default
`,
  sections: `version: 1
users:
  alice: { nickname: Alice }
group_channels:
  support-42: { members: { alice: } }
settings:
  push_enabled: true
`,
  sources: {
    'chat.yaml': `version: 1
sources:
  - { kind: user, file: users.csv }
`,
    'users.csv': `user_id,nickname,metadata.team
alice,Alice,support
bob,Bob,
`,
  },
  removed: `version: 1
removed:
  - { address: user.mallory, on_remove: delete }
`,
  for_each: `version: 1
open_channels:
  city-\${each.id}:
    for_each:
      - { id: oslo, city: Oslo }
      - { id: rome, city: Rome }
    name: Friends in \${each.city}
  room-\${each.value}:
    for_each: { from: 1, to: 20, digits: 2 } # room-01 to room-20
    name: Room \${each.value}
`,
  lifecycle: `version: 1
open_channels:
  lobby:
    name: Lobby
    lifecycle:
      protect: true
      ignore_changes: [data]
`,
  users: `version: 1
users:
  alice:
    nickname: Alice
    metadata: { team: support }
`,
  bots: `version: 1
bots:
  helper:
    bot_nickname: Helper
    bot_type: support
    bot_callback_url: https://bots.example.com/helper
`,
  open_channels: `version: 1
users:
  alice: { nickname: Alice }
open_channels:
  lobby: { name: Lobby, operators: [alice] }
`,
  group_channels: `version: 1
users:
  alice: { nickname: Alice }
  bob: { nickname: Bob }
group_channels:
  support-42:
    members:
      alice:
      bob: { hidden_status: hidden_allow_auto_unhide }
    operators: [alice]
`,
  custom_types: `version: 1
custom_types:
  support: { max_message_length: 1000, display_past_message: true }
`,
  settings: `version: 1
settings:
  push_enabled: true
  webhook:
    enabled: true
    url: https://hooks.example.com/chat
    enabled_events: [group_channel:message_send]
`,
};

/** Returns the blocks of the example of a key, each with the name of its file if it has several. */
export function exampleOf(name: string): readonly string[] {
  const example = examples[name] ?? '';
  if (typeof example === 'string') return [fenced('yaml', example)];
  return Object.entries(example).flatMap(([file, text]) => [
    `\`${file}\`:`,
    fenced(file.endsWith('.yaml') ? 'yaml' : 'text', text),
  ]);
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\`\`\``;
}
