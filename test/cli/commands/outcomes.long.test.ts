// Tests that each command has one outcome for each value that others edited: it differs, or the command names the one reason why it
// did not compare the value. Again with the values left out of answers, and above `policy.read_each`.
import { expect, test } from 'vitest';
import { comparedFields } from '../../../src/core/history/comparing/compared-fields.ts';
import { isReadEach } from '../../../src/core/kinds/definition/attribute-table.ts';
import { type AccessExplanation, rights } from '../../../src/core/model/access/access.ts';
import type { MigrationReport } from '../../../src/core/model/migration-report.ts';
import type { PeopleSection } from '../../../src/core/model/people/effects.ts';
import { equalJson, type JsonObject } from '../../../src/lib/json.ts';
import { hiddenFields, lineValues } from '../../support/line-rows.ts';
import type { Command, Place } from '../../support/place.ts';
import { editedEstate, isListedApart, type Row, rows } from './support/edited-estate.ts';
import { editedHistory, type LineRow, lineRows } from './support/edited-history.ts';

interface Outcome {
  readonly differs: boolean;
  /** The reasons why the value was not compared as a whole. */
  readonly whys: readonly string[];
}

interface Variant {
  readonly title: string;
  readonly isLeftOut: boolean;
  readonly readEach: number;
}

const variants: readonly Variant[] = [
  { title: 'as answered', isLeftOut: false, readEach: 1000 },
  { title: 'left out of answers', isLeftOut: true, readEach: 1000 },
  { title: 'above read_each', isLeftOut: false, readEach: 0 },
];

/** `isNew`: the state did not have the object, so it keeps no answer that another image or token could be told from. */
function expected({ definition, ...row }: Row, { isLeftOut, readEach }: Variant, isNew: boolean): Outcome {
  const { shown } = definition;
  if (shown.as === 'not') return { differs: false, whys: shown.why === 'rule' ? [] : [shown.why] };
  if (isReadEach(definition) && readEach === 0) return { differs: false, whys: ['read_each'] };
  if (isLeftOut && !isListedApart({ definition, ...row })) return { differs: false, whys: ['omitted'] };
  if (shown.as === 'compared') return { differs: true, whys: [] };
  return { differs: !isNew || !shown.proves.startsWith('same_'), whys: ['in_part'] };
}

interface NotComparedEntry {
  readonly kind: string;
  readonly attribute: string;
  readonly why: string;
}

function whysOf({ kind, name }: Row, entries: readonly NotComparedEntry[]): string[] {
  return entries.filter((entry) => entry.kind === kind.name && entry.attribute === name).map(({ why }) => why);
}

interface PlanDocument {
  readonly drift: readonly { readonly address: string; readonly attributes: readonly { readonly path: string }[] }[];
  readonly refreshed: { readonly not_compared: readonly NotComparedEntry[] };
}

function outcomeInPlan({ drift, refreshed }: PlanDocument, row: Row): Outcome {
  const changed = drift.filter(({ address }) => address === row.address).flatMap(({ attributes }) => attributes);
  return {
    differs: changed.some(({ path }) => path.split('.')[0] === row.name),
    whys: whysOf(row, refreshed.not_compared),
  };
}

interface AdoptionDocument {
  readonly adopted: readonly {
    readonly address: string;
    readonly differs: readonly string[];
    readonly not_compared: readonly NotComparedEntry[];
  }[];
}

function outcomeInAdoption({ adopted }: AdoptionDocument, row: Row): Outcome {
  const object = adopted.find(({ address }) => address === row.address);
  return { differs: object?.differs.includes(row.name) === true, whys: whysOf(row, object?.not_compared ?? []) };
}

type Records = ReadonlyMap<string, JsonObject>;

/** The attributes of the records of a state, by address. */
async function recordsOf(at: Place, state: string): Promise<Records> {
  const file = `copy-of-${state.replace(/\W/gu, '-')}.ndjson`;
  await at.does(['state', 'pull', file, '--state', `file:${state}`]);
  const lines = (await at.read(file)).trim().split('\n');
  return new Map(
    lines.map((line) => {
      const { address = '', attributes = {} } = JSON.parse(line) as { address?: string; attributes?: JsonObject };
      return [address, attributes];
    }),
  );
}

/** All rows with their outcomes, so that one comparison shows all that are wrong. */
function table(outcomeOf: (row: Row) => Outcome): Readonly<Record<string, string>> {
  const lines = rows.map((row): [string, string] => {
    const { differs, whys } = outcomeOf(row);
    return [`${row.kind.name}.${row.name}`, [differs ? 'differs' : 'alike', ...whys].join(' ')];
  });
  return Object.fromEntries(lines);
}

