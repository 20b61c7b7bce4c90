// Makes a state follow its application to another address.
import { Refusal, usage } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import { countObjects } from '../../model/run-metadata.ts';
import { applicationIdentity } from '../../platform/base-url.ts';
import type { UpkeepBackend } from '../../state/upkeep.ts';
import { openState } from '../session/open-state.ts';
import { actOf } from '../trail/actor.ts';
import { withEntry } from './fill-state.ts';
import { applicationMeant, type UpkeepOptions, type UpkeepPorts } from './identity.ts';

export interface RebindStateOptions extends UpkeepOptions {
  /** A base URL, or an identity as messages print it. Default: the application of the manifests. */
  readonly to?: string | undefined;
  /** Which state, where a database holds several. */
  readonly from?: string | undefined;
}

export interface Rebinding {
  /** The name of the state. */
  readonly state: string;
  readonly from: string;
  /** The same as `from`: nothing was to do. */
  readonly to: string;
  readonly records: number;
}

/** `confirm` is shown what is going to change, and throws unless somebody says yes. */
export async function rebindState(
  options: RebindStateOptions,
  ports: UpkeepPorts,
  confirm: (rebinding: Rebinding) => Promise<void>,
): Promise<Rebinding> {
  const to = options.to === undefined ? await applicationMeant(options, ports) : identityIn(options.to);
  const backend = await openState(options, ports);
  const from = await sourceOf(backend, options.from, to);
  const records = countObjects((await backend.read(from)).records());
  const rebinding = { state: backend.name, from, to, records };
  if (from === to) return rebinding;
  await confirm(rebinding);
  const writer = await backend.open({ application: from, lockTimeoutMs: options.lockTimeoutMs ?? 0 });
  const ended = { outcome: 'done', detail: `from ${from} to ${to}` };
  await writer.replace(withEntry(writer, actOf('state rebind', ports), ended, { ...writer.header, application: to }));
  return rebinding;
}

function identityIn(text: string): string {
  return applicationIdentity(/^emulator:|:\/\//u.test(text) ? text : `https://${text}`);
}

async function sourceOf(backend: UpkeepBackend, named: string | undefined, to: string): Promise<string> {
  const there = await backend.applications();
  const [only, ...others] =
    named === undefined ? there : there.filter((from) => from === named || from === identityIn(named));
  if (only === undefined) {
    throw new Refusal(
      'state.unknown-application',
      exitCode.unexpected,
      named === undefined ? `The state ${backend.name} was never written.` : `There is no state of ${named}.`,
      there.length === 0 ? 'There is nothing to rebind.' : `There are states of ${there.join(', ')}.`,
    );
  }
  if (others.length > 0) {
    throw usage(`There are several states in ${backend.name}.`, `Say which with --from: ${there.join(', ')}.`);
  }
  if (only !== to && there.includes(to)) {
    throw new Refusal(
      'state.exists',
      exitCode.conflict,
      `There is a state of ${to} already in ${backend.name}.`,
      'Nothing was changed. Two states cannot become one; keep a copy of the other with chatform state pull, and forget its objects.',
    );
  }
  return only;
}
