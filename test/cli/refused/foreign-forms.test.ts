// Tests that a file of Git LFS, git-crypt, age, Ansible Vault or SOPS is named as what it is, wherever a command reads one.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of manifests
import { expect, test } from 'vitest';
import { desk } from '../../support/desk.ts';
import { place } from '../../support/place.ts';

const forms: Readonly<Record<string, string>> = {
  'it is a pointer of Git LFS': 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n',
  'it is encrypted by git-crypt': '\0GITCRYPT\0abc',
  'it is encrypted by age': 'age-encryption.org/v1\n-> X25519 abc\n',
  'it is encrypted by Ansible Vault': '$ANSIBLE_VAULT;1.1;AES256\n6162\n',
  'it is encrypted by SOPS': 'team: ENC[AES256_GCM,data:abc,iv:x,tag:y,type:str]\nsops: { version: 3.8 }\n',
};

/** Each place of a file, FILE, with the files beside it. */
const places: readonly (readonly [command: string, file: string, more?: Readonly<Record<string, string>>])[] = [
  ['validate', 'FILE.yaml'],
  ['validate', 'FILE', { 'chat.yaml': 'version: 1\nusers: { a: { nickname: A, profile_file: FILE } }\n' }],
  ['validate', 'FILE.csv', { 'chat.yaml': 'version: 1\nsources: [{ kind: user, file: FILE.csv }]\n' }],
  [
    'validate',
    'FILE.csv',
    { 'chat.yaml': 'version: 1\nusers: { "u-${each.id}": { for_each: { file: FILE.csv }, nickname: A } }\n' },
  ],
  [
    'validate',
    'FILE.ndjson',
    { 'chat.yaml': 'version: 1\nopen_channels: { room: { name: R, messages: { file: FILE.ndjson } } }\n' },
  ],
  ['validate --variables FILE', 'FILE', desk],
  ['apply --auto-approve --api-token-file FILE --base-url https://api-x.sendbird.com/v3', 'FILE', desk],
  ['convert table users.csv --mapping FILE --out-dir out', 'FILE', { 'users.csv': 'id\na\n' }],
  ['emulator --port 0 --faults FILE', 'FILE'],
  ['show FILE', 'FILE'],
  ['state push FILE', 'FILE', desk],
  ['plan', 'chatform-behaviours.json', desk],
];

test.for(places)('%s, %s', async ([command, file, more = {}]) => {
  for (const [says, content] of Object.entries(forms)) {
    const at = await place({ ...more, [file]: content });
    const end = await at.run(command);
    expect(`${end.exit} ${(end.stdout + end.stderr).replaceAll(/\s+/gu, ' ')}`).toContain(says);
    expect(end.exit).not.toBe(0);
  }
});
