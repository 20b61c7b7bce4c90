// Warns of values that look like secrets in metadata, data and URLs.

import type { JsonObject } from '../../lib/json.ts';
import { secretsIn } from '../../lib/patterns/secret-values.ts';
import { secretValueCode } from '../../model/policy.ts';
import { type DeclaredBlock, spotOfMeaning } from '../document/declared-block.ts';
import type { Problems } from '../problems/problems.ts';
import type { NoSecret } from './diagnostic-settings.ts';

export function checkSecretValues(
  attributes: JsonObject,
  blockOf: () => DeclaredBlock,
  context: { readonly isNoSecret: NoSecret; readonly problems: Problems },
): void {
  for (const { path, what } of secretsIn(attributes)) {
    const block = blockOf();
    const name = path.join('.');
    const value = `${block.address}.${name}`;
    if (context.isNoSecret(value)) continue;
    const detail = `${name} seems to contain ${what}. Everybody who can read the manifest, the application or its exports sees it. If it is a secret, revoke it, and keep it in a program of your own. If it is not, add "${value}" to policy.diagnostics.${secretValueCode}.except. Plans show the start of its SHA-256.`;
    context.problems.add(secretValueCode, detail, { ...spotOfMeaning(block, path), secret: true }, 'warning');
  }
}
