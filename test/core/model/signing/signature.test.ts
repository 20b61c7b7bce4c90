// Tests which lines name a signer: those of a file of allowed signers that name one person and one key.
import { expect, test } from 'vitest';
import { signerIn } from '../../../../src/core/model/signing/signature.ts';

/** The fields of a public key, as in the second word of its line. */
function encoded(...fields: readonly (string | Uint8Array)[]): string {
  const parts = fields.map((field) => Buffer.from(field));
  const lengths = parts.map(({ length }) => Buffer.from(Uint32Array.of(length).buffer).swap32());
  return Buffer.concat(parts.flatMap((part, at) => [lengths[at] ?? part, part])).toString('base64');
}

const ed25519 = encoded('ssh-ed25519', Buffer.alloc(32, 'k'));
const key = `ssh-ed25519 ${ed25519}`;

test.for([
  ['ann@example.com', '', ''],
  ['ann', '', ' ann@laptop of ann'],
  ['ann+chat', 'valid-before="20270101" ', ''],
  ['ann', 'valid-before="20280229" ', ''],
  ['ann', 'valid-before="202801012359" ', ''],
  ['ann', 'valid-after="20260101",valid-before="20270101120000Z",namespaces="chatform-plan,chatform" ', ''],
])('names %s with the options %j', ([name = '', options = '', comment = '']) => {
  const limits = options === '' ? {} : { options: options.trim() };
  const [type = '', publicKey = ''] = key.split(' ');
  expect(signerIn(`${name} ${options}${key}${comment}`)).toEqual({ name, type, key: publicKey, ...limits });
});

test.for([
  ['nothing', ''],
  ['a comment', `# ann ${key}`],
  ['no name', key],
  ['a pattern of names', `*@example.com ${key}`],
  ['a list of names', `ann,bob ${key}`],
  ['an excluded name', `!ann ${key}`],
  ['a name in quotes', `"ann" ${key}`],
  ['a name that is an option of a program', `-ann ${key}`],
  ['an authority, whose certificates name others', `ann cert-authority ${key}`],
  ['an unknown option', `ann no-touch-required ${key}`],
  ['an option without its end', `ann valid-before="20270101 ${key}`],
  ['a time that is none', `ann valid-before="tomorrow" ${key}`],
  ['an unknown type', 'ann ssh-dss AAAA'],
  ['no key', 'ann ssh-ed25519'],
  ['a key that is not Base64', 'ann ssh-ed25519 AAAA…'],
  ['a key that was cut', `ann ${key.slice(0, -8)}`],
  ['a key of its type alone', `ann ssh-ed25519 ${encoded('ssh-ed25519')}`],
  [
    'a key with bytes after its end',
    `ann ssh-ed25519 ${encoded('ssh-ed25519', 'k'.repeat(32)).replace(/=*$/u, 'AAAA')}`,
  ],
  ['a key of another type', `ann ssh-rsa ${ed25519}`],
  ['a key of a few bytes', 'ann ssh-ed25519 AAAA'],
  ['a month that is none', `ann valid-before="20271301" ${key}`],
  ['a day that its month lacks', `ann valid-before="20270229" ${key}`],
  ['an hour that is none', `ann valid-after="20270101",valid-before="202701012400Z" ${key}`],
  ['a second that is none', `ann valid-before="20270101235960" ${key}`],
  ['a second line', `ann ${key}\nbob ${key}`],
])('names nobody with %s', ([, line = '']) => {
  expect(signerIn(line)).toBeUndefined();
});
