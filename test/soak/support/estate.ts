// Support: the manifests of a soak run, a small estate that is edited at random and stays valid.
import type { Chance } from '../../promise/support/chance.ts';

/** As JSON, in which undefined attributes are absent. */
interface User {
  readonly nickname: string;
  readonly metadata: { readonly team: string } | undefined;
  readonly deactivated: true | undefined;
}

interface Channel {
  readonly name: string;
  readonly members?: Readonly<Record<string, { readonly hidden_status?: string }>>;
  readonly operators: readonly string[];
  readonly frozen: true | undefined;
}

const names = ['Ann', 'Bo', 'Çelik', '<b>Dee</b>', '`Eve`', '\u001b[31mFay', '@gus #12', 'Hua\u202e'];

/** Always at least one object of each kind: removing a whole kind wants an acknowledgement. */
export class SoakEstate {
  readonly #users = new Map<string, User>();
  readonly #open = new Map<string, Channel>();
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

  /** JSON is YAML: what is tested here is not the behaviour. */
  files(baseUrl: string, acknowledge: readonly object[] = []): Record<string, string> {
    const policy = {
      existing: 'adopt',
      ...(acknowledge.length === 0 ? {} : { acknowledge }),
      removals: { max_share: 1, free_count: 1000 },
      reopen: { frozen: 'allow', deactivated: 'allow' },
    };
    const application = { base_url: baseUrl, rate_plan: '100k_mau' };
    const [users, open_channels, group_channels] = [this.#users, this.#open, this.#group].map((blocks) =>
      Object.fromEntries<User | Channel>(blocks),
    );
    return {
      'chat.yaml': JSON.stringify({ version: 1, application, policy, users }),
      'channels.yaml': JSON.stringify({ version: 1, open_channels, group_channels }),
    };
  }

  #addUser(draw: Chance, key: string): void {
    const team = draw.one([undefined, 'support', 'sales']);
    const deactivated = (draw.is(0.1) && !this.#isNamed(key)) || undefined;
    this.#users.set(key, { nickname: draw.one(names), metadata: team === undefined ? team : { team }, deactivated });
  }

  #addOpen(draw: Chance, key: string): void {
    const operators = [...new Set(this.#some(draw, 2))];
    this.#open.set(key, { name: draw.one(names), operators, frozen: draw.is(0.3) || undefined });
  }

  #addGroup(draw: Chance, key: string): void {
    const ids = [...new Set([draw.one(this.#active()), ...this.#some(draw, 6)])];
    const lines = ids.map((id) => [id, draw.is(0.2) ? { hidden_status: 'hidden_allow_auto_unhide' } : {}]);
    const operators = ids.filter(() => draw.is(0.4));
    const members = Object.fromEntries(lines);
    this.#group.set(key, { name: draw.one(names), members, operators, frozen: draw.is(0.2) || undefined });
  }

  #removeUser(draw: Chance): void {
    const free = [...this.#users.keys()].filter((key) => !this.#isNamed(key));
    if (this.#users.size > 4 && free.length > 0) this.#users.delete(draw.one(free));
  }

  #isNamed(key: string): boolean {
    return [...this.#group.values(), ...this.#open.values()].some(
      ({ members = {}, operators }) => Object.hasOwn(members, key) || operators.includes(key),
    );
  }

  #active(): string[] {
    return [...this.#users].filter(([, { deactivated }]) => deactivated === undefined).map(([key]) => key);
  }

  #some(draw: Chance, most: number): string[] {
    const active = this.#active();
    return Array.from({ length: draw.int(0, most + 1) }, () => draw.one(active));
  }
}
