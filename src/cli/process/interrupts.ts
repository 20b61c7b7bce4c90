// The signals that ask the process to end. This module listens to them for the whole life of the process, and nothing else
// does. It never removes its listeners, because signal-exit, which ora loads to restore the cursor, kills the process when it
// finds no listener but its own.
import { constants } from 'node:os';
import { commandInterrupted, type Refusal } from '../../core/model/errors.ts';

import type { Clock } from '../../core/model/ports.ts';

export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type StopSignal = (typeof stopSignals)[number];

/**
 * One Ctrl-C may arrive twice, from the terminal and from npx, which forwards it. A closed terminal sends SIGHUP several
 * times. Within this time of the first signal, further ones are the same request.
 */
const sameRequestMs = 300;

export interface InterruptPorts {
  /** The process, or an emitter in tests. */
  readonly signals: { on(signal: StopSignal, listener: () => void): unknown };
  readonly clock: Pick<Clock, 'now'>;
  /** Writes to the user. */
  say(text: string): void;
  /** Ends the process at once. */
  exit(code: number): void;
}

/** What may be abandoned, from the outside to the inside. */
const scopes = ['command', 'folder', 'report'] as const;
type InterruptScope = (typeof scopes)[number];

type Abandon = (refusal: Refusal) => void;

export class Interrupts {
  readonly #ports: InterruptPorts;
  readonly #callbacks = new Set<(signal: StopSignal) => void>();
  readonly #lastCallbacks = new Set<() => void>();
  readonly #abandons = new Map<Abandon, InterruptScope>();
  #firstAt: number | undefined;
  #first: StopSignal = 'SIGINT';
  #isPending = false;

  constructor(ports: InterruptPorts) {
    this.#ports = ports;
    for (const signal of stopSignals) ports.signals.on(signal, () => this.#take(signal));
  }

  /** Whether a signal has come. Work that nobody waits for may then keep the process from ending by itself. */
  get isInterrupted(): boolean {
    return this.#firstAt !== undefined;
  }

  /**
   * Calls back once, on the first signal, until the returned function is called. A signal that came before counts, so that
   * none is lost between two parts of a command. Work that must not end halfway, such as a write under a lock, listens too.
   */
  onInterrupt = (callback: (signal: StopSignal) => void): (() => void) => {
    const callOnce = (signal: StopSignal): void => {
      if (this.#callbacks.delete(callOnce)) callback(signal);
    };
    this.#callbacks.add(callOnce);
    if (this.#firstAt !== undefined) queueMicrotask(() => callOnce(this.#first));
    return () => void this.#callbacks.delete(callOnce);
  };

  /** Calls back before a second signal ends the process, for what must not outlive it. It must be done when it returns. */
  onSecondInterrupt = (callback: () => void): (() => void) => {
    this.#lastCallbacks.add(callback);
    return () => void this.#lastCallbacks.delete(callback);
  };

  /**
   * Runs work that is abandoned and refused (8) if the first signal arrives while nothing listens. Work with a scope inside it
   * ends by the refusal of that scope, which has a report to write or a folder to remove.
   */
  abandonable = async <T>(scope: InterruptScope, work: () => Promise<T>): Promise<T> => {
    if (this.#isPending) throw commandInterrupted();
    let abandon: Abandon = () => {};
    const abandoned = new Promise<never>((_resolve, reject) => {
      abandon = reject;
    });
    this.#abandons.set(abandon, scope);
    try {
      return await Promise.race([work(), abandoned]);
    } finally {
      this.#abandons.delete(abandon);
    }
  };

  #take(signal: StopSignal): void {
    const now = this.#ports.clock.now();
    if (this.#firstAt !== undefined) {
      if (now - this.#firstAt < sameRequestMs) return;
      for (const callback of this.#lastCallbacks) callback();
      this.#ports.say('\nInterrupted again: ending at once. The same command can be run again.\n');
      this.#ports.exit(128 + constants.signals[signal]);
      return;
    }
    this.#firstAt = now;
    this.#first = signal;
    if (this.#callbacks.size > 0) for (const callback of [...this.#callbacks]) callback(signal);
    else this.#abandon();
  }

  #abandon(): void {
    this.#isPending = this.#abandons.size === 0;
    const running = new Set(this.#abandons.values());
    const innermost = scopes.findLast((scope) => running.has(scope));
    for (const [abandon, scope] of [...this.#abandons]) if (scope === innermost) abandon(commandInterrupted());
  }
}
