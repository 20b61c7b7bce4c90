// Tests which lines name a signer: those of a file of allowed signers that name one person and one key.
import { expect, test } from 'vitest';
import { signerIn } from '../../../src/model/signing/signature.ts';

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEl0nz+IsXiWtmimH5/dd==';

test.for([
  ['ann@example.com', '', ''],
  ['ann', '', ' ann@laptop of ann'],
  ['ann+chat', 'valid-before="20270101" ', ''],
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
  ['a second line', `ann ${key}\nbob ${key}`],
])('names nobody with %s', ([, line = '']) => {
  expect(signerIn(line)).toBeUndefined();
});
