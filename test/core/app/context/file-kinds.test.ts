// Tests that no command replaces a file of another kind, and that each replaces its own.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allCommands } from '../../../../src/cli/commands/index.ts';
import { longName } from '../../../../src/cli/flags/flag-names.ts';
import type { FileKind } from '../../../../src/core/app/context/file-kinds.ts';
import { demandReplaceable } from '../../../../src/core/app/context/output-files.ts';
import { desk } from '../../../support/desk.ts';
import { connected, type Place } from '../../../support/place.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const tests = 'tests:\n  - name: t\n    expect: { counts: {} }\n';

/** One file of each kind that a desk writes. */
const written: Readonly<Partial<Record<FileKind, string>>> = {
  plan: 'plan.chatform',
  'plan-json': 'plan.json',
  'plan-markdown': 'plan.md',
  'plan-html': 'plan.html',
  'plan-sarif': 'plan.sarif',
  'plan-github': 'plan.github',
  'plan-human': 'plan.txt',
  report: 'report.json',
  'report-html': 'report.html',
  verification: 'verified.json',
  'verification-markdown': 'verified.md',
  'verification-html': 'verified.html',
  events: 'events.ndjson',
  'state-copy': 'copy.ndjson',
  junit: 'tests.xml',
};

async function withFiles(): Promise<Awaited<ReturnType<typeof connected>>> {
  const all = await connected({ ...desk, 'desk.test.yaml': tests });
  const { at } = all;
  const views = 'json=plan.json markdown=plan.md html=plan.html sarif=plan.sarif github=plan.github human=plan.txt';
  await at.does(`plan --out plan.chatform --write ${views}`);
  await at.does('test --junit tests.xml');
  await at.does('apply --auto-approve --report report.json --events events.ndjson');
  await at.does('apply --auto-approve --report report.html');
  await at.does('verify --report verified.json verified.md verified.html');
  await at.does('state pull copy.ndjson');
  return all;
}

/** What the kinds that no desk writes begin with. */
const others: Readonly<Partial<Record<FileKind, string>>> = {
  certificate:
    '{\n  "format_version": "1.0",\n  "chatform": "0.3.0",\n  "written_at": "2026-01-01T00:00:00Z",\n  "by": {\n    "user": "ann"\n  },\n  "totals": {}\n}\n',
  'certificate-markdown': '# Certificate of a migration\n\n**All**\n',
  'certificate-html': '<!doctype html>\n<html lang="en">\n<title>chatform certificate: x</title>\n',
  behaviours:
    '{\n  "format_version": "1.0",\n  "application": "x",\n  "date": "2026-01-01",\n  "chatform": "0.3.0",\n  "behaviours": {}\n}\n',
  tokens: '{"user_id":"alice","field":"access_token","value":"t"}\n',
};

