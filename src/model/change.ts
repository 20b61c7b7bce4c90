// What differs for one object, and why?
import type { Action } from './action.ts';
import type { Address } from './address.ts';
import type { JsonValue } from './json.ts';
import type { SourcePosition } from './source.ts';

/**
 * One attribute's part of a change. `before` is absent when it was not managed, `after` when management ends.
 * `how`: `set` to what is declared; `reset` because the line was removed and the platform has a neutral value to go
 * back to; `release` when the line was removed and the value stays as it is, unmanaged from now on.
 */
export interface AttributeChange {
  readonly path: readonly string[];
  readonly before?: JsonValue;
  readonly after?: JsonValue;
  readonly how: 'set' | 'reset' | 'release';
}

export interface Change {
  readonly address: Address;
  readonly actions: readonly Action[];
  readonly attributes: readonly AttributeChange[];
  /** Where the object is declared; absent when it is declared no more. */
  readonly source?: SourcePosition;
  /** One sentence for people. Display only. */
  readonly reason: string;
  readonly reversibility: Reversibility;
  /** True for effects that reviewers must see first, bar those that complete a creation. */
  readonly dangerous: boolean;
  readonly notes: readonly string[];
}

/** Can the effect be undone by another apply: wholly, with a loss (membership history), or not at all? */
export type Reversibility = 'reversible' | 'lossy' | 'irreversible';

/** `metadata.team`, `members."a.b"`: keys that are no plain word are quoted, so a path is unambiguous. */
export function printPath(path: readonly string[]): string {
  return path.map((part) => (/^[\w-]+$/u.test(part) ? part : JSON.stringify(part))).join('.');
}
