// What all readers of one load share.

import type { Suggestions } from '../../../lib/suggestions.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import type { Problems } from '../problems/problems.ts';
import type { Checks } from '../schema/validate.ts';
import type { VariableLookup } from './application-variables.ts';
import type { VariableTable } from './variable-table.ts';
import type { WithheldVariables } from './withheld.ts';

export interface LoadContext {
  readonly kinds: readonly KindDefinition[];
  readonly checks: Checks;
  readonly problems: Problems;
  readonly suggestions: Suggestions;
  readonly variables: VariableLookup;
  /** The names that the environment sets. */
  readonly variableNames: readonly string[];
  readonly missingVariables: 'error' | 'warn';
  readonly withheld: WithheldVariables;
  /** The declared variables. Absent if no manifest declares or uses any. */
  readonly variableTable: VariableTable | undefined;
}
