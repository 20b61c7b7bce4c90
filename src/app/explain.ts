// What is there to say of one object? Plans everything, since its steps wait for others, and looks at one address.

import type { Environment } from '../cli/environment.ts';
import { type CommandInput, usage } from '../cli/flags/command.ts';
import { viewOptions } from '../cli/flags/view-options.ts';
import { type Address, kindOf, parseAddress } from '../model/address.ts';
import type { ExitCode } from '../model/exit-code.ts';
import { exitCode } from '../model/exit-code.ts';
import type { StateRecord } from '../model/record.ts';
import type { Resource } from '../model/resource.ts';
import { explainObject } from '../planner/explain.ts';
import { registry } from '../resources/index.ts';
import { explanationForPeople } from '../view/terminal/explanation.ts';
import { safeJson } from '../view/text.ts';
import { inDoubt } from './in-doubt.ts';
import { demandValid, loadDeclared } from './load-declared.ts';
import { planManifests, todayOf } from './plan-manifests.ts';
import { resolveApplication } from './session/application.ts';
import { stateOf } from './session/open-state.ts';
import { demandMatched } from './targets.ts';

export async function runExplain(input: CommandInput, world: Environment): Promise<ExitCode> {
  const address = readAddress(input);
  const manifest = await loadDeclared(input.list('path'), world, 'warn');
  await demandValid(manifest.diagnostics, input, world);
  const application = resolveApplication(input, world, manifest.application);
  const state = await (await stateOf(input, world)).read(application.identity);
  const resource = find(manifest.resources, address);
  const record = state.get(address);
  const kind = registry.find((one) => one.kind === kindOf(address));
  if (kind === undefined || (resource === undefined && record === undefined)) {
    demandMatched([address], 'ADDRESS', [manifest.resources, state.records()]);
    return exitCode.usage;
  }
  const seen = input.flag('refresh')
    ? await (await import('./refresh.ts')).lookAt({ resource, record }, application, input, world)
    : undefined;
  // What is explained is not applied, so nothing is refused for what is missing elsewhere.
  const { plan, problems, refusals } = planManifests(
    manifest,
    application,
    state,
    input,
    world,
    todayOf(world),
    true,
    seen?.live,
  );
  const explanation = explainObject({
    address,
    kind,
    resource,
    record,
    removed: manifest.removed,
    policy: manifest.policy,
    plan,
    ...(seen?.object === undefined ? {} : { found: seen.object }),
    diagnostics: [...problems, ...refusals, ...inDoubt(state.pending, address)],
  });
  if (input.text('format') === 'json') world.stdout.write(`${safeJson(explanation, 2)}\n`);
  else {
    for (const text of explanationForPeople(explanation, viewOptions(input, world, world.stdout))) {
      world.stdout.write(text);
    }
  }
  return exitCode.done;
}

function readAddress(input: CommandInput): Address {
  const [text = ''] = input.args;
  const address = parseAddress(text);
  if (address !== undefined) return address;
  throw usage(`"${text}" is no address.`, 'Write it as kind.key: chatform explain group_channel.support-42.');
}

function find(resources: Iterable<Resource>, address: StateRecord['address']): Resource | undefined {
  for (const resource of resources) if (resource.address === address) return resource;
  return undefined;
}
