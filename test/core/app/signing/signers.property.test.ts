// Tests that a signature counts only for the bytes that were signed, whatever byte of the file or of the signature changes.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { signedPlan } from '../../../../src/core/app/signing/signed-file.ts';
import { demandSigner } from '../../../../src/core/app/signing/signers.ts';
import { Refusal } from '../../../../src/core/model/errors.ts';
import { hasSshKeygen, newKey, signFile } from '../../../support/signers.ts';
import { inSuite } from '../../../support/suite.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** The bytes that the armour around a signature of ssh stands for. */
function decoded(signature: Buffer): string | undefined {
  const [, text] =
    /^-----BEGIN SSH SIGNATURE-----\n([\s\S]*)\n-----END SSH SIGNATURE-----/u.exec(signature.toString('latin1')) ?? [];
  return text === undefined ? undefined : Buffer.from(text, 'base64').toString('hex');
}

/** A copy with one byte changed, removed or doubled. */
function damaged(bytes: Buffer, place: number, change: number | 'removed' | 'doubled'): Buffer {
  const at = place % bytes.length;
  const [before, byte, after] = [bytes.subarray(0, at), bytes.subarray(at, at + 1), bytes.subarray(at + 1)];
  if (change === 'removed') return Buffer.concat([before, after]);
  if (change === 'doubled') return Buffer.concat([before, byte, byte, after]);
  return Buffer.concat([before, Buffer.from([(byte[0] ?? 0) ^ change]), after]);
}

const changes = fc.oneof(fc.integer({ min: 1, max: 255 }), fc.constantFrom('removed' as const, 'doubled' as const));

describe.skipIf(!hasSshKeygen)('a signature (skipped without ssh-keygen of openssh-client)', () => {
  test('is refused after a change of any byte of the file or of the signature', async () => {
    const cwd = await temporaryFolder();
    const key = newKey(cwd, 'ann');
    const content = Buffer.from(Array.from({ length: 300 }, (_, at) => (at * 37) % 256));
    writeFileSync(join(cwd, 'plan'), content);
    signFile(join(cwd, 'plan'), key);
    const signature = readFileSync(join(cwd, 'plan.sig'));
    const policy = { signers: [`ann ${key.publicKey}`] };
    const check = (bytes: Buffer, beside: Buffer) => {
      writeFileSync(join(cwd, 'plan.sig'), beside);
      return demandSigner(signedPlan, 'plan', bytes, policy, { cwd, env: process.env });
    };
    expect(await check(content, signature)).toMatchObject({ by: 'ann', key: key.fingerprint });
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.nat(100_000), changes, async (isOfFile, place, change) => {
        const [bytes, beside] = isOfFile
          ? [damaged(content, place, change), signature]
          : [content, damaged(signature, place, change)];
        const outcome = await check(bytes, beside).catch((error: unknown) => error);
        if (bytes.equals(content) && decoded(beside) === decoded(signature)) return;
        expect(outcome).toBeInstanceOf(Refusal);
        expect(outcome).toMatchObject({
          code: expect.stringMatching(/^(?:plan\.bad-signature|signature\.unknown-key)$/u),
          exitCode: 6,
        });
      }),
      // Each run starts ssh-keygen up to twice.
      { numRuns: inSuite(40, 150) },
    );
  });

  const both = (first: string, second: string) => ({
    'after each other': `${first}${second}`,
    'with an empty line between': `${first}\n${second}`,
    'with a text between and around': `Signed by Ann:\n${first}Signed by Ben:\n${second}Thanks\n`,
    'without a last newline': `${first}${second}`.trimEnd(),
    'with CRLF': `${first}\n${second}`.replaceAll('\n', '\r\n'),
    'with a byte order mark': `\ufeff${first}${second}`,
    'with the same one twice': `${first}${first}${second}`,
  });
  const layouts = Object.keys(both('', '')) as readonly (keyof ReturnType<typeof both>)[];

  test.for(layouts)('counts with another one in the same file: %s', async (layout) => {
    const cwd = await temporaryFolder();
    const keys = ['ann', 'ben'].map((name) => newKey(cwd, name));
    const content = Buffer.from('plan');
    writeFileSync(join(cwd, 'plan'), content);
    const [first = '', second = ''] = keys.map((key) => {
      signFile(join(cwd, 'plan'), key);
      return readFileSync(join(cwd, 'plan.sig'), 'latin1');
    });
    writeFileSync(join(cwd, 'plan.sig'), both(first, second)[layout]);
    const signers = keys.map(({ publicKey }, at) => `${['ann', 'ben'][at]} ${publicKey}`);
    const signed = await demandSigner(
      signedPlan,
      'plan',
      content,
      { signers, signatures: 2 },
      { cwd, env: process.env },
    );
    expect(signed).toMatchObject({ by: 'ann', others: [{ by: 'ben' }] });
  });
});
