// Says what a refresh would cost to somebody who could make one: there is a token, and the platform was not read.
import type { LoadedManifest } from '../../manifest/load.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import { limitsOf } from '../../platform/limits.ts';
import { batchesOf, costOf } from '../../refresh/subjects.ts';
import { registry } from '../../resources/index.ts';
import type { Ports } from '../ports.ts';
import type { Application } from '../session/application.ts';
import { type RefreshOptions, subjectsToRefresh } from './refresh.ts';

/** Above this, counting the requests would read all manifests once more, which takes seconds. */
const maxCounted = 50_000;

export function offerRefresh(
  manifest: LoadedManifest,
  { rates }: Application,
  state: StateSnapshot,
  options: RefreshOptions,
  { notify }: Pick<Ports, 'notify'>,
): void {
  const objects = Math.max(manifest.resources.length, state.size);
  if (objects > maxCounted) {
    notify({ type: 'refresh-offer-large', objects });
    return;
  }
  const subjects = subjectsToRefresh(manifest, state, options);
  const { kinds, lower_bound_s: atLeastS } = costOf(batchesOf(subjects(), registry), limitsOf(rates));
  if (kinds.length > 0) notify({ type: 'refresh-offer', kinds, atLeastS });
}
