// Tests that a file of a newer format is refused by name, version and advice, for every format that chatform reads.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { withDigest } from '../../../src/core/state/engine/layout.ts';
import { digestText } from '../../../src/lib/digest.ts';
import { Place } from '../../support/place.ts';
import { editPlan } from '../../support/plan-files.ts';
import { copiesOf } from '../../support/temporary-folder.ts';

const slackExport = {
  'export/users.json': '[{"id":"U1","name":"ann"}]',
  'export/channels.json': '[{"id":"C1","name":"all","members":["U1"]}]',
  'export/all/2024-01-01.json': '[{"type":"message","user":"U1","text":"hi","ts":"1704096000.000100"}]',
};
const manifest = 'version: 1\napplication: { base_url: "emulator:data" }\nusers: { alice: { nickname: Alice } }\n';

/** A folder with one file of most formats. */
const folderOfAll = copiesOf(async (folder) => {
  const at = new Place(folder);
  await at.write({ ...slackExport, 'chat.yaml': manifest, 'mapping.yaml': 'version: 2\ntables: {}\n' });
  await at.does('plan chat.yaml --out plan.chatform');
  await at.does('apply chat.yaml --auto-approve --report report.json');
  await at.does('verify chat.yaml --report verification.json');
  await at.does('state pull copy.ndjson');
  await at.does('convert slack export --out-dir chat');
});

/** Replaces the version in the text of the file. */
function edited(file: string, from: string, to: string): (at: Place) => Promise<void> {
  return async (at) => {
    const text = await readFile(at.path(file), 'utf8');
    expect(text).toContain(from);
    await writeFile(at.path(file), text.replace(from, to));
  };
}

/** Replaces the version of a document, which need not have another key of the old format. */
function document(file: string): (at: Place) => Promise<void> {
  return (at) => at.write({ [file]: '{"format_version":"2.0"}\n' });
}

async function headOf2(at: Place): Promise<void> {
  const [head = ''] = (await readdir(at.path('.chatform/state'))).filter((name) => name.startsWith('head_'));
  const [line = ''] = (await at.read(`.chatform/state/${head}`)).split('\n');
  const newer = Buffer.from(`${line.replace('chatform-state/1', 'chatform-state/2')}\n`);
  await writeFile(at.path('.chatform/state', head), withDigest([newer], 'head/0000000001'));
}

async function sealedHeadOf2(at: Place): Promise<void> {
  const names = await readdir(at.path('.chatform/state'));
  for (const name of names)
    await writeFile(at.path('.chatform/state', name), '{"format":"chatform-state/sealed-2"}\n?');
}

const program = /version of chatform|[Rr]un that version|calibrate again|expected 1,|Start the emulator that wrote/u;
const reads = 'this version of chatform reads 1.0';

