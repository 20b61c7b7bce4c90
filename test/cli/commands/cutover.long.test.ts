// Tests a cutover from the first conversion to a certificate that any changed byte breaks.
import { execFileSync } from 'node:child_process';
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Certificate } from '../../../src/core/model/migration/cutover.ts';
import { copyFolder, writeFiles } from '../../support/folders.ts';
import { publishedSchema } from '../../support/published-schema.ts';
import { type CliEnd, expectEnd, runCli, succeeded } from '../../support/run-cli.ts';
import { hasSshKeygen, newKey, signFile } from '../../support/signers.ts';
import { copiesOf, temporaryFolder } from '../../support/temporary-folder.ts';

const example = join(import.meta.dirname, '../../../examples/operations/move-from-slack');

function run(cwd: string, ...args: readonly string[]): Promise<CliEnd> {
  return runCli(args, { cwd, env: { CHATFORM_API_TOKEN: 'secret-token' } });
}

const historyPolicy = '  history: { hidden: accept, expires: accept, unknown: accept }\n';
const verifyArgs = ['verify', 'chat', '--all', '--report', 'chat/conversion/verification.json'];

async function convert(folder: string, day: string): Promise<CliEnd> {
  return run(folder, 'convert', 'slack', `export-${day}`, '--out-dir', 'chat');
}

/** Two exports, converted and decided. Nothing is sent. */
const converted = copiesOf(async (folder) => {
  await copyFolder(example, folder);
  await convert(folder, 'monday');
  const decisions = join(folder, 'chat/conversion/decisions.yaml');
  const text = await readFile(decisions, 'utf8');
  await writeFile(decisions, text.replace('object.not-carried: no', 'object.not-carried: yes'));
  await succeeded(convert(folder, 'monday'));
  await succeeded(convert(folder, 'tuesday'));
});

/** Applied and verified. */
const verified = copiesOf(async (folder) => {
  await copyFolder(await converted(), folder);
  await succeeded(run(folder, 'apply', 'chat', '--auto-approve'));
  await succeeded(run(folder, ...verifyArgs));
});

/** Verified, with a decision about what members will see. */
const decided = copiesOf(async (folder) => {
  await copyFolder(await verified(), folder);
  await appendFile(join(folder, 'chat/application.yaml'), historyPolicy);
});

const certified = copiesOf(async (folder) => {
  await copyFolder(await decided(), folder);
  await succeeded(run(folder, 'cutover', 'chat', '--certificate'));
});

async function certificateIn(folder: string): Promise<Certificate> {
  return JSON.parse(await readFile(join(folder, 'chat/conversion/certificate.json'), 'utf8')) as Certificate;
}