/** Rows about which a view is silent although their value differs, or was not compared. */
function silences(view: string, expectedOf: (row: Row) => Outcome): string[] {
  const inOneLine = view.replaceAll(/\s+/gu, ' ');
  const wrong = rows.filter((row) => {
    const { differs, whys } = expectedOf(row);
    const texts = [...(differs ? [row.address] : []), ...(differs || whys.length > 0 ? [row.name] : [])];
    return !texts.every((text) => inOneLine.includes(text));
  });
  return wrong.map(({ address }) => address);
}

test('each command has the one outcome for each value, in each view', async () => {
  const { at, answer, setReadEach } = await editedEstate();
  const targets = rows.flatMap(({ address }) => ['--target', address]);
  for (const variant of variants) {
    const { title, isLeftOut, readEach } = variant;
    const expectedOf = (row: Row) => expected(row, variant, false);
    await setReadEach(readEach);
    answer(isLeftOut);
    for (const command of [['drift'], ['plan', '--refresh']]) {
      for (const scope of [[], targets]) {
        const name = `${command.join(' ')}${scope.length === 0 ? '' : ' --target'}, ${title}`;
        const document = await at.json([...command, ...scope, '--detailed-exitcode'], 2);
        expect(
          table((row) => outcomeInPlan(document, row)),
          name,
        ).toEqual(table(expectedOf));
      }
      for (const format of ['human', 'markdown', 'html']) {
        const { stdout } = await at.does([...command, '--format', format]);
        expect(silences(stdout, expectedOf), `${command.join(' ')} --format ${format}, ${title}`).toEqual([]);
      }
    }
  }
});

/** How a document says that it is about a part only. */
const partial = {
  drift: 'The command read only the objects that --target names and those that they need.',
  'plan --refresh': 'The plan contains only the objects that --target names and those that they need.',
};

test.for(variants)('a command with --target is silent about kinds that it did not read, $title', async (variant) => {
  const { at, answer, setReadEach } = await editedEstate();
  await setReadEach(variant.readEach);
  answer(variant.isLeftOut);
  for (const kind of new Set(rows.map((row) => row.kind))) {
    const targets = rows.filter((row) => row.kind === kind).flatMap(({ address }) => ['--target', address]);
    const expectedOf = (row: Row): Outcome =>
      row.kind === kind ? expected(row, variant, false) : { differs: false, whys: [] };
    for (const [command, says] of Object.entries(partial)) {
      const name = `${command} --target ${kind.name}.*, ${variant.title}`;
      const document = await at.json([...command.split(' '), ...targets]);
      expect(
        table((row) => outcomeInPlan(document, row)),
        name,
      ).toEqual(table(expectedOf));
      const { warnings } = document as { warnings: readonly { code: string; detail: string }[] };
      expect(
        warnings.filter(({ code }) => code === 'plan.partial').map(({ detail }) => detail),
        name,
      ).toEqual([expect.stringContaining(says)]);
      for (const format of ['human', 'markdown', 'html']) {
        const { stdout } = await at.does([...command.split(' '), ...targets, '--format', format]);
        expect(silences(stdout, expectedOf), `${name} --format ${format}`).toEqual([]);
        const others = rows.filter((row) => row.kind !== kind && stdout.includes(row.address));
        expect(
          others.map(({ address }) => address),
          `${name} --format ${format}`,
        ).toEqual([]);
        expect(stdout.replaceAll(/\s+/gu, ' '), `${name} --format ${format}`).toContain(says);
      }
    }
  }
});

test.for(variants)('objects that are taken into state have the one outcome for each value, $title', async (variant) => {
  const { at, answer, setReadEach } = await editedEstate();
  const applied = await recordsOf(at, '.chatform/state');
  const expectedOf = (row: Row) => expected(row, variant, true);
  await setReadEach(variant.readEach);
  answer(variant.isLeftOut);
  const inState = async (state: string) => {
    const records = await recordsOf(at, state);
    const valueIn = (from: Records, { address, name }: Row) => from.get(address)?.[name] ?? null;
    return (row: Row) => !equalJson(valueIn(records, row), valueIn(applied, row));
  };
  const take = (command: Command, state: string) => at.does([...command, '--state', `file:${state}`]);

  const adoption = await at.json(['adopt', '*.*', '--state', 'file:adopted']);
  expect(table((row) => outcomeInAdoption(adoption, row))).toEqual(table(expectedOf));
  const isAdoptedOtherwise = await inState('adopted');
  expect(table((row) => ({ ...expectedOf(row), differs: isAdoptedOtherwise(row) }))).toEqual(table(expectedOf));
  expect(silences((await take(['adopt', '*.*'], 'adopted-again')).stdout, expectedOf)).toEqual([]);

  const { not_compared } = await at.json('state rebuild --state file:rebuilt');
  const isRebuiltOtherwise = await inState('rebuilt');
  const rebuiltOf = (row: Row) => ({ differs: isRebuiltOtherwise(row), whys: whysOf(row, not_compared) });
  expect(table(rebuiltOf)).toEqual(table(expectedOf));
  // A rebuild counts what differs, and names what it did not compare.
  const { stdout } = await take(['state', 'rebuild'], 'rebuilt-again');
  expect(silences(stdout, (row) => ({ ...expectedOf(row), differs: false }))).toEqual([]);
});

