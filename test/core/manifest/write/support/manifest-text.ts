// Support: generates manifests as people write them: keys out of order, brackets, quotes, anchors, and comments everywhere.
import { seededRandom } from '../../../../../src/emulator/random.ts';

const ids = ['alice', 'bob', '00123', '1e5', 'yes', 'null', 'a b', "d'arc", 'ünï', '#7', 'x:y'];
const texts = [
  ...['Alice', 'true', '12', 'a: b', "it's", 'C:\\x', '', 'two  spaces', '# none', '~', '[x]', '- a'],
  'long text of words',
];

/** Returns a manifest for a seed, with numbered comments, so that a lost comment is detected. */
export function manifestText(seed: number): string {
  return new Writer(seed).manifest();
}

/** Choices of a seed. */
function chanceOf(seed: number) {
  const random = seededRandom(seed);
  const integer = (min: number, max: number): number => min + Math.floor(random() * (max - min + 1));
  const pick = <T>(items: readonly T[]): T => items[integer(0, items.length - 1)] as T;
  const list = <T>(items: readonly T[], min: number, max: number): T[] =>
    Array.from({ length: integer(min, max) }, () => pick(items));
  /** Different items in any order. */
  const some = <T>(items: readonly T[], min: number, max: number): T[] => {
    const left = [...items];
    const count = Math.min(integer(min, max), items.length);
    return Array.from({ length: count }, () => left.splice(integer(0, left.length - 1), 1)).flat();
  };
  return { integer, pick, list, some, boolean: (): boolean => random() < 0.5 };
}

class Writer {
  readonly #chance: ReturnType<typeof chanceOf>;
  #comments = 0;
  #anchors = 0;
  /** Attributes of members, which are the same everywhere. */
  readonly #memberAnchors: string[] = [];

  constructor(seed: number) {
    this.#chance = chanceOf(seed);
  }

