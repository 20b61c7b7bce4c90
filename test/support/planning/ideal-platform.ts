// Support: an idealised platform in memory that follows the documentation in its strictest interpretation. Refusals are thrown,
// because a good plan never causes one. Special behaviour of a kind is next to the tests of that kind.
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
/** By route, the field of the response that contains the sent value. */
const wrappedAnswers: ReadonlyMap<string, string> = new Map(
  registry.flatMap(({ attributes }) =>
    Object.values(attributes).flatMap(({ shownBy }): [string, string][] =>
      typeof shownBy === 'object' && shownBy.answerField !== undefined ? [[shownBy.route, shownBy.answerField]] : [],
    ),
  ),
);

export class IdealPlatform {
  /** Includes bots. */
  readonly users = new Map<string, Person>();
  readonly rooms = new Map<string, Room>();
  readonly #kept = new Map<string, Map<string, JsonObject>>();
  /** By path, the values sent to routes of a single attribute. */
  readonly #own = new Map<string, JsonObject>();

  call(request: ApiRequest): JsonObject {
    if (ownRoutes.has(request.route)) return this.#ownCall(request);
    for (const kind of registry) {
      const answer = sampleOf(kind).answer?.(this, request) ?? plainAnswer(kind, this, request);
      if (answer !== undefined) return answer;
    }
    return refuse(request, 'no such route');
  }

  /** By key, objects that are neither users nor channels. */
  kept(kind: string): Map<string, JsonObject> {
    const known = this.#kept.get(kind) ?? new Map<string, JsonObject>();
    this.#kept.set(kind, known);
    return known;
  }

  /** The addresses of all objects. */
  keys(): string[] {
    const kept = registry
      .filter(({ onlyKey }) => onlyKey === undefined)
      .flatMap(({ name: kind }) => [...this.kept(kind).keys()]);
    return [...this.users.keys(), ...this.rooms.keys(), ...kept];
  }

  /** Whether an object of this kind exists. */
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
