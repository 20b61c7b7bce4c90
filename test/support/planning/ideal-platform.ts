// Support: an idealised platform in memory. Answers what the documents promise, and refuses all that they say it refuses,
// in the strictest reading: a refusal is thrown, since a good plan never meets one. What is special about a kind stands
// beside the kind's tests.
import type { JsonObject } from '../../../src/lib/json.ts';
import { type ApiRequest, requestPath } from '../../../src/model/request.ts';
import { registry } from '../../../src/resources/index.ts';
import { plainAnswer } from '../../resources/support/plain-kind.ts';
import { sampleOf } from '../../resources/support/samples.ts';
import { type Person, type Room, refuse } from './ideal-values.ts';

const ownRoutes: ReadonlySet<string> = new Set(
  registry.flatMap(({ attributes }) =>
    Object.values(attributes).flatMap(({ sentBy }) => (typeof sentBy === 'object' ? [sentBy.route] : [])),
  ),
);
/** By route, the field in which an answer has what was sent. */
const wrappedAnswers: ReadonlyMap<string, string> = new Map(
  registry.flatMap(({ attributes }) =>
    Object.values(attributes).flatMap(({ shownBy }): [string, string][] =>
      typeof shownBy === 'object' && shownBy.answerField !== undefined ? [[shownBy.route, shownBy.answerField]] : [],
    ),
  ),
);

export class IdealPlatform {
  /** Bots among them. */
  readonly users = new Map<string, Person>();
  readonly rooms = new Map<string, Room>();
  readonly #kept = new Map<string, Map<string, JsonObject>>();
  /** What was sent to the routes that one attribute has to itself, by path. */
  readonly #own = new Map<string, JsonObject>();

  call(request: ApiRequest): JsonObject {
    if (ownRoutes.has(request.route)) return this.#ownCall(request);
    for (const kind of registry) {
      const answer = sampleOf(kind).answer?.(this, request) ?? plainAnswer(kind, this, request);
      if (answer !== undefined) return answer;
    }
    return refuse(request, 'no such route');
  }

  /** What a kind keeps that is neither a person nor a channel, by key. */
  kept(kind: string): Map<string, JsonObject> {
    const known = this.#kept.get(kind) ?? new Map<string, JsonObject>();
    this.#kept.set(kind, known);
    return known;
  }

  /** Of all objects. */
  keys(): string[] {
    const kept = registry
      .filter(({ onlyKey }) => onlyKey === undefined)
      .flatMap(({ name: kind }) => [...this.kept(kind).keys()]);
    return [...this.users.keys(), ...this.rooms.keys(), ...kept];
  }

  /** Is there an object of this kind? */
  has(kind: string, key: string): boolean {
    const person = this.users.get(key);
    if (kind === 'user' || kind === 'bot')
      return person !== undefined && (person.bot !== undefined) === (kind === 'bot');
    return this.rooms.has(key) || this.kept(kind).has(key);
  }

  user(id: string, request?: ApiRequest): Person {
    return this.users.get(id) ?? refuse(request, `no user ${id}`);
  }

  activeUser(request: ApiRequest, id: string): void {
    if (!this.user(id, request).active) refuse(request, `${id} is deactivated`);
  }

  #ownCall(request: ApiRequest): JsonObject {
    const path = requestPath(request);
    const id = request.params?.user_id;
    if (id !== undefined && request.method === 'PUT') this.activeUser(request, id);
    if (request.method === 'PUT') this.#own.set(path, request.body ?? {});
    const answer = this.#own.get(path) ?? {};
    const wrapped = wrappedAnswers.get(request.route);
    return wrapped === undefined || answer[wrapped] !== undefined ? answer : { [wrapped]: answer };
  }
}
