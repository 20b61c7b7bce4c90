// How does a live application become manifests and a state? Read whole, written, loaded again, and only then believed.
import { mkdir, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Environment } from '../cli/environment.ts';
import { type CommandInput, usage } from '../cli/flags/command.ts';
import type { JsonObject } from '../lib/json.ts';
import { Refusal } from '../model/errors.ts';
import { type ExitCode, exitCode } from '../model/exit-code.ts';
import { registry } from '../resources/index.ts';
import type { UpkeepWriter } from '../state/upkeep.ts';
import { safe, safeJson } from '../view/text.ts';
import { listOf, plural } from '../view/words.ts';
import { Blocks } from './export/blocks.ts';
import { writeApplication, writeObjects } from './export/files.ts';
import { exportMessages } from './export/messages.ts';
import { type Inventory, readApplication, withHiddenStatus } from './export/read-application.ts';
import { takeAsApplied } from './export/state.ts';
import { demandEmptyState } from './fill-state.ts';
import { loadDeclared } from './load-declared.ts';
import { temporarySpool, writeOutput } from './output-files.ts';
import { type Application, type DeclaredApplication, resolveApplication } from './session/application.ts';
import { connectToRead } from './session/connect.ts';
import { stateOf } from './session/open-state.ts';

/** Objects of a kind that stay in memory; more go to a temporary file. */
const inMemory = 10_000;
const maxShownNotes = 20;
const notesFile = 'left-out.txt';

export async function runExport(input: CommandInput, world: Environment): Promise<ExitCode> {
  const out = input.text('out');
  if (out === undefined) throw usage('No folder is given.', 'Write: chatform export --out estate');
  const isGiven = input.text('base-url') !== undefined;
  const declared = isGiven ? undefined : (await loadDeclared([], world, 'warn')).application;
  const application = resolveApplication(input, world, declared);
  const folder = resolve(world.cwd, out);
  await demandEmptyFolder(folder, out);
  if (input.flag('without-state')) {
    const written = await writeAll({ folder, application, declared }, input, world);
    tell(written, out, undefined, input, world);
    return exitCode.done;
  }
  const backend = await stateOf(input, world);
  const state = await backend.open({
    application: application.identity,
    lockTimeoutMs: input.duration('lock-timeout') ?? 0,
  });
  try {
    const advice =
      'Give another place with --state; or --without-state to write the manifests alone, and compare them with yours.';
    demandEmptyState(state, backend.name, advice);
    const written = await writeAll({ folder, application, declared }, input, world);
    await believe(out, application, state, input, world);
    tell(written, out, backend.name, input, world);
    return exitCode.done;
  } finally {
    await state.close();
  }
}

/** What begins with a dot is no manifest: .git and .chatform may be there. */
async function namesIn(folder: string): Promise<readonly string[]> {
  const found = await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  return found.filter((entry) => !entry.startsWith('.')).sort();
}

/** An export that ends early leaves whole files, and not all of them. */
function withRest({ code, exit, message, advice }: Refusal): Refusal {
  const more = `What --out holds so far is not complete: remove it before the next export, which wants an empty folder.`;
  return new Refusal(code, exit, message, `${advice} ${more}`);
}

/** Refused (6) before anything is read. */
async function demandEmptyFolder(folder: string, name: string): Promise<void> {
  const [first] = await namesIn(folder).catch((error: unknown) => {
    throw new Refusal(
      'export.occupied',
      exitCode.conflict,
      `${name} is no folder that can be read.`,
      'Nothing was changed. Give a folder that is empty or does not exist.',
      { cause: error },
    );
  });
  if (first === undefined) return;
  throw new Refusal(
    'export.occupied',
    exitCode.conflict,
    `${name} is not empty: it holds ${first}.`,
    'Nothing was read or changed. Give a folder that is empty or does not exist; an export overwrites nothing.',
  );
}

interface Target {
  readonly folder: string;
  readonly application: Application;
  /** As the manifests of the current folder declare it. */
  readonly declared: DeclaredApplication | undefined;
}

interface Written {
  readonly files: readonly string[];
  readonly counts: readonly { readonly title: string; readonly section: string; readonly count: number }[];
  readonly messages: number;
  readonly notes: readonly string[];
  readonly requests: number;
}