  manifest(): string {
    const sections = [
      () => ['version: 1'],
      () => this.#section('users', (pad) => this.#user(pad)),
      () => this.#section('open_channels', (pad) => this.#channel(pad, [])),
      () => this.#section('group_channels', (pad) => this.#channel(pad, [(inner) => this.#members(inner)])),
      () => this.#removed(),
    ];
    const order = this.#chance.some(sections, 1, sections.length);
    const lines = order.flatMap((section) => [...this.#gap(''), ...section()]);
    return `${[...lines, ...this.#gap('')].join('\n')}${this.#chance.pick(['\n', '', '\n\n'])}`;
  }

  #section(name: string, block: (pad: string) => string[]): string[] {
    const pad = ' '.repeat(this.#chance.integer(1, 5));
    const keys = this.#chance.some(ids, 1, 3);
    const lines = keys.flatMap((key) => [...this.#gap(pad), `${pad}${this.#key(key)}:${this.#end()}`, ...block(pad)]);
    return [`${name}:${this.#end()}`, ...lines, ...this.#gap(pad)];
  }

  #user(pad: string): string[] {
    return this.#attributes(pad, [
      (inner) => [`${inner}nickname: ${this.#text(inner)}${this.#end()}`],
      (inner) => [`${inner}profile_url: ${this.#text(inner)}${this.#end()}`],
      (inner) => [`${inner}metadata: {${this.#chance.pick(['', ' '])}"t": ${this.#quoted()},  u: x }${this.#end()}`],
      (inner) => [`${inner}session_token_expires_at: 1893456000000${this.#end()}`],
      (inner) => [`${inner}issue_session_token: true${this.#end()}`],
    ]);
  }

  #channel(pad: string, more: readonly ((pad: string) => string[])[]): string[] {
    return this.#attributes(pad, [
      (inner) => [`${inner}name: ${this.#text(inner)}${this.#end()}`],
      (inner) => this.#block(inner),
      (inner) => this.#list(inner, this.#chance.pick(['operators', 'operator_ids'])),
      (inner) => [`${inner}frozen: ${this.#chance.boolean()}${this.#end()}`],
      ...more,
    ]);
  }

  #attributes(pad: string, attributes: readonly ((pad: string) => string[])[]): string[] {
    const inner = pad + ' '.repeat(this.#chance.integer(1, 4));
    const chosen = this.#chance.some(attributes, 1, attributes.length);
    return [...chosen.flatMap((write) => [...this.#gap(inner), ...write(inner)]), ...this.#gap(inner)];
  }

  #members(pad: string): string[] {
    const form = this.#chance.pick(['members', 'members', 'user_ids', 'users', 'alias']);
    if (form === 'user_ids') return this.#list(pad, 'user_ids');
    const known = this.#memberAnchors.at(-1);
    if (form === 'alias' && known !== undefined) return [`${pad}members: *${known}${this.#end()}`];
    const inner = `${pad}  `;
    const chosen = this.#chance.some(ids, 1, 3);
    if (form === 'users') {
      const items = chosen.flatMap((id) => [...this.#gap(pad), `${pad}- user_id: ${this.#key(id)}${this.#end()}`]);
      return [`${pad}users:${this.#end()}`, ...items];
    }
    const anchor = this.#chance.boolean() ? `m${this.#anchors++}` : undefined;
    const merged = known !== undefined && this.#chance.boolean() ? [`${inner}<<: *${known}${this.#end()}`] : [];
    const statuses = ['', ' {}', ' { hidden_status: unhidden,invitation_status: "joined"}'];
    const lines = chosen.flatMap((id) => [
      ...this.#gap(inner),
      `${inner}${this.#key(id)}:${this.#chance.pick(statuses)}${this.#end()}`,
    ]);
    if (anchor !== undefined) this.#memberAnchors.push(anchor);
    return [`${pad}members:${anchor === undefined ? '' : ` &${anchor}`}${this.#end()}`, ...lines, ...merged];
  }

  #list(pad: string, name: string): string[] {
    const chosen = this.#chance.some(ids, 1, 3);
    const items = chosen.map((id) => this.#key(id));
    if (this.#chance.boolean())
      return [`${pad}${name}: [${items.join(this.#chance.pick([',', ', ', ` ,\n ${pad}`]))}]${this.#end()}`];
    const inner = pad + ' '.repeat(this.#chance.integer(0, 3));
    return [
      `${pad}${name}:${this.#end()}`,
      ...items.flatMap((id) => [...this.#gap(inner), `${inner}- ${id}${this.#end()}`]),
    ];
  }

  /** A text after | or >. */
  #block(pad: string): string[] {
    const sign = this.#chance.pick(['|', '>', '|-', '>+', '|2']);
    const inner = sign === '|2' ? `${pad}  ` : pad + ' '.repeat(this.#chance.integer(1, 4));
    const body = this.#chance.list(['one', '  two', '', '# three', 'a: b'], 1, 4);
    const first = sign === '|2' ? [] : [`${inner}first`];
    return [`${pad}data: ${sign}${this.#end()}`, ...first, ...body.map((line) => (line === '' ? '' : inner + line))];
  }

  #removed(): string[] {
    const entries = ['address: user.gone', 'on_remove: forget'];
    const [one = '', two = ''] = this.#chance.some(entries, 2, 2);
    return [`removed:${this.#end()}`, `- ${one}${this.#end()}`, ...this.#gap('  '), `  ${two}${this.#end()}`];
  }

  /** Comments and blank lines above a node at a column, each perhaps slightly misaligned. */
  #gap(pad: string): string[] {
    return this.#chance
      .list(['', 'comment', 'deeper'], 0, 2)
      .map((line) => (line === '' ? '' : `${pad}${line === 'deeper' ? '   ' : ''}# comment ${this.#comments++}.`));
  }

  #end(): string {
    const isSaid = this.#chance.integer(0, 4) === 0;
    return isSaid ? `${this.#chance.pick([' ', '   '])}# comment ${this.#comments++}.` : '';
  }

  /** A key or an id. */
  #key(text: string): string {
    return this.#chance.boolean() || /^#|: /u.test(text) ? this.#quote(text) : text;
  }

  #text(pad: string): string {
    if (this.#chance.integer(0, 3) > 0) return this.#quoted();
    const inner = `${pad}${' '.repeat(this.#chance.integer(1, 3))}`;
    return this.#chance.pick([
      'plain words',
      `words over\n${inner}two lines`,
      `"in quotes\n\n${inner}over lines"`,
      `\n${inner}below`,
    ]);
  }

  #quoted(): string {
    return this.#quote(this.#chance.pick(texts));
  }

  #quote(text: string): string {
    return this.#chance.boolean() ? JSON.stringify(text) : `'${text.replaceAll("'", "''")}'`;
  }
}
