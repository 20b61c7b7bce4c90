// The context of an operation: the values of the request, the state, and the only way to change it.

import { createHash } from 'node:crypto';
import type { Behaviours } from '../api/behaviours.ts';
import { ApiError } from '../api/errors.ts';
import type { Json } from '../api/request.ts';
import type { Params } from '../fields/params.ts';
import type { QueryParams } from '../fields/query.ts';
import type { Effect } from '../stored/effects.ts';
import type { ChannelRecord, GroupChannelRecord, UserRecord } from '../stored/records.ts';
import type { State } from '../stored/state.ts';

/** The name under which the settings of the whole application are stored. */
export const GLOBAL_SETTINGS = 'moderation';

/** Answers one request or throws an ApiError. It checks everything before it commits: a refusal has no effect. */
export type Operation = (call: Call) => Json;

/** The limits of the meta arrays of one message, which differ by application (platform §16.4). */
export interface MetaArrayBounds {
  /** The items of `sorted_metaarray`. Each has one key, so `keys` limits the same number with another code. */
  readonly arrays?: number;
  readonly keys?: number;
  /** The values of one key. */
  readonly values?: number;
  readonly key_bytes?: number;
  readonly value_bytes?: number;
}

export interface CallInput {
  readonly state: State;
  readonly behaviours: Behaviours;
  readonly messageLength: number;
  readonly maxMigratedMessages: number;
  readonly metaArrays: MetaArrayBounds;
  readonly seed: string;
  readonly nowMs: number;
  readonly params: ReadonlyMap<string, string>;
  readonly query: QueryParams;
  readonly body: Params;
  readonly commit: (effects: readonly Effect[]) => void;
}

export class Call {
  readonly state: State;
  readonly behaviours: Behaviours;
  /** The most characters of a message: as the application sets it, or as the emulator was started. */
  readonly messageLength: number;
  readonly maxMigratedMessages: number;
  readonly metaArrays: MetaArrayBounds;
  readonly nowMs: number;
  readonly query: QueryParams;
  readonly body: Params;
  readonly #input: CallInput;
  #draws: number;

  constructor(input: CallInput) {
    this.state = input.state;
    this.behaviours = input.behaviours;
    const set = input.state.setting(GLOBAL_SETTINGS)?.max_message_length;
    this.messageLength = typeof set === 'number' ? set : input.messageLength;
    this.maxMigratedMessages = input.maxMigratedMessages;
    this.metaArrays = input.metaArrays;
    this.nowMs = Math.floor(input.nowMs);
    this.query = input.query;
    this.body = input.body;
    this.#input = input;
    this.#draws = input.state.application.draws;
  }

  get nowSeconds(): number {
    return Math.floor(this.nowMs / 1000);
  }

  /** A decoded path parameter. */
  path(name: string): string {
    return this.#input.params.get(name) ?? '';
  }

  nextSeq(): number {
    return this.state.application.lastSeq + 1;
  }

  /** Forty hex digits that are unguessable without the seed and never repeat. */
  draw(): string {
    this.#draws++;
    return createHash('sha1').update(`${this.#input.seed}:${this.#draws}`).digest('hex');
  }

  commit(effects: readonly Effect[]): void {
    const { application } = this.state;
    if (this.#draws === application.draws) this.#input.commit(effects);
    else
      this.#input.commit([
        { type: 'application.put', application: { ...application, draws: this.#draws } },
        ...effects,
      ]);
  }

  user(userId: string): UserRecord {
    const user = this.state.users.get(userId);
    if (user === undefined) throw new ApiError('notFound', 'User');
    return user;
  }

  /** A user in a role that the strict behaviour refuses to deactivated users (behaviours.md, deactivatedMember). */
  activeUser(userId: string): UserRecord {
    const user = this.user(userId);
    if (!user.active && this.behaviours.deactivatedMember === 'refused') throw new ApiError('deactivatedUser', userId);
    return user;
  }

  /** A user in a call that is documented for users only. Bots have their own calls. */
  person(userId: string): UserRecord {
    const user = this.user(userId);
    if (user.bot !== undefined) throw new ApiError('notAuthorized', `${userId} is a bot.`);
    return user;
  }

  channel(kind: 'open' | 'group'): ChannelRecord {
    const url = this.path('channel_url');
    const channel = kind === 'open' ? this.state.openChannels.get(url) : this.state.groupChannels.get(url);
    if (channel === undefined) throw new ApiError('notFound', 'Channel');
    return channel;
  }

  groupChannel(): GroupChannelRecord {
    const channel = this.channel('group');
    if (channel.kind !== 'group') throw new ApiError('notFound', 'Channel');
    return channel;
  }
}