describe('a file', () => {
  test('of each kind is replaced by its own kind alone', async () => {
    const { at } = await withFiles();
    const samples = await Promise.all(
      Object.entries(written).map(async ([kind, file]) => [kind, await readFile(at.path(file))] as const),
    );
    const all = [...samples, ...Object.entries(others).map(([kind, text]) => [kind, Buffer.from(text)] as const)];
    const kinds = all.map(([kind]) => kind as FileKind);
    const wrong: string[] = [];
    const cwd = await temporaryFolder({});
    for (const [kind, content] of all) {
      await writeFile(join(cwd, 'file'), content);
      for (const other of kinds) {
        const isReplaced = await demandReplaceable(other, cwd, 'file').then(
          () => true,
          () => false,
        );
        if (isReplaced !== (other === kind)) wrong.push(`${kind} by ${other}: ${String(isReplaced)}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test.for([
    ['notes of somebody', 'plan', false],
    ['notes of somebody', 'plan-markdown', false],
    ['notes of somebody', 'plan-human', true],
    ['a\u0000b', 'plan-human', false],
    ['', 'plan', true],
    ['{"a": 1}', 'report', false],
    ['{\n  "each": [\n    {\n      "folder": "a",\n      "result": null\n    }\n  ]\n}\n', 'report', true],
    ['{\n  "each": [\n    {\n      "folder": "a",\n      "result": null\n    }\n  ]\n}\n', 'behaviours', false],
  ] as const)('with %j is replaced by %s: %s', async ([content, kind, isReplaced]) => {
    const cwd = await temporaryFolder({ file: content });
    const demanded = demandReplaceable(kind, cwd, 'file');
    await (isReplaced ? demanded : expect(demanded).rejects.toMatchObject({ code: 'file.other-kind', exitCode: 64 }));
  });

  test.for([
    'Refused by 1,234 rules · chatform plan: x',
    'Drift of 1,234 objects · chatform drift: x',
    'Application not known · chatform plan: x',
    'chatform plan: x',
  ])('with the title "%s" is the page of a plan', async (title) => {
    const cwd = await temporaryFolder({ file: `<!doctype html>\n<html lang="en">\n<title>${title}</title>\n` });
    await demandReplaceable('plan-html', cwd, 'file');
    await expect(demandReplaceable('report-html', cwd, 'file')).rejects.toMatchObject({ code: 'file.other-kind' });
  });

  test('of each view is replaced the next night', async () => {
    const { at, call } = await connected(desk);
    await at.does('apply --auto-approve');
    for (const name of ['Elsewhere', 'Elsewhere again']) {
      await at.does('verify --report verified.json verified.md verified.html');
      await at.does('state html state.html');
      await call('PUT', '/users/alice', { nickname: name });
      for (const view of ['json', 'markdown', 'html', 'sarif', 'github', 'human'])
        await at.does(`drift --write ${view}=drift.${view}`);
    }
    expect(await at.read('drift.html')).toContain('<title>Drift of 1 object · chatform drift: ');
  });

  test('that people write is not replaced by text', async () => {
    const cwd = await temporaryFolder(desk);
    await expect(demandReplaceable('plan-human', cwd, 'chat.yaml')).rejects.toMatchObject({ exitCode: 64 });
  });

  test('that is a stream, a folder or absent is left to the writer', async () => {
    const cwd = await temporaryFolder({ 'folder/file': 'x' });
    for (const file of ['/dev/null', '/dev/stdout', 'folder', 'absent', 'absent/file'])
      await demandReplaceable('plan', cwd, file);
  });
});

const commands: readonly (readonly [command: string, file: keyof typeof written])[] = [
  ['plan --refresh --out FILE', 'plan-markdown'],
  ['plan --refresh --write markdown=FILE', 'plan'],
  ['show plan.chatform --write html=FILE', 'report-html'],
  ['apply --auto-approve --report FILE', 'verification'],
  ['apply --auto-approve --events FILE', 'report'],
  ['apply --auto-approve --tokens-out FILE', 'events'],
  ['apply --auto-approve --verify --migration-report FILE', 'report'],
  ['undo --out FILE', 'state-copy'],
  ['drift --repair harmless --out FILE', 'plan-json'],
  ['drift --write html=FILE', 'verification-html'],
  ['rehearse --report FILE', 'plan-json'],
  ['rehearse --events FILE', 'state-copy'],
  ['destroy --report FILE', 'plan-json'],
  ['verify --report FILE', 'report'],
  ['calibrate --auto-approve --out FILE', 'plan'],
  ['state pull FILE', 'plan'],
  ['state pull --out FILE', 'plan'],
  ['test --junit FILE', 'plan-markdown'],
  ['plan --each . --write json=FILE', 'report'],
  ['apply --auto-approve --each . --report FILE', 'plan-json'],
];

describe('a command', () => {
  test('refuses a file of another kind before its first request', async () => {
    const { at, running } = await withFiles();
    const before = await at.content();
    const requests = sent(running.stats.requests);
    for (const [command, kind] of commands) {
      const file = written[kind] ?? '';
      const name = endingFor(command, file);
      await copyTo(at, file, name);
      const says = [`${name} is `, 'It would be replaced by', 'Nothing was done.'];
      await at.ends(command.replace('FILE', name), 64, ...says);
      expect(sent(running.stats.requests), command).toBe(requests);
    }
    const after = await at.content();
    for (const file of Object.keys(before)) expect(after[file], file).toBe(before[file]);
  });

  test('names the kind of each file that a flag has it write', async () => {
    const flags = (await allCommands()).flatMap(({ name, options }) =>
      options.filter(({ writes }) => writes !== undefined).map(({ flags: usage }) => `${name} --${longName(usage)}`),
    );
    const tested = commands.map(([command]) => command.replace(/ .*(?= --\S+ \S*FILE)|(?<=^state) pull(?= --)/u, ''));
    const untested = flags.filter((flag) => !tested.some((command) => command.startsWith(flag)));
    // These flags are the ones of apply and plan.
    expect(untested.sort()).toEqual(
      ['drift --events', 'drift --report', 'undo --events', 'undo --report', 'undo --write', 'destroy --events'].sort(),
    );
  });
});

/** Some flags select the format by the ending. */
function endingFor(command: string, file: string): string {
  return command.startsWith('verify') || command.includes('--migration') ? `x-${file}` : file;
}

async function copyTo(at: Place, file: string, name: string): Promise<void> {
  if (name !== file) await writeFile(at.path(name), await readFile(at.path(file)));
}

function sent(requests: ReadonlyMap<string, number>): number {
  return [...requests.values()].reduce((sum, count) => sum + count, 0);
}
