// The fingerprint of a plan: of its steps, the application, and whether it may take objects over; not of positions, times
// or reasons (semantics §6.3). Steps count in the order of a plan, with one digest for each phase and kind.

import { digestOfAll, RunningDigest } from '../../lib/digest.ts';
import { planFormatVersion } from '../../model/plan.ts';
import type { Policy } from '../../model/policy.ts';

/** Hashing many short texts is slow, and so is joining a text that is longer than this. */
const waitingCharacters = 1 << 14;

/** The digest of the steps of one phase and kind, in their order. */
export class StepsDigest {
  readonly #digest = new RunningDigest();
  /** Steps that are not hashed yet. */
  #text = '';

  /** `text`: the step as JSON. */
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

/** `digests`: of the steps, by phase, within a phase by kind. */
export function hashOf(application: string, existing: Policy['existing'], digests: readonly string[]): string {
  const takesOver = existing === 'refuse' ? [] : [existing];
  return digestOfAll([planFormatVersion, application, ...takesOver, ...digests]);
}
