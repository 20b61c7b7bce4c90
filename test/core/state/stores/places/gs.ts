// Support: where Google Cloud Storage is tested as a store of state.
import { fakeGcs } from '../../../../support/object-servers.ts';
import type { StorePlace } from '../../support/store-place.ts';

export const places: readonly StorePlace[] = [fakeGcs].map((server) => ({ ...server, isShared: true }));
