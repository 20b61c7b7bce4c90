// The hash of a plan. It covers the steps, the application and `existing`, but not positions, times or reasons
// (semantics §6.3). Steps are hashed in the order of a plan, with one digest for each phase and kind.

import { digestOfAll, RunningDigest } from '../../../lib/digest.ts';
import type { Policy } from '../../model/policy.ts';

/** The version of what is hashed. Unlike the version of a plan, it is the same while steps mean the same. */
const hashedVersion = '1.0';
/** The length up to which texts are joined before hashing, because hashing many short texts is slow. */
const waitingCharacters = 1 << 14;

/** The digest of the steps of one phase and kind, in order. */
export class StepsDigest {
  readonly #digest = new RunningDigest();
  /** Steps not yet hashed. */
  #text = '';

  /** `text` is the step as JSON. */
  add(text: string): void {
    this.#text += text;
    this.#text += '\n';
    if (this.#text.length >= waitingCharacters) this.#flush();
  }

  end(): string {
    this.#flush();
    return this.#digest.soFar();
  }

  #flush(): void {
    this.#digest.add(this.#text);
    this.#text = '';
  }
}

/** `digests` are those of the steps, sorted by phase and then by kind. */
export function hashOf(application: string, existing: Policy['existing'], digests: readonly string[]): string {
  const takesOver = existing === 'refuse' ? [] : [existing];
  return digestOfAll([hashedVersion, application, ...takesOver, ...digests]);
}
