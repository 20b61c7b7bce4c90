// Support: sealers with a cost far too low for a real key, but quick.
import { Sealer } from '../../../../src/core/state/seal/sealer.ts';

/** Without a secret nothing is encrypted. */
export function sealerOf(secret?: string): Sealer {
  return new Sealer(secret, { N: 16, r: 1, p: 1 });
}
