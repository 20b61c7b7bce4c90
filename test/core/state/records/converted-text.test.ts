// Tests that a state or a copy whose files were converted or merged as texts is refused with the cause and its cure.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textChangeIn } from '../../../../src/core/state/records/converted-text.ts';
import { application, put, putBy, refusalOf } from '../../../support/state/fixtures.ts';
import { Machine } from '../support/machine.ts';
import { sealerOf } from '../support/sealers.ts';

const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16();

const conversions: readonly {
  readonly name: string;
  readonly convert: (text: string) => Buffer;
  readonly says: string;
  readonly advises: string;
}[] = [
  {
    name: 'Windows line ends',
    convert: (text) => Buffer.from(text.replaceAll('\n', '\r\n')),
    says: 'has Windows line ends (CRLF)',
    advises: '.gitattributes with the line `* -text`',
  },
  {
    name: 'a byte order mark',
    convert: (text) => Buffer.from(`\ufeff${text}`),
    says: 'begins with a byte order mark',
    advises: 'in another encoding',
  },
  ...[
    { name: 'UTF-16', convert: (text: string) => Buffer.from(text, 'utf16le') },
    { name: 'UTF-16 with a mark', convert: (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le') },
    { name: 'UTF-16 in the other order', convert: swapped },
    { name: 'UTF-16 in the other order with a mark', convert: (text: string) => swapped(`\ufeff${text}`) },
  ].map((row) => ({ ...row, says: 'is UTF-16 instead of UTF-8', advises: 'in another encoding' })),
  {
    name: 'conflict markers',
    convert: (text) => Buffer.from(`<<<<<<< HEAD\n${text}=======\n${text}>>>>>>> other\n`),
    says: 'contains the conflict markers of a merge',
    advises: 'git checkout COMMIT -- FOLDER',
  },
  {
    name: 'conflict markers in the middle',
    convert: (text) => Buffer.from(text.replace('\n', '\n<<<<<<< HEAD\n')),
    says: 'contains the conflict markers of a merge',
    advises: 'git checkout COMMIT -- FOLDER',
  },
];

/** A snapshot, and the journal of a killed process. */
async function killed(): Promise<Machine> {
  const machine = new Machine();
  await putBy(() => machine.start().backend, 'a', 'b');
  await (await machine.open()).done('c', put('c'));
  machine.crash();
  return machine;
}

test.for(conversions)('names $name in any file of a folder', async ({ convert, says, advises }) => {
  const paths = [...(await killed()).disk.names.keys()];
  expect(paths).toHaveLength(3);
  for (const path of paths) {
    const machine = await killed();
    machine.disk.write(path, convert(machine.disk.text(path)));
    for (const use of [() => machine.contents(), () => machine.open()]) {
      const refusal = await refusalOf(use());
      expect(refusal).toMatchObject({ code: 'state.corrupt', exitCode: 1 });
      expect(refusal.message).toContain(says);
      expect(refusal.advice).toContain(advises);
    }
  }
});

describe('takes nothing for a conversion', () => {
  test('in text with any contents', () => {
    const line = fc.jsonValue().map((value) => `{"text":${JSON.stringify(value)}}\n`);
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('\r\n', '\ufeff', '<<<<<<< HEAD', ''), (lines, text) => {
        const bytes = Buffer.from(`${lines.join('')}{"text":${JSON.stringify(`${text}\n${text}`)}}\n`);
        expect(textChangeIn(bytes)).toBeUndefined();
      }),
    );
  });

  test('in an encrypted state that was changed', async () => {
    const machine = new Machine();
    const sealer = sealerOf('correct horse battery');
    await putBy(() => machine.start({ sealer }).backend, 'a');
    const at = '/s/state.ndjson';
    const bytes = Buffer.from(machine.disk.names.get(at)?.bytes ?? '');
    bytes.write('\r\n', bytes.length - 20);
    machine.disk.write(at, bytes);
    const refusal = await refusalOf(machine.start({ sealer }).backend.read(application));
    expect(refusal.code).toBe('state.corrupt');
    expect(refusal.message).not.toContain('CRLF');
  });
});