/** Fields that every message has, so that a message without them has an empty one. */
const emptyIfLeftOut = ['data', 'custom_field', 'custom_type'];
/** The channel shows which messages are pinned. */
const listedByChannel = ['pinned'];

function expectedOfLine({ field }: LineRow, isLeftOut: boolean): string {
  if (comparedFields[field] === 'identifying') return 'another message';
  const isShown = !isLeftOut || emptyIfLeftOut.includes(field) || listedByChannel.includes(field);
  if (isShown && !hiddenFields.includes(field)) return 'differs';
  // `false` declares nothing, as a message without the field shows nothing.
  return lineValues[field]?.[1] === false ? 'alike' : 'alike not_shown';
}

test.for([false, true])(
  'verify has the one outcome for each value of a history file, left out: %s',
  async (isLeftOut) => {
    const { at, answer } = await editedHistory();
    answer(isLeftOut);
    const { channels } = (await at.json('verify --all', 4)) as MigrationReport;
    const found = lineRows.map(({ channel, field }): [string, string] => {
      const figures = channels.find(({ channel_url }) => channel_url === channel);
      if (figures === undefined) return [channel, 'not named'];
      const { missing, moved, altered_fields: altered, not_compared } = figures;
      if (missing + moved > 0) return [channel, 'another message'];
      const whys = not_compared.filter((entry) => entry.field === field).map(({ why }) => why);
      return [channel, [altered[field] === undefined ? 'alike' : 'differs', ...whys].join(' ')];
    });
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(lineRows.map((row) => [row.channel, expectedOfLine(row, isLeftOut)])),
    );
    const { stdout } = await at.ends('verify --all', 4);
    const view = stdout.replaceAll(/\s+/gu, ' ');
    expect(lineRows.filter(({ field }) => comparedFields[field] !== 'identifying' && !view.includes(field))).toEqual(
      [],
    );
  },
);

const rightsOf: ReadonlySet<string> = new Set(['connect', 'enter', 'read', 'write', 'moderate']);
/** Only People has these: a person who has not joined has no right yet. */
const entering: ReadonlySet<string> = new Set(['newly_enter', 'no_longer_enter']);

/** The rows about rights of users and in channels that an edit can change. */
const rightsRows = rows.filter(
  ({ kind, definition: { people, change } }) =>
    ['user', 'open_channel', 'group_channel'].includes(kind.name) &&
    people.some((effect) => rightsOf.has(effect)) &&
    (change === 'mutable' || change === 'closed'),
);

/** Whether a right of anybody differs after the apply. */
function isAnyChanged({ entries, everybody }: AccessExplanation): boolean {
  return [...entries, ...(everybody === undefined ? [] : [everybody])].some(({ now, planned }) =>
    rights.some((right) => now[right].verdict !== planned[right].verdict),
  );
}

test('explain --access and the section People agree about each edit of a value about rights', async () => {
  const { at, declare } = await editedEstate();
  const found: string[] = [];
  for (const row of rightsRows) {
    const explained = async (): Promise<AccessExplanation> => at.json(['explain', '--access', row.address]);
    // The platform, where others edited every value, is never read.
    const before = await explained();
    expect([row.address, isAnyChanged(before)]).toEqual([row.address, false]);
    expect(before.not_known[0]).toContain('The platform is not read');
    await declare(row);
    const { people } = (await at.json('plan')) as { people?: PeopleSection };
    const effects = (people?.effects ?? []).filter(({ effect }) => !entering.has(effect));
    const isExplained = isAnyChanged(await explained());
    expect([row.address, isExplained]).toEqual([row.address, effects.length > 0]);
    if (isExplained) found.push(row.address);
  }
  expect(found.length).toBeGreaterThan(5);
});
