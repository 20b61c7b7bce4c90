// How do existing objects come into state, without a write to the platform?
//
// The record takes what is declared as it is there now, so that the next plan shows every difference. All is read before
// anything is written: an address that cannot be taken refuses the whole command.

import type { Environment } from '../cli/environment.ts';
import { type CommandInput, usage } from '../cli/flags/command.ts';
import type { LoadedManifest } from '../manifest/load.ts';
import type { Address } from '../model/address.ts';
import { Refusal } from '../model/errors.ts';
import { type ExitCode, exitCode } from '../model/exit-code.ts';
import type { StateSnapshot } from '../model/ports.ts';
import type { StateRecord } from '../model/record.ts';
import type { Resource } from '../model/resource.ts';
import { objectRecords } from '../model/run-metadata.ts';
import { recordAsFound } from '../planner/live/existing-or-missing.ts';
import { keepOf } from '../planner/live/live-view.ts';
import { declaredAttributes, differing } from '../planner/live/observe.ts';
import type { Target } from '../planner/targets.ts';
import type { Subject } from '../refresh/subjects.ts';
import { safe, safeJson } from '../view/text.ts';
import { listOf, plural } from '../view/words.ts';
import { putRecords } from './fill-state.ts';
import { demandValid, loadDeclared } from './load-declared.ts';
import { read } from './refresh.ts';
import { resolveApplication } from './session/application.ts';
import { stateOf } from './session/open-state.ts';
import { settledState } from './session/under-lock.ts';
import { demandMatched, readTarget } from './targets.ts';

export async function runAdopt(input: CommandInput, world: Environment): Promise<ExitCode> {
  if (input.args.length === 0)
    throw usage('No address is given.', "Write: chatform adopt user.alice 'group_channel.support-*'");
  const targets = input.args.map((text) => readTarget(text, 'ADDRESS'));
  const manifest = await loadDeclared(input.list('path'), world, 'warn');
  await demandValid(manifest.diagnostics, input, world);
  const application = resolveApplication(input, world, manifest.application);
  const backend = await stateOf(input, world);
  const lockTimeoutMs = input.duration('lock-timeout') ?? 0;
  // What an interrupted run has begun may be the very object; what cannot be taken is said before anything is locked.
  choose(targets, manifest, await settledState({ input, world, backend, application, lockTimeoutMs }));
  const state = await backend.open({ application: application.identity, lockTimeoutMs });
  try {
    const subjects = choose(targets, manifest, state);
    const adopted: Adopted[] = [];
    const missing: Address[] = [];
    await read(
      () => subjects,
      application,
      input,
      world,
      (kind, { resource }, live) => {
        const observation = live.exists ? keepOf(kind, undefined, resource, live) : undefined;
        if (observation === undefined) missing.push(resource.address);
        else {
          const record = recordAsFound(kind, resource, observation);
          const differs = differing(kind, declaredAttributes(kind, resource), record.attributes);
          adopted.push({ record, differs });
        }
      },
    );
    demandThere(targets, missing);
    const records = adopted.map(({ record }) => record);
    await putRecords(records, 'adopt', state);
    tell(adopted, missing, input, world);
    return exitCode.done;
  } finally {
    await state.close();
  }
}

interface Adopted {
  readonly record: StateRecord;
  /** Names of attributes in which it differs from what is declared. */
  readonly differs: readonly string[];
}

interface Candidate extends Subject {
  readonly resource: Resource;
}

/**
 * The declared objects that are meant and are not in state, in order. Refused when an address by itself is declared
 * nowhere (64) or in state already (6); a pattern means those that can be taken.
 */
function choose(targets: readonly Target[], manifest: LoadedManifest, state: StateSnapshot): Candidate[] {
  const unmatched = new Set(targets);
  const known: Address[] = [];
  const candidates: Candidate[] = [];
  for (const resource of manifest.resources) {
    const { address, attributes } = resource;
    const meant = targets.filter((target) => target.matches(address));
    if (meant.length === 0) continue;
    for (const target of meant) unmatched.delete(target);
    if (state.get(address) === undefined) {
      candidates.push({ address, isKnown: true, wants: (name) => attributes[name] !== undefined, resource });
    } else if (meant.some(({ text }) => text === address)) known.push(address);
  }
  refuseUndeclared([...unmatched], manifest, state);
  if (known.length > 0) {
    throw new Refusal(
      'adopt.known',
      exitCode.conflict,
      `${listed(known)} ${known.length === 1 ? 'is' : 'are'} in state already.`,
      'Nothing was changed. chatform plan shows what is to do; chatform plan --refresh also what differs on the platform.',
    );
  }
  return candidates;
}

function refuseUndeclared(unmatched: readonly Target[], manifest: LoadedManifest, state: StateSnapshot): void {
  const inState = new Set(Array.from(objectRecords(state.records()), ({ address }) => address as string));
  const undeclared = unmatched.filter(({ text }) => inState.has(text)).map(({ text }) => text);
  if (undeclared.length > 0) {
    throw usage(
      `${listed(undeclared)} is in state already, and declared no more.`,
      'Nothing was changed. chatform plan shows what becomes of it.',
    );
  }
  demandMatched(
    unmatched.map(({ text }) => text),
    'ADDRESS',
    [manifest.resources],
  );
}

/** An address that was named by itself has to be there. */
function demandThere(targets: readonly Target[], missing: readonly Address[]): void {
  const named = missing.filter((address) => targets.some(({ text }) => text === address));
  if (named.length === 0) return;
  throw new Refusal(
    'adopt.missing',
    exitCode.conflict,
    `${listed(named)} ${named.length === 1 ? 'is' : 'are'} not on the platform.`,
    'Nothing was changed. Check the key and the application; what is not there is created by chatform apply.',
  );
}

function tell(adopted: readonly Adopted[], missing: readonly Address[], input: CommandInput, world: Environment): void {
  const differing = adopted.filter(({ differs }) => differs.length > 0);
  if (input.text('format') === 'json') {
    const objects = adopted.map(({ record: { address }, differs }) => ({ address, differs }));
    world.stdout.write(`${safeJson({ format_version: '1.0', adopted: objects, missing }, 2)}\n`);
    return;
  }
  for (const { record, differs } of adopted) {
    const how = differs.length === 0 ? 'as declared' : `differs in ${listOf(differs)}`;
    world.stdout.write(`= ${safe(record.address)}  ${how}\n`);
  }
  for (const address of missing) world.stdout.write(`  ${safe(address)}  is not on the platform\n`);
  const rest =
    differing.length === 0 ? '' : ` The next plan shows what is to change of ${plural(differing.length, 'object')}.`;
  world.stdout.write(`${plural(adopted.length, 'object')} taken into state.${rest}\n`);
}

const maxNamed = 10;

function listed(addresses: readonly string[]): string {
  const more = addresses.length - maxNamed;
  return more > 0 ? `${addresses.slice(0, maxNamed).join(', ')} and ${more} more` : listOf(addresses);
}
