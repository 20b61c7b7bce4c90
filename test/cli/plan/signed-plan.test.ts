// Tests signed plans: how they are signed, which signatures an apply accepts, and what is kept of them.
import { spawnSync } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { redactReport } from '../../../src/core/view/text/redact.ts';
import { shellWord } from '../../../src/lib/tools/pasted-words.ts';
import { contentOf, makeFolder, removeFolder } from '../../support/folders.ts';
import { commitAll, git, startRepository } from '../../support/git.ts';
import { Place, place } from '../../support/place.ts';
import { publishedSchema } from '../../support/published-schema.ts';
import { hasSshKeygen, type Key, newKey, signFile } from '../../support/signers.ts';
import { copiesOf, temporaryFolder } from '../../support/temporary-folder.ts';

const application = 'application: { base_url: "emulator:emu.json" }';
const chat = `version: 1\n${application}\nusers: { alice: { nickname: Alice } }\n`;

test('a plan is saved with what --sign-command prints for its bytes, and the command sees no variable of chatform', async () => {
  const at = await place({ 'chat.yaml': chat }, { CHATFORM_API_TOKEN: 'secret' });
  const command = 'cat > read; env > seen; printf signed';
  await at.ends(['plan', '--out', 'plan.chatform', '--sign-command', command], 0, 'its signature to plan.chatform.sig');
  expect(await at.read('read')).toEqual(await at.read('plan.chatform'));
  expect(await at.read('plan.chatform.sig')).toBe('signed');
  expect(await at.read('seen')).not.toMatch(/CHATFORM_|secret/u);
});

test.for([
  ['fails', 'exit 3', 'failed'],
  ['prints nothing', 'cat > /dev/null', 'printed no signature'],
])('no plan is saved if the command that signs it %s', async ([, command = '', says = '']) => {
  const at = await place({ 'chat.yaml': chat });
  await at.ends(['plan', '--out', 'plan.chatform', '--sign-command', command], 1, 'plan.sign-failed', says);
  expect(Object.keys(await contentOf(at.cwd))).not.toContain('plan.chatform');
});

test('a plan is saved although --sign-command leaves a process that holds its streams', async () => {
  const at = await place({ 'chat.yaml': chat });
  const command = 'sleep 600 & echo $! > held; printf signed';
  await at.ends(['plan', '--out', 'plan.chatform', '--sign-command', command], 0);
  process.kill(Number(await at.read('held')));
  expect(await at.read('plan.chatform.sig')).toBe('signed');
});

test('a plan whose signature cannot be written is not saved', async () => {
  const at = await place({ 'chat.yaml': chat, 'plan.chatform.sig/folder': '' });
  const command = ['plan', '--out', 'plan.chatform', '--sign-command', 'echo signed'];
  await at.ends(command, 1, 'file.unwritable', 'plan.chatform.sig cannot be written.');
  expect(Object.keys(await contentOf(at.cwd))).not.toContain('plan.chatform');
});

test('a plan that would replace another file leaves the signature beside that file', async () => {
  const at = await place({ 'chat.yaml': chat });
  const commands = 'echo letter > letter; echo theirs > letter.sig; echo signed';
  await at.ends(['plan', '--out', 'letter', '--sign-command', commands], 64, 'file.other-kind');
  expect(await at.read('letter.sig')).toBe('theirs\n');
});

test('a plan is not signed without a file', async () => {
  const at = await place({ 'chat.yaml': chat });
  await at.ends('plan --sign-command cat', 64, '--sign-command needs --out');
});

const policyOf = (signers: readonly string[], dangers?: number): string =>
  `version: 1\npolicy: { approvals: ${JSON.stringify({ signers, dangers })} }\n`;

const line = (name: string, { publicKey }: Key, options = ''): string => `${name} ${options}${publicKey}`;

/** The keys of two people, made once: nothing changes their files. */
let keys: { readonly ann: Key; readonly eve: Key };
beforeAll(async () => {
  if (!hasSshKeygen) return;
  const folder = await makeFolder();
  keys = { ann: newKey(folder, 'ann'), eve: newKey(folder, 'eve') };
  return () => removeFolder(folder);
});

const withBob = (attributes: string): string => `${chat.trimEnd().slice(0, -1)}, bob: { ${attributes} } }\n`;

