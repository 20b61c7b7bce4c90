// Support: what exports contain that list some of the people, rooms and members of a small chat.
import { saidAt } from './small-exports.ts';

export interface Room {
  readonly id: string;
  /** Ids of users. */
  readonly members: readonly string[];
  readonly operators: readonly string[];
}

interface Spoken {
  readonly room: string;
  readonly user: string;
  /** Also its time, in seconds after the first one, unless it has another. */
  readonly number: number;
  /** Unix milliseconds. */
  readonly time?: number;
}

/** What one export contains. Ids of users and rooms are those of Slack, which every system can have. */
export interface Listed {
  readonly users: readonly string[];
  readonly rooms: readonly Room[];
  readonly messages: readonly Spoken[];
}

export const at = ({ number, time = saidAt + number * 1000 }: Spoken): number => time;
export const iso = (message: Spoken): string => new Date(at(message)).toISOString();
export const json = (value: unknown): string => JSON.stringify(value);

/** A file for each room. */
export function byRoom(
  rooms: readonly Room[],
  messages: readonly Spoken[],
  of: (room: Room, own: readonly Spoken[]) => object,
) {
  return Object.fromEntries(
    rooms.map((room) => {
      const own = messages.filter((message) => message.room === room.id);
      return [`${room.id}.json`, json(of(room, own))];
    }),
  );
}
