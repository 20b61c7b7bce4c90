// What may stand in the manifests of a soak run? A small estate that is edited at random and stays valid.
import type { Chance } from '../../promise/support/chance.ts';

interface Channel {
  readonly members: Map<string, Record<string, string>>;
  readonly operators: Set<string>;
  readonly name: string;
  readonly frozen: boolean;
}

const names = ['Ann', 'Bo', 'Çelik', '<b>Dee</b>', '`Eve`', '\u001b[31mFay', '@gus #12', 'Hua\u202e'];

/** Always at least one object of each kind: removing a whole kind wants an acknowledgement. */
export class SoakEstate {
  readonly #users = new Map<string, { nickname: string; team?: string; deactivated: boolean }>();
  readonly #open = new Map<string, { name: string; operators: Set<string>; frozen: boolean }>();
  readonly #group = new Map<string, Channel>();

  constructor(draw: Chance) {
    for (let index = 0; index < 12; index += 1) this.#addUser(draw, `user-${index}`);
    for (let index = 0; index < 3; index += 1) this.#addOpen(draw, `lobby-${index}`);
    for (let index = 0; index < 5; index += 1) this.#addGroup(draw, `room-${index}`);
  }

  get addresses(): string[] {
    return [
      ...[...this.#users.keys()].map((key) => `user.${key}`),
      ...[...this.#open.keys()].map((key) => `open_channel.${key}`),
      ...[...this.#group.keys()].map((key) => `group_channel.${key}`),
    ];
  }

  edit(draw: Chance): void {
    const key = `${draw.int(0, 40)}`;
    draw.one([
      () => this.#addUser(draw, `user-${key}`),
      () => this.#addOpen(draw, `lobby-${key}`),
      () => this.#addGroup(draw, `room-${key}`),
      () => this.#removeUser(draw),
      () => this.#group.size > 2 && this.#group.delete(draw.one([...this.#group.keys()])),
      () => this.#open.size > 2 && this.#open.delete(draw.one([...this.#open.keys()])),
    ])();
  }

  /** JSON is YAML: what is tested here is not the reading. */
  files(baseUrl: string, acknowledge: readonly object[] = []): Record<string, string> {
    const users = Object.fromEntries(
      Array.from(this.#users, ([key, { nickname, team, deactivated }]) => [
        key,
        { nickname, ...(team === undefined ? {} : { metadata: { team } }), ...(deactivated ? { deactivated } : {}) },
      ]),
    );
    const open = Object.fromEntries(
      Array.from(this.#open, ([key, { name, operators, frozen }]) => [
        key,
        { name, operators: [...operators], ...(frozen ? { frozen } : {}) },
      ]),
    );
    const group = Object.fromEntries(
      Array.from(this.#group, ([key, { members, operators, name, frozen }]) => [
        key,
        { name, members: Object.fromEntries(members), operators: [...operators], ...(frozen ? { frozen } : {}) },
      ]),
    );
    const base = {
      version: 1,
      application: { base_url: baseUrl, rate_plan: '100k_mau' },
      policy: {
        existing: 'adopt',
        ...(acknowledge.length === 0 ? {} : { acknowledge }),
        removals: { max_share: 1, min_count: 1000 },
        reopen: { frozen: 'allow', deactivated: 'allow' },
      },
    };
    return {
      'chat.yaml': JSON.stringify({ ...base, users }),
      'channels.yaml': JSON.stringify({ version: 1, open_channels: open, group_channels: group }),
    };
  }

  #addUser(draw: Chance, key: string): void {
    const team = draw.one([undefined, 'support', 'sales']);
    const deactivated = draw.is(0.1) && !this.#isNamed(key);
    this.#users.set(key, { nickname: draw.one(names), ...(team === undefined ? {} : { team }), deactivated });
  }

  #addOpen(draw: Chance, key: string): void {
    this.#open.set(key, { name: draw.one(names), operators: new Set(this.#some(draw, 2)), frozen: draw.is(0.3) });
  }

  #addGroup(draw: Chance, key: string): void {
    const members = new Set([draw.one(this.#active()), ...this.#some(draw, 6)]);
    const withStatus = [...members].map((id): [string, Record<string, string>] => [
      id,
      draw.is(0.2) ? { hidden_status: 'hidden_allow_auto_unhide' } : {},
    ]);
    const operators = new Set([...members].filter(() => draw.is(0.4)));
    this.#group.set(key, { members: new Map(withStatus), operators, name: draw.one(names), frozen: draw.is(0.2) });
  }

  #removeUser(draw: Chance): void {
    const free = [...this.#users.keys()].filter((key) => !this.#isNamed(key));
    if (this.#users.size > 4 && free.length > 0) this.#users.delete(draw.one(free));
  }

  #isNamed(key: string): boolean {
    const channels = [...this.#group.values()];
    return (
      channels.some(({ members, operators }) => members.has(key) || operators.has(key)) ||
      [...this.#open.values()].some(({ operators }) => operators.has(key))
    );
  }

  #active(): string[] {
    return [...this.#users].filter(([, { deactivated }]) => !deactivated).map(([key]) => key);
  }

  #some(draw: Chance, most: number): string[] {
    const active = this.#active();
    return Array.from({ length: draw.int(0, most + 1) }, () => draw.one(active));
  }
}