describe('chatform cutover', () => {
  test('says what is missing before the apply, and certifies nothing', async () => {
    const folder = await converted();
    const { exit, stdout } = await run(folder, 'cutover', 'chat', '--format', 'json');
    const { ready, checks, runs, window } = JSON.parse(stdout);
    expect({ exit, ready }).toEqual({ exit: 4, ready: false });
    const open = checks.filter(({ outcome }: { outcome: string }) => outcome === 'blocks');
    expect(open.map(({ code }: { code: string }) => code)).toEqual([
      'cutover.not-applied',
      'cutover.not-verified',
      'history.hidden',
      'history.expires',
    ]);
    expect(runs).toMatchObject([
      { export: { paths: ['../export-monday'], files: 7 }, lines: { added: 8, changed: 0, missing: 0 }, undecided: 0 },
      { export: { paths: ['../export-tuesday'] }, lines: { added: 2, changed: 0, missing: 0 } },
    ]);
    expect(window).toMatchObject({ lines: { expected: 2 }, requests: { expected: 2 } });
    await expectEnd(run(folder, 'cutover', 'chat', '--certificate'), 5, 'error[cutover.not-ready]');
  });

  test('asks for another conversion if one was killed before its line of the series', async () => {
    const folder = await converted();
    const series = join(folder, 'chat/conversion/series.ndjson');
    const lines = (await readFile(series, 'utf8')).split('\n').slice(0, 2);
    await writeFile(series, `${lines.join('\n')}\n`);
    const { stdout } = await run(folder, 'cutover', 'chat');
    expect(stdout).toContain('error[cutover.ledger]');
    await succeeded(convert(folder, 'tuesday'));
    expect((await run(folder, 'cutover', 'chat')).stdout).not.toContain('error[cutover.ledger]');
  });

  test('is ready after the verification and a decision about the history, and lists the last steps', async () => {
    const folder = await verified();
    expect((await expectEnd(run(folder, 'cutover', 'chat'), 4)).stdout).toContain('error[history.hidden]');
    await expectEnd(run(folder, 'cutover', 'chat', '--certificate'), 5, 'members may not see');
    await appendFile(join(folder, 'chat/application.yaml'), historyPolicy);
    const { stdout } = await expectEnd(run(folder, 'cutover', 'chat'), 0);
    expect(stdout).toMatch(/^Ready for the cutover\.\n/u);
    expect(stdout).toContain('  3. chatform convert slack export-tuesday --out-dir chat --strict\n');
  });

  test('lists steps that can be pasted, for tables and a state elsewhere', async () => {
    const folder = await temporaryFolder();
    await copyFolder(join(example, '../move-from-anything/postgresql'), join(folder, 'data of ann'));
    const tables = ['data of ann/dump.sql', '--mapping', 'data of ann/mapping.yaml'];
    await succeeded(run(folder, 'convert', 'table', ...tables, '--out-dir', 'new/chat'));
    const { stdout } = await run(folder, 'cutover', 'new/chat', '--state', 'file:kept');
    expect(stdout.slice(stdout.indexOf('  3. '))).toBe(
      [
        "  3. chatform convert table 'data of ann/dump.sql' --mapping 'data of ann/mapping.yaml' --out-dir new/chat --strict",
        '  4. chatform apply new/chat --state file:kept',
        '  5. chatform verify new/chat --all --report new/chat/conversion/verification.json --state file:kept',
        '  6. chatform cutover new/chat --state file:kept --certificate',
        '  7. Switch the clients to the new application.',
        '',
      ].join('\n'),
    );
  });

  test('reads the state of the folder', async () => {
    const folder = await converted();
    await succeeded(run(join(folder, 'chat'), 'apply', '--auto-approve'));
    const { stdout } = await run(folder, 'cutover', 'chat');
    expect(stdout).not.toContain('not applied yet');
    expect(stdout).toContain('  4. chatform apply chat --state file:chat/.chatform/state\n');
  });

  test('rehearses bulk, difference and window before anything is sent', async () => {
    const folder = await converted();
    const { stdout } = await expectEnd(run(folder, 'cutover', 'chat', '--rehearse', '--format', 'json'), 0);
    const document = JSON.parse(stdout);
    expect(publishedSchema('results#cutover_rehearsed')(document)).toEqual([]);
    const { phases } = document;
    expect(phases).toMatchObject([
      { name: 'bulk', messages: 8, requests: 12, outcome: 'done' },
      { name: 'difference', messages: 2, requests: 1, outcome: 'done' },
      { name: 'window', messages: 2, outcome: 'done' },
    ]);
    // A rehearsal leaves neither state nor messages behind.
    const after = await run(folder, 'cutover', 'chat');
    expect(after.stdout).toContain('12 steps not applied yet.');
  });

  test.each([
    ['no series', ['--rehearse'], 5, 'cutover.not-ready'],
    ['no certificate', ['--check'], 6, 'certificate.json is missing'],
    ['two tasks', ['--check', '--rehearse'], 64, 'cannot be combined'],
    ['a signer without a certificate', ['--sign-command', 'cat'], 64, '--sign-command needs --certificate'],
    ['a verifier without a check', ['--verify-command', 'cat'], 64, '--verify-command needs --check'],
  ])('refuses %s', async (_title, flags, exit, message) => {
    const folder = await converted();
    await writeFiles(folder, { 'chat/conversion/series.ndjson': '' });
    expect(await run(folder, 'cutover', 'chat', ...flags)).toMatchObject({
      exit,
      stderr: expect.stringContaining(message),
    });
  });
});

