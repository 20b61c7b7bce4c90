// The types of undici.cjs.
import type { buildConnector, Pool } from 'undici';

declare const parts: {
  readonly buildConnector: typeof buildConnector;
  readonly Pool: typeof Pool;
};
export = parts;
