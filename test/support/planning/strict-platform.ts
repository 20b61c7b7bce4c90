// Support: the emulated platform without HTTP, under its strictest behaviours. It throws at every refusal, because a good plan
// never causes one, and at every request that the vendor does not document.

import { idsOf } from '../../../src/core/kinds/definition/values.ts';
import type { Answer } from '../../../src/core/model/ports.ts';
import { type ApiRequest, requestPath, requestQuery, withSeconds } from '../../../src/core/model/request.ts';
import type { Resource } from '../../../src/core/model/resource.ts';
import { findKind } from '../../../src/core/resources/index.ts';
import type { Behaviours } from '../../../src/emulator/api/behaviours.ts';
import type { Body, FilePart, PlatformRequest } from '../../../src/emulator/api/request.ts';
import { EmulatedPlatform } from '../../../src/emulator/platform.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../src/lib/json.ts';
import { objectDifferences } from '../platform-differences.ts';
import { undocumented } from '../vendor/documented.ts';
import type { State } from './planning.ts';

const token = 'token';
const everyone = '';
/** The time of every request. */
export const nowMs = Date.parse('2026-06-01T00:00:00Z');

export class StrictPlatform {
  readonly emulator: EmulatedPlatform;
  /** Addresses of the allowlist that went from state with the settings. */
  readonly forgotten = new Set<string>();
  readonly #hesitant = new Set<string>();
  /** The preferences at the time of the calls that add people to channels, and of those that create users. */
  readonly #lookedAt: { readonly id: string; readonly accepts: boolean; readonly as: 'member' | 'user' }[] = [];

  constructor(behaviours: Partial<Behaviours> = { inviteOfMember: 'refused' }) {
    this.emulator = new EmulatedPlatform({ token, seed: 'seed', behaviours });
  }

  answer(request: ApiRequest): Answer {
    const sent = sentRequest(request);
    const [fault] = undocumented(sent);
    if (fault !== undefined) throw new Error(`the vendor does not document ${fault}`);
    const { status, body } = this.emulator.handle(sent, nowMs);
    const said = isObject(body as JsonValue) ? (body as JsonObject) : {};
    if (status === 200) return { type: 'ok', body: said };
    return { type: 'refused', status, code: Number(said.code), message: String(said.message) };
  }

  call(request: ApiRequest): JsonObject {
    const { method, route, params = {}, body } = request;
    // The emulator answers as the documents say, but a plan must not lean on these two.
    if (method === 'POST' && route === '/group_channels' && typeof body?.strict !== 'boolean')
      throw new Error('strict is not sent, and its default is false');
    if (
      method === 'DELETE' &&
      route === '/users/{user_id}' &&
      this.emulator.state.channelsOf(params.user_id ?? '').size > 0
    )
      throw new Error(`a channel still names ${params.user_id}`);
    if (route.endsWith('channel_invitation_preference') && body?.auto_accept === false)
      this.#hesitant.add(params.user_id ?? everyone);
    if (body?.channel_invitation_preference === 1) this.#hesitant.add(params.bot_userid ?? String(body.bot_userid));
    this.#lookAt(request);
    const answer = this.answer(request);
    if (answer.type === 'ok') return answer.body;
    throw new Error(`the platform refuses ${JSON.stringify(request)}: ${JSON.stringify(answer)}`);
  }

  /** Whoever was added or created since the last time before the preference that decides about it was set. */
  tooEarly(desired: readonly Resource[]): string[] {
    const { state } = this.emulator;
    const declared = new Map(desired.map(({ address, attributes }) => [address, attributes]));
    return this.#lookedAt.splice(0).flatMap(({ id, accepts, as }) => {
      const isOwn = declared.get(`user.${id}`)?.auto_accept !== undefined;
      const now = as === 'member' ? state.users.get(id)?.autoAccept : state.application.autoAccept;
      return (as === 'user' && isOwn) || now === undefined || now === accepts ? [] : [`${as} ${id}`];
    });
  }

  #lookAt({ method, route, body = {} }: ApiRequest): void {
    const { application, users } = this.emulator.state;
    if (method !== 'POST') return;
    if (route === '/users')
      this.#lookedAt.push({ id: String(body.user_id), accepts: application.autoAccept, as: 'user' });
    if (route !== '/group_channels' && !route.endsWith('/invite')) return;
    for (const id of idsOf(body, 'user_ids')) {
      this.#lookedAt.push({ id, accepts: users.get(id)?.autoAccept ?? true, as: 'member' });
    }
  }

  /** All differences between platform and declaration. Objects that are only in state must be disabled. */
  async faults(desired: readonly Resource[], state: State): Promise<string[]> {
    const declared = new Set(desired.map(({ address }) => address));
    const retired = [...state.keys()].filter((address) => !declared.has(address));
    // A released supergroup that is declared false later cannot be told from a plain channel without a refresh.
    // An argument of the creation, such as inviter_id, may be declared later and is then not sent.
    const comparable = desired.map((resource) => {
      const attributes = withoutArguments(resource);
      const { is_super, ...others } = attributes;
      return { ...resource, attributes: is_super === false ? others : attributes };
    });
    return objectDifferences(async (path, query) => this.call({ method: 'GET', route: path, query }), comparable, {
      retired,
      forgotten: this.forgotten,
      isHesitant: (id) => this.#hesitant.has(id) || this.#hesitant.has(everyone),
    });
  }
}

function withoutArguments({ address, attributes }: Resource): JsonObject {
  const definitions = findKind(address)?.attributes ?? {};
  const isArgument = (name: string) => {
    const shown = definitions[name]?.shown;
    return shown?.as === 'not' && shown.why === 'argument';
  };
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !isArgument(name)));
}

/** The request of a plan as the platform receives it. */
export function sentRequest(request: ApiRequest): PlatformRequest {
  return {
    method: request.method,
    path: `/v3${requestPath(request)}`,
    query: requestQuery(request),
    headers: { 'api-token': token },
    body: bodyOf(request),
  };
}

const image: FilePart = { fileName: 'a.jpg', contentType: 'image/jpeg', bytes: new Uint8Array([0xff, 0xd8, 0xff]) };

/** The body as a client sends it: the seconds until a time are counted, and a file makes it a form. */
function bodyOf({ body, placeholders = [] }: ApiRequest): Body {
  let filled = body;
  const files = new Map<string, FilePart>();
  for (const placeholder of placeholders) {
    if (placeholder.type === 'seconds')
      filled = withSeconds(filled, placeholder, Math.ceil((Date.parse(placeholder.until) - nowMs) / 1000));
    if (placeholder.type === 'secret' && placeholder.file !== undefined) {
      const { name: fileName, mediaType: contentType, values } = placeholder.file;
      files.set(placeholder.field, { fileName, contentType, bytes: Buffer.from(JSON.stringify(values)) });
    } else if (placeholder.type === 'secret') filled = { ...filled, [placeholder.field]: 'secret' };
    if (placeholder.type === 'file') files.set(placeholder.field, image);
  }
  if (files.size === 0) return filled === undefined ? { type: 'none' } : { type: 'json', value: filled };
  const fields = Object.entries(filled ?? {}).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return { type: 'multipart', fields, files };
}
