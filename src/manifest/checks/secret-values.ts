// Warns of values that look like secrets in metadata, data and URLs.

import type { JsonObject } from '../../lib/json.ts';
import { secretsIn } from '../../lib/patterns/secret-values.ts';
import { type DeclaredBlock, spotOfMeaning } from '../document/declared-block.ts';
import type { Problems } from '../problems/problems.ts';

export function checkSecretValues(attributes: JsonObject, blockOf: () => DeclaredBlock, problems: Problems): void {
  for (const { path, what } of secretsIn(attributes)) {
    const detail = `${path.join('.')} seems to contain ${what}. Everybody who can read the manifest, the application or its exports sees it. If it is a secret, revoke it, and keep it in a program of your own. Plans show the start of its SHA-256.`;
    problems.add('manifest.secret-value', detail, { ...spotOfMeaning(blockOf(), path), secret: true }, 'warning');
  }
}
