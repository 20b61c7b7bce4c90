// Support: where S3 is tested as a store of state.
import { moto, versitygw } from '../../../../support/object-servers.ts';
import type { StorePlace } from '../../support/store-place.ts';

export const places: readonly StorePlace[] = [versitygw, moto].map((server) => ({ ...server, isShared: true }));
