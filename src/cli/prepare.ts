// How does a command come to a plan? Manifests and state in, plan out: the same for `plan` and for `apply`.

import type { LoadedManifest } from '../manifest/load.ts';
import { type Address, parseAddress } from '../model/address.ts';
import type { StateSnapshot } from '../model/ports.ts';
import { makePlan, type Planned } from '../planner/plan.ts';
import { limitsOf } from '../platform/limits.ts';
import { registry } from '../resources/index.ts';
import type { Application } from './application.ts';
import { type CommandInput, usage } from './command.ts';
import type { World } from './world.ts';

export function planManifests(
  manifest: LoadedManifest,
  application: Application,
  state: StateSnapshot,
  input: CommandInput,
  world: World,
): Planned {
  const targets = input.list('target').map(readTarget);
  const lineage = state.header?.lineage;
  return makePlan({
    kinds: registry,
    resources: manifest.resources,
    removed: manifest.removed,
    records: [...state.records()],
    policy: manifest.policy,
    application: application.identity,
    settings: application.settings,
    ...(lineage === undefined ? {} : { lineage }),
    limitsOf: limitsOf(application.rates),
    today: world.clock.date().toISOString().slice(0, 10),
    ...(targets.length === 0 ? {} : { targets }),
  });
}

function readTarget(text: string): Address {
  const address = parseAddress(text);
  if (address !== undefined) return address;
  throw usage(`--target "${text}" is no address.`, 'Write it as kind.key: user.alice, group_channel.support-42.');
}