async function writeAll(
  { folder, application, declared }: Target,
  input: CommandInput,
  world: Environment,
): Promise<Written> {
  const { reader, close } = await connectToRead(input, world, application);
  const spool = temporarySpool(inMemory);
  try {
    world.stderr.write(`Reading the whole of ${safe(application.identity)}: a request for every hundred objects.\n`);
    const listed = await readApplication(registry, reader, spool.collect, world);
    const inventories = input.flag('hidden-status') ? await withHiddenStatus(listed, reader, world) : listed;
    const blocks = new Blocks(registry);
    await mkdir(folder, { recursive: true });
    const objects = await writeObjects(folder, inventories, registry, blocks);
    reader.demandUninterrupted();
    const archives = input.flag('messages')
      ? await exportMessages(folder, channelsAmong(inventories, blocks), blocks, reader)
      : { files: [], sources: [], messages: 0 };
    const parts = {
      application: applicationBlock(application, declared, input),
      policy: policyBlock(blocks),
      sources: [...objects.sources, ...archives.sources],
    };
    const first = await writeApplication(folder, parts, registry);
    if (blocks.notes.length > 0)
      await writeOutput(
        join(folder, notesFile),
        blocks.notes.map((note) => `${safe(note)}\n`),
      );
    return {
      files: [first, ...objects.names, ...archives.files],
      counts: inventories.map(({ kind }) => ({
        title: kind.title,
        section: kind.section,
        count: blocks.count(kind.kind),
      })),
      messages: archives.messages,
      notes: blocks.notes,
      requests: reader.requests,
    };
  } catch (error) {
    throw error instanceof Refusal && (await namesIn(folder)).length > 0 ? withRest(error) : error;
  } finally {
    spool.close();
    await close();
  }
}

/** Channels that are declared and keep their messages. */
function* channelsAmong(inventories: readonly Inventory[], blocks: Blocks) {
  for (const inventory of inventories) {
    const { kind } = inventory;
    if (kind.children?.messages === undefined) continue;
    for (const { key, attributes } of inventory) {
      if (attributes.is_ephemeral !== true && blocks.isDeclared(kind.kind, key)) yield { kind: kind.kind, key };
    }
  }
}

function applicationBlock(
  { settings }: Application,
  declared: DeclaredApplication | undefined,
  input: CommandInput,
): JsonObject {
  const ratePlan = input.text('rate-plan') ?? declared?.rate_plan;
  return {
    base_url: settings.base_url,
    ...(ratePlan === undefined ? {} : { rate_plan: ratePlan }),
    ...(Object.keys(settings.limits).length === 0 ? {} : { limits: settings.limits }),
    ...(settings.rate_share === 1 ? {} : { rate_share: settings.rate_share }),
  };
}

/** What the loader has to be told so that it takes what is there. */
function policyBlock(blocks: Blocks): JsonObject {
  const external = blocks.external();
  return {
    ...(Object.keys(external).length === 0 ? {} : { external }),
    ...(blocks.hasPersonal ? { personal_data: 'warn' } : {}),
  };
}

async function believe(
  out: string,
  application: Application,
  state: UpkeepWriter,
  input: CommandInput,
  world: Environment,
): Promise<void> {
  const manifest = await loadDeclared([out], world, 'warn');
  await takeAsApplied(manifest, application, state, input, world);
}

function tell(written: Written, out: string, place: string | undefined, input: CommandInput, world: Environment): void {
  const { files, counts, messages, notes, requests } = written;
  if (input.text('format') === 'json') {
    const objects = Object.fromEntries(counts.map(({ section, count }) => [section, count]));
    const told = { format_version: '1.0', files, objects, messages, left_out: notes, requests };
    world.stdout.write(`${safeJson(told, 2)}\n`);
    return;
  }
  for (const note of notes.slice(0, maxShownNotes)) world.stdout.write(`! ${safe(note)}\n`);
  if (notes.length > 0) {
    const more = notes.length > maxShownNotes ? `${plural(notes.length - maxShownNotes, 'more part')}. ` : '';
    world.stdout.write(`${more}All that could not be declared stands in ${safe(join(out, notesFile))}.\n`);
  }
  const held = counts.filter(({ count }) => count > 0).map(({ count, title }) => plural(count, title));
  if (messages > 0) held.push(plural(messages, 'message'));
  const what = held.length === 0 ? 'nothing is there yet' : listOf(held);
  world.stdout.write(
    `Wrote ${plural(files.length, 'file')} to ${safe(out)}: ${what}. ${plural(requests, 'request')}.\n`,
  );
  const next =
    place === undefined
      ? 'No state was written.'
      : `The state ${safe(place)} knows all of it, and the plan is empty: chatform plan ${safe(out)}`;
  world.stdout.write(`${next}\n`);
}
