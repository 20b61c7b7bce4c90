// The meaning of each problem of a manifest, with an example, for the documentation. Summaries stand with the codes.
import type { ManifestCode } from '../../manifest/checks/codes.ts';

/** The meaning, and an example of what brings it about. */
export const manifestCodes: Readonly<Record<ManifestCode, readonly [meaning: string, example: string]>> = {
  'manifest.not-found': [
    'A PATH argument leads to nothing. Check it and the working folder.',
    '`chatform plan temas/`',
  ],
  'manifest.unreadable': ['Permission is refused, or it is no regular file.', 'a manifest with mode 000'],
  'manifest.no-manifests': [
    'A folder and those below hold no .yaml or .yml. Dot-folders and node_modules are left out.',
    '`chatform plan docs/`',
  ],
  'manifest.leaves-folder': [
    'A link or a path leads out of the folder. Give the other place as a PATH of its own.',
    '`profile_file: ../../secret.png`',
  ],
  'manifest.not-utf8': ['Save the file as UTF-8.', 'a file in Latin-1'],
  'manifest.bad-row': [
    'A row of a file under sources is no object, or has no key. The others are read.',
    '`{"nickname": "Bob"}` without user_id',
  ],
  'manifest.row-too-long': [
    'No object is that long: look for a missing line end or an open quote.',
    'a CSV with an unclosed quote',
  ],
  'manifest.many-in-yaml': [
    'Above ten thousand objects, files under sources are read much faster. Advice, not a problem.',
    '20,000 users in YAML',
  ],
  'manifest.empty-document': ['Nothing is declared, which may mean that the file was cut.', 'a file of comments alone'],
  'manifest.syntax': ['It is not YAML 1.2, or uses a tag or an alias that cannot be followed.', '`users: [`'],
  'manifest.unusual': ['fmt has no canonical form for it. Write it in the usual way.', '`? key`'],
  'manifest.too-deep': ['More than fifty levels: look for brackets that are not closed.', '`[[[[[[…`'],
  'manifest.too-many-aliases': ['The aliases of a document would grow to more than a million values.', 'an alias bomb'],
  'manifest.bad-character': [
    'A control character, or half of a surrogate pair, which nothing can store.',
    'NUL in a nickname',
  ],
  'manifest.reserved-key': ['Programs would mistake the key for a part of themselves.', '`__proto__: {}`'],
  'manifest.duplicate-key': ['YAML allows it once. Keep one.', '`{ name: a, name: b }`'],
  'manifest.unknown-key': ['The message names the keys that there are.', '`nicknme: Alice`'],
  'manifest.wrong-type': ['Put a text in quotes when it looks like a number; write true, not yes.', '`frozen: yes`'],
  'manifest.wrong-value': ['The message lists what is allowed.', '`rate_plan: 7k_mau`'],
  'manifest.too-long': [
    'Lengths count characters (Unicode code points), as the platform does.',
    'a nickname of 81 characters',
  ],
  'manifest.too-short': ['It has fewer characters than the platform wants.', '`channel_url` of three characters'],
  'manifest.bad-characters': ['The message names them.', 'a space in a `channel_url`'],
  'manifest.bad-format': ['The message says which form is needed.', '`expires: 2026-02-30`'],
  'manifest.out-of-range': ['The message names the bound.', '`rate_share: 2`'],
  'manifest.too-many': ['The platform has a limit.', 'six entries of metadata'],
  'manifest.too-few': ['More are needed.', 'an empty list where one is needed'],
  'manifest.repeated': ['A list of ids names each once.', '`operators: [alice, alice]`'],
  'manifest.missing-key': ['An attribute cannot be left out.', 'a user without nickname'],
  'manifest.combination': ['The platform refuses these together.', '`is_distinct: true` with `is_super: true`'],
  'manifest.invalid': [
    'Also the refusal of a command (65) whose manifests have errors.',
    '`chatform apply` with an error',
  ],
  'manifest.deprecated': ["A form of the platform's requests; `chatform fmt` rewrites it.", '`user_ids: [alice]`'],
  'manifest.duplicate-resource': [
    'Two files or rows declare one object; both places are named.',
    'user alice in two files',
  ],
  'manifest.shared-channel-url': [
    'The platform finds open and group channels by one and the same channel_url.',
    'lobby as both',
  ],
  'manifest.same-distinct-channel': [
    'Distinct channels are found by members and custom_type, so that two alike would be one.',
    'two with the same members',
  ],
  'manifest.undeclared-user': [
    "Declare the user, or let policy.external.users match others' users.",
    '`members: { alise: }`',
  ],
  'manifest.undeclared-object': ['Declare what is named, or correct the name.', 'a row that names an unknown channel'],
  'manifest.personal-data': [
    'The platform forbids e-mail addresses in ids and metadata. `personal_data: warn` lets them pass.',
    'user `a@example.com`',
  ],
  'manifest.bad-address': ['An address is a kind, a dot and a key.', '`address: alice`'],
  'manifest.removed-and-declared': [
    'An object is declared and listed under removed: take one away.',
    '`removed: [{ address: user.alice }]`',
  ],
  'manifest.declared-twice': [
    'application, policy and an entry of removed may stand once in all files, defaults once a file.',
    'two policies',
  ],
  'manifest.restricted': [
    'policy.restrictions does not let this file declare that; the entry that decides is named.',
    'a user in teams/support/',
  ],
  'manifest.restriction-unused': [
    'No file that was loaded fits `files`: a folder was renamed, or the pattern is not seen from the folder of the policy.',
    '`files: team/**` for teams/',
  ],
  'manifest.bad-pattern': ['It is no regular expression.', '`users: ["("]`'],
  'manifest.bad-variable': [
    'A name is made of letters, digits and underscores. `$${` is the plain text.',
    'the name `APP-ID` in `base_url`',
  ],
  'manifest.missing-variable': [
    'The environment lacks CHATFORM_VAR_ and the name. A warning where nothing is sent.',
    'a `base_url` with APP_ID, which is not set',
  ],
  'manifest.file-missing': ['Paths are relative to the manifest that names them.', '`profile_file: ./alcie.png`'],
  'manifest.file-too-big': ['The platform takes images of at most 5 MB.', 'a photo of 8 MB'],
  'manifest.file-type': ['Told by its content, not by its name.', 'a PDF named alice.png'],
  'manifest.archive-line': [
    "One JSON object a line, in the fields of the platform's migration.",
    'a message without `message_type`',
  ],
  'manifest.archive-order': ['Messages stand in the order of time.', 'a line that is older than the one above'],
  'manifest.archive-repeated': ['One message stands twice; each is to be sent once.', 'a `dedup_id` in two lines'],
  'manifest.archive-more': ['Further problems of the same archive are counted, not shown.', 'a thousand bad lines'],
  'manifest.archive-empty': ['There is nothing to send.', 'an empty file'],
  'manifest.archive-ephemeral': [
    'Messages of ephemeral channels are not stored, so that there is nothing to migrate to.',
    '`is_ephemeral: true` with `messages`',
  ],
  'manifest.archive-channel': ['Declare the channel that the messages are of.', 'an archive of an undeclared channel'],
  'manifest.archive-twice': ['Messages of a channel come from one archive.', '`messages` and a source for one channel'],
  'manifest.archive-readers': [
    'Only members of a group channel have read something.',
    '`mark_as_read` in an open channel',
  ],
};
