// Reads what the platform shows of the objects of a stage, as a refresh and an export do.
import type { Application } from '../../core/app/context/application.ts';
import { connectToRead } from '../../core/app/context/connect.ts';
import type { Ports } from '../../core/app/context/ports.ts';
import { type Address, compareAddresses, keyOf, kindOf } from '../../core/model/address.ts';
import { hiddenBy, isUnavailable } from '../../core/refresh/listing.ts';
import { readPart } from '../../core/refresh/parts.ts';
import { readLive } from '../../core/refresh/refresh.ts';
import type { LiveReader } from '../../core/refresh/send.ts';
import { withStatus } from '../../core/resources/group-channel/statuses.ts';
import { registry } from '../../core/resources/index.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import type { ExpectedRead } from './conformance-rows.ts';

export interface PlannedRead extends ExpectedRead {
  readonly address: Address;
}

/** What the platform shows, or why it does not. */
export type Shown = { readonly value: JsonValue | undefined } | { readonly refusal: string };

/** Reads all at once, and in smaller parts where the platform refuses a read. */
export async function readStage(
  reads: readonly PlannedRead[],
  application: Application,
  ports: Ports,
): Promise<ReadonlyMap<PlannedRead, Shown>> {
  // A reader that has failed sends nothing more.
  const { reader, close } = await connectToRead(application, ports);
  try {
    return await shownBy(reads, reader);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    const [first, ...others] = reads;
    if (first === undefined) return new Map();
    if (others.length === 0) return new Map([[first, { refusal: (error as Error).message }]]);
    const half = reads.length >> 1;
    const parts = [reads.slice(0, half), reads.slice(half)];
    const shown: [PlannedRead, Shown][] = [];
    for (const part of parts) shown.push(...(await readStage(part, application, ports)));
    return new Map(shown);
  } finally {
    await close();
  }
}

async function shownBy(reads: readonly PlannedRead[], reader: LiveReader): Promise<ReadonlyMap<PlannedRead, Shown>> {
  const byAddress = new Map<Address, PlannedRead[]>();
  for (const read of reads) byAddress.set(read.address, [...(byAddress.get(read.address) ?? []), read]);
  const subjects = [...byAddress.keys()].sort(compareAddresses).map((address) => ({
    address,
    isKnown: true,
    wants: (name: string) => byAddress.get(address)?.some(({ attribute }) => attribute === name) === true,
  }));
  const shown: [PlannedRead, Shown][] = [];
  for await (const { subject, live } of readLive(subjects, registry, reader)) {
    for (const read of byAddress.get(subject.address) ?? []) {
      const { attribute, value: expected } = read;
      if (attribute === undefined) shown.push([read, { value: live.exists }]);
      else {
        const attributes = await withMemberStatuses(subject.address, expected, live.attributes, reader);
        shown.push([read, { value: attributes[attribute] }]);
      }
    }
  }
  return new Map(shown);
}

/** Adds the statuses of members if they are expected, which a channel's own answer omits. */
async function withMemberStatuses(
  address: Address,
  expected: JsonValue,
  attributes: JsonObject,
  reader: LiveReader,
): Promise<JsonObject> {
  const members = isObject(expected) ? Object.entries(expected) : [];
  const having = (name: string) =>
    members.flatMap(([id, line]) => (isObject(line) && Object.hasOwn(line, name) ? [id] : []));
  const [invited, hiding] = [having('invitation_status'), having('hidden_status')];
  let whole = attributes;
  if (invited.length > 0) whole = await withInvitations(address, whole, reader);
  for (const id of hiding) {
    const status = (await hiddenBy(id, reader)).get(keyOf(address));
    if (status !== undefined) whole = withStatus(whole, 'hidden_status', new Map([[id, status]]));
  }
  return whole;
}

async function withInvitations(address: Address, attributes: JsonObject, reader: LiveReader): Promise<JsonObject> {
  const kind = registry.find(({ name }) => name === kindOf(address));
  if (kind === undefined) return attributes;
  const view = await reader.send(kind.view(keyOf(address)));
  const detail = view.type === 'ok' ? kind.live?.details?.(view.body) : undefined;
  if (detail === undefined) return attributes;
  const items = await readPart(detail.part, keyOf(address), reader);
  return detail.add(attributes, isList(items) ? items.filter(isObject) : []);
}