test.for<{
  format: string;
  make: (at: Place) => Promise<void>;
  command: string;
  exit: number;
  says: readonly string[];
  env?: Readonly<Record<string, string>>;
}>([
  {
    format: 'a manifest',
    make: edited('chat.yaml', 'version: 1', 'version: 2'),
    command: 'plan chat.yaml',
    exit: 65,
    says: ['chat.yaml:1:10', 'version: expected 1, received the number 2'],
  },
  {
    format: 'a mapping',
    make: async () => {},
    command: 'convert table export/users.json --out-dir other --mapping mapping.yaml',
    exit: 65,
    says: ['mapping.yaml:1:10', 'version: expected 1, received the number 2'],
  },
  {
    format: 'a saved plan',
    make: (at) => at.write({ 'plan.chatform': 'chatform plan 2.0\nx' }),
    command: 'apply plan.chatform --auto-approve',
    exit: 6,
    says: ['plan.chatform has the plan format 2.0', reads],
  },
  {
    format: 'a plan in a saved plan',
    make: (at) =>
      editPlan(at.path('plan.chatform'), (text) => text.replace('"format_version":"1.0"', '"format_version":"2.0"')),
    command: 'show plan.chatform',
    exit: 6,
    says: ['plan.chatform has the plan format 2.0', reads],
  },
  {
    format: 'the report of a run',
    make: edited('report.json', '"format_version": "1.0"', '"format_version": "2.0"'),
    command: 'show report.json',
    exit: 6,
    says: ['report.json has the format 2.0', reads],
  },
  {
    format: 'the report of a verification',
    make: edited('verification.json', '"format_version": "1.0"', '"format_version": "2.0"'),
    command: 'show verification.json',
    exit: 6,
    says: ['verification.json has the format 2.0', reads],
  },
  {
    format: 'a state',
    make: headOf2,
    command: 'state list chat.yaml',
    exit: 1,
    says: ['The state file:.chatform/state has the format "chatform-state/2"'],
  },
  ...[{}, { CHATFORM_STATE_KEY: 'a key that is long enough' }].map((env) => ({
    format: `an encrypted state (${Object.keys(env).join('') || 'no key'})`,
    make: sealedHeadOf2,
    command: 'state list chat.yaml',
    exit: 1,
    says: ['has the format "chatform-state/sealed-2"'],
    env,
  })),
  {
    format: 'a copy of a state',
    make: edited('copy.ndjson', 'chatform-state/1', 'chatform-state/2'),
    command: 'state push copy.ndjson --state file:elsewhere',
    exit: 1,
    says: ['copy.ndjson has the format "chatform-state/2"'],
  },
  {
    format: 'the behaviour of a platform',
    make: document('chatform-behaviours.json'),
    command: 'emulator --port 0 --behaviours chatform-behaviours.json',
    exit: 65,
    says: ['chatform-behaviours.json', 'format_version: expected 1.0, received the text "2.0"'],
  },
  {
    format: 'the data of an emulator',
    make: edited('data', '"version":1', '"version":2'),
    command: 'plan chat.yaml --refresh',
    exit: 1,
    says: ['data has the format 2', 'this emulator reads 1'],
  },
  {
    format: 'decisions about a conversion',
    make: edited('chat/conversion/decisions.yaml', 'format_version: 1', 'format_version: 2'),
    command: 'convert slack export --out-dir chat',
    exit: 65,
    says: ['decisions.yaml', 'format_version must be 1, the format that this version of chatform reads'],
  },
  {
    format: 'the list of generated files',
    make: document('chat/conversion/generated.json'),
    command: 'convert slack export --out-dir chat',
    exit: 5,
    says: ['conversion/generated.json', 'has the format 2.0, not 1.0'],
  },
  {
    format: 'an unfinished replacement of generated files',
    make: (at) => at.write({ 'chat/conversion/.commit.json': '{"index":{"format_version":"2.0"}}' }),
    command: 'convert slack export --out-dir chat',
    exit: 5,
    says: ['conversion/.commit.json', 'has the format 2.0, not 1.0'],
  },
  {
    format: 'the times that exports cover',
    make: async (at: Place) => {
      const [index, file] = ['chat/conversion/generated.json', 'chat/conversion/coverage.json'];
      const before = await at.readJson(index);
      const text = '{"format_version":"2.0"}\n';
      before.files['conversion/coverage.json'] = digestText(text);
      await at.write({ [file]: text, [index]: JSON.stringify(before) });
    },
    command: 'convert slack export --out-dir chat',
    exit: 6,
    says: ['conversion/coverage.json has the format 2.0', reads],
  },
  ...['series.ndjson', 'verification.json', 'generated.json'].map((file) => ({
    format: `conversion/${file}, for a certificate`,
    make: document(`chat/conversion/${file}`),
    command: 'cutover chat --base-url emulator:data',
    exit: 6,
    says: [`conversion/${file} has the format 2.0`, reads],
  })),
  {
    format: 'a certificate',
    make: document('chat/conversion/certificate.json'),
    command: 'cutover chat --check',
    exit: 6,
    says: ['conversion/certificate.json has the format 2.0', reads],
  },
])('a newer format is refused by name: $format', async ({ make, command, exit, says, env = {} }) => {
  const at = new Place(await folderOfAll(), { env });
  await make(at);
  await at.ends(command, exit, ...says, program);
});