describe('the certificate', () => {
  test('fits its schema, and says what was moved and decided', async () => {
    const folder = await certified();
    const certificate = await certificateIn(folder);
    expect(publishedSchema('certificate')(certificate)).toEqual([]);
    expect(certificate).toMatchObject({
      application: 'emulator:.chatform/emulator',
      totals: { users: 4, channels: 3, messages: 10 },
      left_out: [{ reason: 'object.not-carried', lines: 1, decision: 'accepted' }],
      applies: [{ outcome: 'done', requests: 12 }],
    });
    expect(certificate.channels.map(({ name, messages }) => [name, messages])).toEqual([
      ['general', 8],
      ['random', 1],
      [undefined, 1],
    ]);
    expect(await run(folder, 'cutover', 'chat', '--check')).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('23 files'),
    });
  });

  test('is checked against the list offline, which names what it could not look at', async () => {
    const folder = await certified();
    const { stdout } = await expectEnd(run(folder, 'cutover', 'chat', '--check'), 0);
    expect(stdout).toContain('Not looked at: 3 points of');
    expect(stdout).toContain('history.hidden: Members see the history. The platform was not asked.');
    const checked = await run(folder, 'cutover', 'chat', '--check', '--format', 'json');
    expect(publishedSchema('results#cutover_checked')(JSON.parse(checked.stdout))).toEqual([]);
    await writeFiles(folder, { 'chat/more.yaml': 'version: 1\nusers: { late: { nickname: Late } }\n' });
    expect((await expectEnd(run(folder, 'cutover', 'chat', '--check'), 4)).stdout).toContain(
      'error[cutover.not-applied]: 1 step not applied yet.',
    );
    await rm(join(folder, '.chatform/state'), { recursive: true });
    const elsewhere = await expectEnd(run(folder, 'cutover', 'chat', '--check'), 0);
    expect(elsewhere.stdout).toContain('cutover.not-applied: Every step is applied. No state exists at');
  });

  test('names who accepted a loss, as git knows', async () => {
    const folder = await decided();
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', ...args], { cwd: folder });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'Convert');
    await succeeded(run(folder, 'cutover', 'chat', '--certificate'));
    const commit = String(git('rev-parse', 'HEAD')).trim();
    expect((await certificateIn(folder)).left_out).toMatchObject([{ by: 'Ann', commit }]);
  });

  test('is broken by a changed byte in any file that it names, which the refusal names', async () => {
    const folder = await certified();
    const { files } = await certificateIn(folder);
    const list = await readFile(join(folder, 'chat/conversion/export.sha256'), 'utf8');
    const pages = ['json', 'md', 'html'].map((ending) => `conversion/certificate.${ending}`);
    const names = [
      ...files.map(({ path }) => path),
      ...list.split('\n').flatMap((line) => line.slice(66) || []),
      ...pages,
    ];
    expect(names).toHaveLength(26);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.integer({ min: 1, max: 255 }),
        async (name, place, bits) => {
          const file = join(folder, 'chat', name);
          const before = await readFile(file);
          const after = Buffer.from(before);
          const offset = Math.floor(place * before.length);
          after[offset] = (before[offset] ?? 0) ^ bits;
          await writeFile(file, after);
          const { exit, stderr } = await run(folder, 'cutover', 'chat', '--check');
          await writeFile(file, before);
          expect({ exit, isNamed: stderr.replaceAll(/\s+/gu, ' ').includes(name) }).toEqual({ exit: 6, isNamed: true });
        },
      ),
      { numRuns: 40, examples: names.map((name): [string, number, number] => [name, 0.5, 1]) },
    );
    await rm(join(folder, 'chat/history/slack_C0RAN0002.ndjson'));
    await expectEnd(run(folder, 'cutover', 'chat', '--check'), 6, 'slack_C0RAN0002.ndjson is missing');
  });

  test('is not written for an export that changed since its conversion', async () => {
    const folder = await decided();
    await appendFile(join(folder, 'export-tuesday/users.json'), ' ');
    await expectEnd(run(folder, 'cutover', 'chat', '--certificate'), 5, 'export-tuesday/users.json was changed');
    await expectEnd(run(folder, 'cutover', 'chat'), 4);
    await expect(certificateIn(folder)).rejects.toThrow('ENOENT');
  });

  test.skipIf(!hasSshKeygen)('is signed and checked with ssh-keygen (skipped without ssh-keygen)', async () => {
    const folder = await decided();
    const keygen = (...args: readonly string[]) => execFileSync('ssh-keygen', args, { cwd: folder, stdio: 'pipe' });
    for (const name of ['key', 'other']) keygen('-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', name);
    await writeFile(join(folder, 'signers'), `ann@example.com ${await readFile(join(folder, 'key.pub'), 'utf8')}`);
    const signedBy = (key: string) =>
      run(folder, 'cutover', 'chat', '--certificate', '--sign-command', `ssh-keygen -q -Y sign -f ${key} -n chatform`);
    const verifyCommand = 'ssh-keygen -Y verify -f signers -I ann@example.com -n chatform -s "$SIGNATURE"';
    const check = () => run(folder, 'cutover', 'chat', '--check', '--verify-command', verifyCommand);
    await succeeded(signedBy('key'));
    expect(await check()).toMatchObject({ exit: 0, stdout: expect.stringContaining('Signature: verified') });
    await succeeded(signedBy('other'));
    expect(await check()).toMatchObject({ exit: 6, stderr: expect.stringContaining('cutover.bad-signature') });
    // A certificate without a signature removes the previous signature.
    await succeeded(run(folder, 'cutover', 'chat', '--certificate'));
    expect(await check()).toMatchObject({
      exit: 6,
      stderr: expect.stringContaining('certificate.json.sig is missing'),
    });
  });

  test.skipIf(!hasSshKeygen)('is checked against the signers of the policy (skipped without ssh-keygen)', async () => {
    const folder = await decided();
    const [ann, eve] = [newKey(folder, 'ann'), newKey(folder, 'eve')];
    const signers = [`ann ${ann.publicKey}`];
    const demand = ['cutover', 'chat', '--check', '--require-signature', '--format', 'json'];
    const check = () => run(folder, ...demand, '--approvals-from', 'people');
    await succeeded(run(folder, 'cutover', 'chat', '--certificate'));
    await expectEnd(run(folder, ...demand), 5, 'signature.no-signers');
    await writeFiles(folder, {
      'people/policy.yaml': `version: 1\npolicy: { approvals: ${JSON.stringify({ signers })} }\n`,
    });
    await expectEnd(check(), 5, 'signature.missing');
    const file = join(folder, 'chat/conversion/certificate.json');
    for (const [key, namespace, code] of [
      [eve, 'chatform', 'signature.unknown-key'],
      [ann, 'chatform-plan', 'cutover.bad-signature'],
    ] as const) {
      signFile(file, key, namespace);
      await expectEnd(check(), 6, code);
    }
    signFile(file, ann, 'chatform');
    const { exit, stdout } = await check();
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ signature: 'verified', signer: { by: 'ann', key: ann.fingerprint } });
  });

  test.each([
    ['fails', 'echo wrong passphrase >&2; exit 3', 'failed: wrong passphrase'],
    ['prints nothing', 'cat > /dev/null', 'printed no signature'],
    ['does not exist', 'no-such-signer', 'failed: '],
    ['would print the token', 'test -z "$CHATFORM_API_TOKEN" && exit 1; env', 'failed.'],
  ])('is not written if the signer %s', async (_title, command, message) => {
    const folder = await decided();
    await expectEnd(run(folder, 'cutover', 'chat', '--certificate', '--sign-command', command), 1, message);
    await expect(certificateIn(folder)).rejects.toThrow('ENOENT');
  });
});
