// Support: where Azure is tested as a store of state.
import { azurite } from '../../../../support/object-servers.ts';
import type { StorePlace } from '../../support/store-place.ts';

export const places: readonly StorePlace[] = [azurite].map((server) => ({ ...server, isShared: true }));
