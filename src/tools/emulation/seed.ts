// Fills an emulator from manifests: a real apply over HTTP, without waits, before the emulator begins.

import { applyChanges } from '../../core/app/apply.ts';
import type { Ports } from '../../core/app/context/ports.ts';
import { disk } from '../../core/manifest/files/access.ts';
import { discover } from '../../core/manifest/files/discover.ts';
import { Problems } from '../../core/manifest/problems/problems.ts';
import { Refusal } from '../../core/model/errors.ts';
import { exitCode } from '../../core/model/exit-code.ts';
import { ratePlans } from '../../core/model/limits.ts';
import { strictRules } from '../../core/platform/limits.ts';
import type { RunningEmulator } from '../../emulator/server.ts';
import { setUpExternalUsers } from '../rehearsal/simulation/set-up-platform.ts';
import { rebindState } from '../state-transfer.ts';
import { type EmulatorPlaces, environmentFor } from './surroundings.ts';

/** An emulator in preparation counts no calls, so the client need not pace them. */
const unlimited = Object.fromEntries(
  [...['GET', 'POST', 'PUT', 'DELETE'], ...strictRules.map(({ route }) => route)].map((what) => [what, 1_000_000]),
);

/** The manifests that are named, or those of the working folder if a command is to run and there are some. */
export async function seedOf(named: readonly string[], isForCommand: boolean, cwd: string): Promise<readonly string[]> {
  if (named.length > 0 || !isForCommand) return named;
  return (await discover([], cwd, disk, new Problems())).length > 0 ? ['.'] : [];
}

/** Returns the number of calls. Refused as an apply is, and with its exit code if a step failed. */
export async function seedEmulator(
  paths: readonly string[],
  running: RunningEmulator,
  places: EmulatorPlaces,
  ports: Ports,
): Promise<number> {
  const env = environmentFor(ports.env, running, places, ratePlans[0]);
  const surroundings = { ...ports, env };
  const { state, tokens: tokensOut } = places;
  const { report } = await applyChanges(
    { paths, baseUrl: running.url, state, tokensOut, limits: unlimited },
    surroundings,
    {
      review: async ({ steps }) => {
        const { platform: emulator, token } = running;
        setUpExternalUsers({ emulator, token, nowMs: ports.clock.date().getTime(), records: [], steps });
        return 'any';
      },
    },
  );
  if (report.exit_code !== exitCode.done) {
    const [failure] = report.failures;
    throw new Refusal(
      'emulator.seed-failed',
      report.exit_code,
      `The manifests could not be applied to the emulator: ${report.steps.failed} of ${report.steps.planned} steps failed.`,
      failure === undefined
        ? 'The command was not run. Apply the manifests with chatform apply to see why.'
        : `The command was not run. ${failure.address}: ${failure.message} (${failure.code}).`,
    );
  }
  return report.requests.reduce((sum, { sent }) => sum + sent, 0);
}

/** Binds the state of an earlier start, which was on another port, to the present address. */
export async function followAddress(
  { url: to }: RunningEmulator,
  { state }: EmulatorPlaces,
  ports: Ports,
): Promise<void> {
  try {
    await rebindState({ state, to }, ports, async () => {});
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'state.unknown-application') throw error;
  }
}