/** Bob exists, and is to be deactivated. */
const leaving = copiesOf(async (cwd) => {
  const at = new Place(cwd);
  await at.write({ 'chat.yaml': withBob('nickname: Bob') });
  await at.does('apply --auto-approve');
  await at.write({ 'chat.yaml': withBob('nickname: Bob, deactivated: true') });
});

/** A folder whose saved plan deactivates bob, and the keys of ann and eve. Nobody has signed it. */
async function planned(
  signersOf: (ann: Key, eve: Key) => readonly string[] = (ann) => [line('ann', ann)],
  dangers?: number,
) {
  const { ann, eve } = keys;
  const at = new Place(await leaving());
  await at.write({ 'policy.yaml': policyOf(signersOf(ann, eve), dangers) });
  await at.does('plan --out plan.chatform');
  return { at, ann, eve };
}

const required = 'apply plan.chatform --require-signature';

/** The state with bob deactivated is the only one that the plan leaves. */
async function expectRefused(at: Place, command: string, exit: number, ...says: readonly string[]): Promise<void> {
  const before = [await at.content('.chatform/state'), await at.read('emu.json')];
  await at.ends(command, exit, ...says);
  expect([await at.content('.chatform/state'), await at.read('emu.json')]).toEqual(before);
}

describe.skipIf(!hasSshKeygen)('a saved plan (skipped without ssh-keygen of openssh-client)', () => {
  test('runs once a signer has signed it, and report, summary and trail say who', async () => {
    const { at, ann } = await planned();
    signFile(at.path('plan.chatform'), ann);
    const { stderr } = await at.does(`${required} --report report.json`);
    expect(stderr.replace(/\s+/gu, ' ')).toContain(`Signed by ann (${ann.fingerprint}).`);
    const { signature, plan_hash } = await at.readJson('report.json');
    expect(signature).toEqual({ by: 'ann', key: ann.fingerprint, sha256: expect.stringMatching(/^[0-9a-f]{64}$/u) });
    expect((await at.json('state log')).entries.at(-1)).toMatchObject({ plan: plan_hash, signature });
    expect((await at.does('state log')).stdout).toContain(`signed by ann (${ann.fingerprint})`);
    await at.does('state log --verify');
    // The same command finds nothing to do.
    expect((await at.does(required)).stdout).toContain('nothing left to do');
  });

  test('runs with keys of every type that ssh-keygen makes here', async () => {
    const { at } = await planned();
    const folder = await temporaryFolder();
    const types = [
      ['-t', 'rsa', '-b', '3072'],
      ['-t', 'ecdsa'],
    ];
    for (const [index, type] of types.entries()) {
      const key = newKey(folder, `key-${index}`, type);
      await at.write({
        'policy.yaml': policyOf([line('ann', key, 'valid-after="20200101Z",namespaces="chatform-plan" ')]),
      });
      signFile(at.path('plan.chatform'), key);
      await at.does(required);
    }
  });

  test.for<{
    name: string;
    of: (keys: { at: Place; ann: Key; eve: Key }) => Promise<void> | void;
    exit: number;
    says: string[];
  }>([
    {
      name: 'that is missing',
      of: () => {},
      exit: 5,
      says: ['signature.missing', '-n chatform-plan -f KEY plan.chatform'],
    },
    {
      name: 'by a key that is not in the list',
      of: ({ at, eve }) => signFile(at.path('plan.chatform'), eve),
      exit: 6,
      says: ['signature.unknown-key', 'its person left'],
    },
    {
      name: 'by a key that was removed since',
      of: async ({ at, ann, eve }) => {
        signFile(at.path('plan.chatform'), ann);
        await at.write({ 'policy.yaml': policyOf([line('eve', eve)]) });
      },
      exit: 6,
      says: ['signature.unknown-key'],
    },
    {
      name: 'by a key whose time is over',
      of: async ({ at, ann }) => {
        signFile(at.path('plan.chatform'), ann);
        await at.write({ 'policy.yaml': policyOf([line('ann', ann, 'valid-before="20250101" ')]) });
      },
      exit: 6,
      says: ['signature.invalid-key', 'of ann', 'valid-before="20250101"', 'key has expired', '2025-01-01T00:00:00'],
    },
    {
      name: 'by a key for another purpose',
      of: async ({ at, ann }) => {
        signFile(at.path('plan.chatform'), ann);
        await at.write({ 'policy.yaml': policyOf([line('ann', ann, 'namespaces="git" ')]) });
      },
      exit: 6,
      says: ['signature.invalid-key', 'namespaces="git"'],
    },
    {
      name: 'that is the signature of a commit or of a certificate',
      of: ({ at, ann }) => signFile(at.path('plan.chatform'), ann, 'chatform'),
      exit: 6,
      says: ['plan.bad-signature', 'namespace does not match'],
    },
    {
      name: 'of another plan',
      of: async ({ at, ann }) => {
        await at.write({ 'more.yaml': 'version: 1\nusers: { carol: { nickname: Carol } }\n' });
        await at.does('plan --out other.chatform');
        signFile(at.path('other.chatform'), ann);
        await writeFile(at.path('plan.chatform.sig'), await readFile(at.path('other.chatform.sig')));
      },
      exit: 6,
      says: ['plan.bad-signature', 'Another plan was signed'],
    },
    {
      name: 'of an earlier plan, which was replaced in its file',
      of: async ({ at, ann }) => {
        signFile(at.path('plan.chatform'), ann);
        await at.write({ 'more.yaml': 'version: 1\nusers: { carol: { nickname: Carol } }\n' });
        await at.does('plan --out plan.chatform');
      },
      exit: 6,
      says: ['plan.bad-signature'],
    },
    {
      name: 'that is not one',
      of: ({ at }) => writeFile(at.path('plan.chatform.sig'), 'signed: ann'),
      exit: 6,
      says: ['plan.bad-signature'],
    },
    {
      name: 'in a pipe that nobody writes to',
      of: async ({ at }) => void spawnSync('mkfifo', [at.path('plan.chatform.sig')]),
      exit: 5,
      says: ['signature.missing'],
    },
    {
      name: 'in a folder',
      of: ({ at }) => at.write({ 'plan.chatform.sig/signature': 'signed: ann' }),
      exit: 5,
      says: ['signature.missing'],
    },
    {
      name: 'that never ends',
      of: ({ at }) => symlink('/dev/zero', at.path('plan.chatform.sig')),
      exit: 5,
      says: ['signature.missing'],
    },
    {
      name: 'where nobody may sign',
      of: async ({ at, ann }) => {
        signFile(at.path('plan.chatform'), ann);
        await at.write({ 'policy.yaml': 'version: 1\npolicy: {}\n' });
      },
      exit: 5,
      says: ['signature.no-signers', '--approvals-from'],
    },
    {
      name: 'where the policy is not valid',
      of: async ({ at, ann }) => {
        signFile(at.path('plan.chatform'), ann);
        await at.write({ 'policy.yaml': policyOf([line('ann', ann), '*@example.com ssh-ed25519 AAAA']) });
      },
      exit: 65,
      says: ['manifest.bad-signer'],
    },
    {
      name: 'where two names of signers differ in case alone',
      of: async ({ at, ann, eve }) => {
        signFile(at.path('plan.chatform'), ann);
        await at.write({ 'policy.yaml': policyOf([line('ann@x.org', ann), line('ann@X.org', eve)]) });
      },
      exit: 65,
      says: ['manifest.bad-signer', 'ann@X.org and ann@x.org differ in case alone'],
    },
  ])('is refused with a signature $name', async ({ of, exit, says }) => {
    const { at, ann, eve } = await planned();
    await of({ at, ann, eve });
    await expectRefused(at, required, exit, ...says);
  });

  test('is refused for another application, also with a signature', async () => {
    const { at, ann } = await planned();
    signFile(at.path('plan.chatform'), ann);
    await expectRefused(
      at,
      `${required} --base-url emulator:other.json --state file:other`,
      6,
      'plan.other-application',
    );
  });

  test('is checked without ssh-keygen from the folder of the request', async () => {
    const { at, ann } = await planned();
    await at.write({ 'bin/ssh-keygen': '#!/bin/sh\necho "key SHA256:AAAA"\n' });
    signFile(at.path('plan.chatform'), ann);
    await expectRefused(at.with({ env: { PATH: at.path('bin') } }), required, 64, 'signature.no-ssh-keygen');
  });

  test.for(['unknown option -- Y', 'Unsupported operation for -Y: \\"check-novalidate\\"\\r'])(
    'is refused where ssh-keygen says: %s',
    async (says) => {
      const { at, ann } = await planned();
      const programs = await temporaryFolder();
      const script = `#!/bin/sh\nprintf "${says}\\nusage: ssh-keygen" >&2\nexit 1\n`;
      await writeFile(join(programs, 'ssh-keygen'), script, { mode: 0o755 });
      signFile(at.path('plan.chatform'), ann);
      await expectRefused(at.with({ env: { PATH: programs } }), required, 64, 'signature.no-ssh-keygen', 'OpenSSH 8.2');
    },
  );

  test('is refused with what ssh-keygen says, without its line end', async () => {
    const { at } = await planned();
    await at.write({ 'plan.chatform.sig': 'no signature' });
    await expectRefused(at, required, 6, 'missing header).');
  });

  test('needs a signature without the flag, if it has more dangers than policy.approvals allows, and says so', async () => {
    const { at, ann } = await planned(undefined, 0);
    expect((await at.does('show plan.chatform')).stdout).toContain(
      'policy.approvals.dangers allows 0 without a signature',
    );
    await expectRefused(at, 'apply plan.chatform', 5, 'signature.missing');
    await expectRefused(at, 'apply --auto-approve', 5, 'signature.not-saved', 'chatform plan --out plan.chatform');
    await expectRefused(at, 'destroy --confirm emulator:emu.json', 5, 'A plan of destroy cannot be saved');
    signFile(at.path('plan.chatform'), ann);
    await at.does('apply plan.chatform');
    // An undo reactivates bob, which is a danger as well.
    await expectRefused(at, 'undo --auto-approve', 5, 'signature.not-saved', 'chatform undo 2 --out plan.chatform');
    await at.does('undo --out undo.chatform');
    signFile(at.path('undo.chatform'), ann);
    await at.does('apply undo.chatform');
  });

  test.for([
    [0, 5],
    [1, 0],
    [undefined, 0],
  ] as const)('with one danger ends with %s allowed dangers, without a signature', async ([dangers, exit]) => {
    const { at } = await planned(undefined, dangers);
    await at.ends('apply plan.chatform', exit);
  });

  test.for([
    [0, 5, 5],
    [5, 0, 5],
    [5, 5, 0],
  ] as const)('that allows %s dangers, in a folder that allows %s, ends with %s', async ([ofPlan, ofFolder, exit]) => {
    const { at, ann } = await planned(undefined, ofPlan);
    await at.write({ 'policy.yaml': policyOf([line('ann', ann)], ofFolder) });
    await at.ends('apply plan.chatform', exit);
  });

  test('is not needed if nothing is to be done', async () => {
    const at = await place({ 'chat.yaml': chat });
    await at.does('apply --auto-approve');
    await at.does('apply --auto-approve --require-signature');
    await at.write({ 'chat.yaml': chat.replace('Alice', 'Alicia') });
    await expectRefused(
      at,
      'apply --auto-approve --require-signature',
      5,
      'signature.not-saved',
      '--require-signature is set',
    );
  });

  test('is judged by the signers of --approvals-ref, and not by those of the request', async () => {
    const { at, ann, eve } = await planned(undefined, 0);
    await at.write({ '.gitignore': '.chatform/\nemu.json\nplan.chatform*\n' });
    startRepository(at.cwd);
    commitAll(at.cwd, 'base');
    git(at.cwd, 'checkout', '--quiet', '-b', 'request');
    await at.write({ 'policy.yaml': policyOf([line('eve', eve)]) });
    commitAll(at.cwd, 'eve approves herself');
    signFile(at.path('plan.chatform'), eve);
    await expectRefused(at, `${required} --approvals-ref main`, 6, 'signature.unknown-key');
    // The request allows dangers, and main does not.
    await expectRefused(at, 'apply --auto-approve --approvals-ref main', 5, 'signature.not-saved');
    await expectRefused(at, 'apply plan.chatform --approvals-ref mian', 64, 'base.unknown-ref');
    signFile(at.path('plan.chatform'), ann);
    // Ann leaves, after the request began.
    git(at.cwd, 'checkout', '--quiet', 'main');
    await at.write({ 'policy.yaml': policyOf([line('carol', eve)], 0) });
    commitAll(at.cwd, 'ann left');
    git(at.cwd, 'checkout', '--quiet', 'request');
    await expectRefused(at, `${required} --approvals-ref main`, 6, 'signature.unknown-key', ann.fingerprint);
    signFile(at.path('plan.chatform'), eve);
    await at.does(`${required} --approvals-ref main --report report.json`);
    expect((await at.readJson('report.json')).signature).toMatchObject({ by: 'carol' });
  });

  test('is judged by the file of signers at --approvals-ref', async () => {
    const { at, ann, eve } = await planned();
    const policy = 'version: 1\npolicy: { approvals: { signers: signers } }\n';
    await at.write({ '.gitignore': '.chatform/\nemu.json\nplan.chatform*\n', 'policy.yaml': policy });
    await at.write({ signers: `# Who approves\n\n${line('ann', ann)} of the laptop\r\n` });
    startRepository(at.cwd);
    commitAll(at.cwd, 'base');
    await at.write({ signers: `${line('eve', eve)}\n` });
    signFile(at.path('plan.chatform'), eve);
    await expectRefused(at, `${required} --approvals-ref main`, 6, 'signature.unknown-key');
    await at.write({ signers: `${line('ann', ann)}\n${line('*', eve)}\n` });
    await expectRefused(at, required, 65, 'signers:2:1', 'manifest.bad-signer');
    signFile(at.path('plan.chatform'), ann);
    await at.does(`${required} --approvals-ref main`);
  });

  test.for<[named: string, code: string]>([
    ['missing', 'manifest.file-missing'],
    ['../outside', 'manifest.leaves-folder'],
    ['.hidden', 'manifest.hidden-file'],
    ['.', 'manifest.file-missing'],
  ])('is refused where the signers are in the file %s', async ([named, code]) => {
    const { at, ann } = await planned();
    await at.write({ '.hidden': line('ann', ann) });
    await at.write({ 'policy.yaml': `version: 1\npolicy: { approvals: { signers: ${named} } }\n` });
    signFile(at.path('plan.chatform'), ann);
    await expectRefused(at, required, 65, code, 'policy.yaml:2:33');
  });

  test('needs as many different signers as the policy demands, whose signatures follow each other', async () => {
    const { at, ann, eve } = await planned();
    const other = newKey(await temporaryFolder(), 'other');
    const signers = [line('ann', ann), line('ann', other), line('eve', eve)];
    await at.write({
      'policy.yaml': `version: 1\npolicy: { approvals: ${JSON.stringify({ signers, dangers: 0, signatures: 2 })} }\n`,
    });
    await at.does('plan --out plan.chatform');
    const warning = (await at.does('show plan.chatform')).stdout.replace(/\s+/gu, ' ');
    expect(warning).toContain('2 different people in policy.approvals.signers have');
    expect(warning).toContain('-f KEY < plan.chatform >> plan.chatform.sig');
    const signedBy = async (...keys: readonly Key[]) => {
      const signatures: string[] = [];
      for (const key of keys) {
        signFile(at.path('plan.chatform'), key);
        signatures.push(await at.read('plan.chatform.sig'));
      }
      await at.write({ 'plan.chatform.sig': signatures.join('') });
    };
    await signedBy(ann);
    await expectRefused(
      at,
      required,
      5,
      'signature.too-few',
      'is signed by ann',
      '< plan.chatform >> plan.chatform.sig',
    );
    await signedBy(ann, other, ann);
    await expectRefused(at, required, 5, 'signature.too-few', 'is signed by ann,');
    const stranger = newKey(await temporaryFolder(), 'stranger');
    await signedBy(ann, stranger);
    await expectRefused(at, required, 6, 'signature.unknown-key', stranger.fingerprint);
    await signedBy(stranger, ann, eve);
    const { stderr } = await at.does(`${required} --report report.json`);
    const both = `ann (${ann.fingerprint}), eve (${eve.fingerprint})`;
    expect(stderr.replace(/\s+/gu, ' ')).toContain(`Signed by ${both}.`);
    const report = await at.readJson('report.json');
    expect(publishedSchema('report')(report)).toEqual([]);
    expect(report.signature).toMatchObject({ by: 'ann', others: [{ by: 'eve', key: eve.fingerprint }] });
    expect((await at.does('state log')).stdout).toContain(`signed by ${both}`);
    expect(JSON.stringify(redactReport(report, { redactionKey: 'key' }).signature)).not.toMatch(/ann|eve/u);
  });

  test('is judged by the manifests of --approvals-from', async () => {
    const { at, ann, eve } = await planned();
    await at.write({ 'production/policy.yaml': policyOf([line('eve', eve)]), '.chatformignore': 'production/\n' });
    signFile(at.path('plan.chatform'), ann);
    await expectRefused(at, `${required} --approvals-from production`, 6, 'signature.unknown-key');
    signFile(at.path('plan.chatform'), eve);
    await at.does(`${required} --approvals-from production`);
  });

  test.for([
    ['--approvals-from prodcution', 'manifest.not-found'],
    ['--approvals-from empty', 'manifest.no-manifests'],
    ['--approvals-from prodcution --approvals-ref main', 'manifest.not-found'],
  ])('is not applied where %s names no manifests, also without dangers', async ([flags, says = '']) => {
    const { at, ann } = await planned();
    await at.write({ '.gitignore': '.chatform/\nemu.json\nplan.chatform*\n', 'empty/README.md': '' });
    startRepository(at.cwd);
    commitAll(at.cwd, 'base');
    await expectRefused(at, `apply plan.chatform ${flags}`, 65, says);
    await expectRefused(at, `apply --auto-approve ${flags}`, 65, says);
    signFile(at.path('plan.chatform'), ann);
    await expectRefused(at, `${required} ${flags}`, 65, says);
  });

  test('is shown with its signer, and with the reason if the signature does not count', async () => {
    const { at, ann, eve } = await planned();
    const shown = async (flags = '') => {
      const document = JSON.parse((await at.does(`show plan.chatform --format json ${flags}`.trim())).stdout);
      expect(publishedSchema('plan')(document)).toEqual([]);
      return document.signature;
    };
    expect(await shown()).toBeUndefined();
    signFile(at.path('plan.chatform'), ann);
    expect(await shown()).toMatchObject({ counts: true, by: 'ann', key: ann.fingerprint });
    for (const format of ['human', 'human --plain', 'markdown', 'html']) {
      const { stdout } = await at.does(`show plan.chatform --format ${format}`);
      expect(stdout.replaceAll('<wbr>', '')).toMatch(/igned by `?ann \(SHA256:/u);
    }
    expect(JSON.stringify(await shown('--redact'))).not.toContain('ann');
    await at.write({ 'production/policy.yaml': policyOf([line('eve', eve)]), '.chatformignore': 'production/\n' });
    expect(await shown('--approvals-from production')).toMatchObject({ counts: false, code: 'signature.unknown-key' });
    expect((await at.does('show plan.chatform --approvals-from production')).stdout).toContain(
      'The signature does not count (signature.unknown-key)',
    );
    expect(await shown('--approvals-ref main')).toMatchObject({ counts: false, code: 'base.no-repository' });
    await at.write({ 'policy.yaml': 'version: 1\n' });
    expect(await shown()).toMatchObject({ counts: false, code: 'signature.no-signers' });
    await at.write({ 'plan.chatform.sig': 'signed: ann' });
    await at.write({ 'policy.yaml': policyOf([line('ann', ann)]) });
    expect(await shown()).toMatchObject({ counts: false, code: 'plan.bad-signature' });
  });

  test.for([
    ['an undo', 'undo', 'undo --out undone.plan'],
    ['a repair of drift', 'drift --repair harmless', 'drift --repair harmless --out undone.plan'],
  ])('of %s is signed by the command that saves it', async ([, unsaved = '', command = '']) => {
    const { at, ann } = await planned(undefined, 0);
    await at.ends([...unsaved.split(' '), '--sign-command', 'cat'], 64, '--sign-command needs --out');
    signFile(at.path('plan.chatform'), ann);
    await at.does('apply plan.chatform');
    const sign = `ssh-keygen -q -Y sign -n chatform-plan -f ${shellWord(ann.file)}`;
    await at.does([...command.split(' '), '--sign-command', sign]);
    expect(JSON.parse((await at.does('show undone.plan --format json')).stdout).signature).toMatchObject({ by: 'ann' });
    await at.does('apply undone.plan --require-signature');
  });

  test('is nothing that a plan of the library can have', async () => {
    const { at } = await planned(undefined, 0);
    const { plan, apply } = await import('../../../src/library.ts');
    const { cwd } = at;
    const { plan: made, diagnostics } = await plan({ cwd, env: {} });
    expect(diagnostics).toEqual([]);
    expect(made.warnings).toMatchObject([{ code: 'plan.needs-signature' }]);
    await expect(apply({ cwd, env: {}, plan: made })).rejects.toMatchObject({
      code: 'signature.not-saved',
      exitCode: 5,
    });
    await expect(plan({ cwd, env: {}, signCommand: 'cat' })).rejects.toMatchObject({ exitCode: 64 });
  });

  test('is hidden with --redact as other people are', async () => {
    const { at, ann } = await planned();
    signFile(at.path('plan.chatform'), ann);
    await at.does(`${required} --report report.json --redact`);
    expect((await at.readJson('report.json')).signature.by).not.toBe('ann');
  });
});
