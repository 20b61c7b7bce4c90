// Calls the application: up to three tries for each event, five seconds apart in the emulator's clock (platform §13.7).

import { createHmac } from 'node:crypto';
import { Agent } from 'node:http';
import type { Behaviours } from '../api/behaviours.ts';
import type { JsonObject } from '../api/request.ts';
import type { MovableClock } from '../control/clock.ts';
import { APP_ID } from './parts.ts';
import { addressOf, post } from './target.ts';

const MAX_TRIES = 3;
/** How long a try waits for an answer, and the time from one try to the next. */
const TRY_MS = 5_000;
/** How long, in real time, a look at the log or a move of the clock waits for answers. */
const PATIENCE_MS = 1_000;
const MAX_LOGGED = 1_000;

export interface Outgoing {
  readonly kind: 'webhook' | 'bot';
  readonly category: string;
  /** The declared URL. */
  readonly url: string;
  readonly body: JsonObject;
}

interface Try {
  readonly at_ms: number;
  status?: number;
  error?: string;
}

interface Delivery {
  readonly id: number;
  readonly outgoing: Outgoing;
  readonly address: URL | undefined;
  readonly bytes: Buffer;
  readonly tries: Try[];
  /** `not_sent`: the declared address is not on this machine, and no target is set. */
  state: 'waiting' | 'delivered' | 'failed' | 'not_sent';
}

export interface DeliveryOptions {
  readonly clock: MovableClock;
  readonly behaviours: Behaviours;
  /** The key of the signatures. */
  readonly token: string;
  /** Takes all calls. Absent: only those to an http address on this machine are made. */
  readonly target: URL | undefined;
}

export class Deliveries {
  readonly #options: DeliveryOptions;
  readonly #agent = new Agent({ keepAlive: true });
  #log: Delivery[] = [];
  #forgotten = 0;
  #lastId = 0;
  /** Aborted by `clear`, so that nothing of an earlier time goes on. */
  #era = new AbortController();
  /** Events are first tried one after the other. */
  #queue: Promise<void> = Promise.resolve();
  /** Events that wait for their first try, and tries in flight. */
  #open = 0;
  readonly #watchers = new Set<() => void>();

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  send(outgoing: Outgoing): void {
    const { category, body, url } = outgoing;
    const address = addressOf(url, this.#options.target);
    const delivery: Delivery = {
      id: ++this.#lastId,
      outgoing,
      address,
      bytes: Buffer.from(JSON.stringify({ category, ...body, app_id: APP_ID })),
      tries: [],
      state: address === undefined ? 'not_sent' : 'waiting',
    };
    this.#log.push(delivery);
    if (this.#log.length > MAX_LOGGED) {
      this.#log.shift();
      this.#forgotten += 1;
    }
    if (address === undefined) return;
    const era = this.#era.signal;
    this.#open += 1;
    this.#queue = this.#queue.then(() => this.#attempt(delivery, address, era)).finally(() => this.#close());
  }

  /** Resolves once nothing waits for a first try or for an answer, or after a second of real time. */
  settled = (): Promise<void> => {
    if (this.#open === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#watchers.delete(end);
        resolve();
      };
      const timer = setTimeout(end, PATIENCE_MS);
      this.#watchers.add(end);
    });
  };

  /** The newest last. */
  list(): JsonObject {
    return {
      deliveries: this.#log.map(({ id, outgoing, address, bytes, tries, state }) => ({
        id,
        kind: outgoing.kind,
        category: outgoing.category,
        declared_url: outgoing.url,
        url: address?.href ?? null,
        state,
        tries: tries.map((made) => ({ ...made })),
        body: JSON.parse(bytes.toString('utf8')),
      })),
      forgotten: this.#forgotten,
    };
  }

  /** Forgets every event, also those that are to be tried again. */
  clear(): void {
    this.#era.abort();
    this.#era = new AbortController();
    this.#log = [];
    this.#forgotten = 0;
  }

  close(): void {
    this.clear();
    this.#agent.destroy();
  }

  async #attempt(delivery: Delivery, address: URL, era: AbortSignal): Promise<void> {
    if (era.aborted) return;
    const { clock } = this.#options;
    const startedMs = clock.now();
    const made: Try = { at_ms: Math.floor(startedMs) };
    delivery.tries.push(made);
    const giveUp = new AbortController();
    const cancel = clock.alarm(startedMs + TRY_MS, () => giveUp.abort());
    try {
      const signal = AbortSignal.any([giveUp.signal, era]);
      made.status = await post(address, this.#headers(delivery), delivery.bytes, { agent: this.#agent, signal });
    } catch (error) {
      made.error = giveUp.signal.aborted ? 'No answer within 5 seconds.' : messageOf(error);
    } finally {
      cancel();
    }
    if (this.#isAnswered(delivery.outgoing, made.status)) delivery.state = made.status === 200 ? 'delivered' : 'failed';
    else if (delivery.tries.length === MAX_TRIES) delivery.state = 'failed';
    else if (!era.aborted) clock.alarm(startedMs + TRY_MS, () => this.#retry(delivery, address, era));
  }

  #retry(delivery: Delivery, address: URL, era: AbortSignal): void {
    this.#open += 1;
    void this.#attempt(delivery, address, era).finally(() => this.#close());
  }

  #close(): void {
    this.#open -= 1;
    if (this.#open === 0) for (const end of [...this.#watchers]) end();
  }

  /** Whether an answer ends the tries. A bot must answer 200; for webhooks it is not stated (behaviours.md, webhookRetry). */
  #isAnswered({ kind }: Outgoing, status: number | undefined): boolean {
    if (status === undefined) return false;
    return status === 200 || (kind === 'webhook' && this.#options.behaviours.webhookRetry === 'silence');
  }

  #headers({ outgoing, bytes }: Delivery): Readonly<Record<string, string>> {
    const { token, behaviours } = this.#options;
    const headers = { 'user-agent': 'SendBird', 'content-type': 'application/json' };
    if (outgoing.kind === 'bot' && behaviours.botSignature === 'absent') return headers;
    return { ...headers, 'x-sendbird-signature': createHmac('sha256', token).update(bytes).digest('hex') };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
