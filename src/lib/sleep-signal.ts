// Ends sleeps early. A run sleeps some times for each of its calls, and an AbortController for each sleep would be a
// twentieth of the work of a run without a network.

/** What a clock needs to know of a signal. Every AbortSignal is one. */
export interface SleepSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** A signal that calls each listener at most once. */
export class SleepEnd implements SleepSignal {
  #aborted = false;
  readonly #listeners = new Set<() => void>();

  get aborted(): boolean {
    return this.#aborted;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener);
  }

  /** Ends the sleeps with this signal, and those that begin later. */
  abort(): void {
    if (this.#aborted) return;
    this.#aborted = true;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }
}
