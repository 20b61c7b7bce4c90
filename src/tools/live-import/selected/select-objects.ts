// Reads the objects that `export --only` selects and nobody manages, and on request the users that they need. Lists are filtered
// page by page, so that neither memory nor the reads of members grow with the rest of the application.
import type { Ports } from '../../../core/app/context/ports.ts';
import type { KindDefinition } from '../../../core/kinds/definition/kind.ts';
import { personKinds, userKinds } from '../../../core/kinds/parts/people.ts';
import { type Address, addressOf } from '../../../core/model/address.ts';
import { isEssential, type ListedObject, listAll } from '../../../core/refresh/listing.ts';
import type { LiveReader } from '../../../core/refresh/send.ts';
import type { Collect } from '../../../lib/series.ts';
import { Sorter } from '../../../lib/sorter.ts';
import type { Inventory } from '../export/read-application.ts';
import { demandMatchedSelectors, type Exclusions, type Selector, typeIn } from './selectors.ts';

/** What is known about an object before it is read. */
type ManagedStanding =
  /** In state and declared. */
  | 'managed'
  /** Declared, but not in state. */
  | 'declared'
  /** In state, but not declared any more. */
  | 'removed'
  | 'unmanaged';

export interface SelectionContext {
  readonly kinds: readonly KindDefinition[];
  readonly selectors: readonly Selector[];
  readonly exclusions: Exclusions;
  /** Whether to read the users that selected objects need. */
  readonly withUsers: boolean;
  readonly readEach: boolean;
  readonly collect: Collect;
  standingOf(kind: KindDefinition, key: string): ManagedStanding;
  /** Whether a policy says that the object is managed elsewhere. */
  isExternal(kind: KindDefinition, key: string): boolean;
}

export interface SelectedObjects {
  /** Objects that are neither declared nor in state. */
  readonly inventories: readonly Inventory[];
  /** The addresses of selected objects that are declared but not in state, sorted, each once. */
  readonly declared: Iterable<Address>;
  /** The addresses of selected objects that are in state but not declared any more. */
  readonly removed: Iterable<Address>;
  /** How many selected objects are declared and in state. */
  readonly managed: number;
  /** The attributes that the platform does not offer. */
  readonly lacking: readonly string[];
}

const pagesBetweenNotices = 100;

/** The kinds whose lists must be read as a whole. */
export function listedKinds({ kinds, selectors }: Pick<SelectionContext, 'kinds' | 'selectors'>): KindDefinition[] {
  return kinds.filter(
    (kind) => kind.live?.list !== undefined && selectors.some((selector) => selector.keysOf(kind) === 'all'),
  );
}

/** Refused (64) when a pattern matches nothing. */
export async function selectObjects(
  context: SelectionContext,
  reader: LiveReader,
  ports: Pick<Ports, 'notify'>,
): Promise<SelectedObjects> {
  const selection = new Selection(context, reader, ports);
  const live = context.kinds.filter((kind) => kind.live !== undefined);
  await Promise.all(live.map((kind) => selection.readKind(kind)));
  selection.demandMatched();
  if (context.withUsers) await selection.readNeeded();
  context.exclusions.demandMatched('that --only selects');
  return selection.end();
}

class Selection {
  readonly #context: SelectionContext;
  readonly #reader: LiveReader;
  readonly #notify: Ports['notify'];
  readonly #objects = new Map<KindDefinition, Sorter<ListedObject>>();
  readonly #ended = new Map<KindDefinition, Iterable<ListedObject>>();
  readonly #declared: Sorter<Address>;
  readonly #removed: Sorter<Address>;
  readonly #managed: Sorter<Address>;
  readonly #unmatched: Set<Selector>;
  readonly #lacking = new Set<string>();

  constructor(context: SelectionContext, reader: LiveReader, { notify }: Pick<Ports, 'notify'>) {
    this.#context = context;
    this.#reader = reader;
    this.#notify = notify;
    const sorted = () => new Sorter<Address>(context.collect, (address) => address);
    [this.#declared, this.#removed, this.#managed] = [sorted(), sorted(), sorted()];
    this.#unmatched = new Set(context.selectors);
  }

  async readKind(kind: KindDefinition): Promise<void> {
    const { selectors } = this.#context;
    const keys = selectors.map((selector) => selector.keysOf(kind));
    if (keys.every(({ length }) => length === 0)) return;
    const some = keys.includes('all') ? undefined : new Set(keys.flat());
    await this.#read(kind, some, (key, type) => {
      const matching = selectors.filter((selector) => selector.matches(kind, key, type));
      for (const selector of matching) this.#unmatched.delete(selector);
      return matching.length > 0;
    });
  }

  demandMatched(): void {
    demandMatchedSelectors(this.#unmatched, '--only', 'on the platform');
  }

  /** A reference means the user, or the bot if no user has the id. */
  async readNeeded(): Promise<void> {
    const { kinds, collect, standingOf, isExternal } = this.#context;
    const users = userKinds.flatMap((name) => kinds.filter((kind) => kind.name === name));
    const isKnown = (kind: KindDefinition, key: string) =>
      standingOf(kind, key) !== 'unmanaged' || isExternal(kind, key);
    const needed = new Sorter<string>(collect, (key) => key);
    for (const kind of this.#objects.keys()) {
      if (userKinds.includes(kind.name)) continue;
      for (const { attributes } of this.#sorted(kind)) {
        for (const { key } of kind.references?.(attributes) ?? []) {
          if (!users.some((user) => isKnown(user, key))) needed.push(key);
        }
      }
    }
    const keys = needed.end();
    for (const kind of users) {
      // Bots have no list that is filtered by keys, so only ids that no user has are asked for.
      const among = personKinds.includes(kind.name) ? keys : this.#without(keys, users[0]);
      await this.#read(kind, among, () => true);
    }
  }

  end(): SelectedObjects {
    const { kinds } = this.#context;
    const inventories = kinds.flatMap((kind): Inventory[] => {
      const atMost = this.#objects.get(kind)?.count;
      if (atMost === undefined) return [];
      return [{ kind, atMost, [Symbol.iterator]: () => this.#sorted(kind)[Symbol.iterator]() }];
    });
    let managed = 0;
    for (const _address of this.#managed.end()) managed += 1;
    return {
      inventories,
      declared: this.#declared.end(),
      removed: this.#removed.end(),
      managed,
      lacking: [...this.#lacking].sort(),
    };
  }

  async #read(
    kind: KindDefinition,
    keys: Iterable<string> | undefined,
    isSelected: (key: string, type: string | undefined) => boolean,
  ): Promise<void> {
    const { collect, readEach, standingOf, exclusions } = this.#context;
    const objects = this.#objects.get(kind) ?? new Sorter<ListedObject>(collect, ({ key }) => key);
    this.#objects.set(kind, objects);
    const besides = { managed: this.#managed, declared: this.#declared, removed: this.#removed };
    let [pages, listed] = [0, 0];
    const options = {
      readEach,
      ...(keys === undefined ? {} : { keys }),
      isWanted: (key: string, answer: { readonly custom_type?: unknown }): boolean => {
        listed += 1;
        const { custom_type: type } = answer;
        if (!isSelected(key, typeIn(kind, type)) || exclusions.has(kind, key, type)) return false;
        const standing = standingOf(kind, key);
        if (standing === 'unmanaged') return true;
        besides[standing].push(addressOf(kind.name, key));
        return false;
      },
      mayLack: (attribute: string | undefined): boolean => {
        if (isEssential(kind, attribute)) return false;
        this.#lacking.add(attribute === undefined ? kind.section : `${kind.section}.${attribute}`);
        return true;
      },
    };
    for await (const page of listAll(kind, this.#reader, options)) {
      for (const object of page) objects.push(object);
      pages += 1;
      if (pages % pagesBetweenNotices === 0)
        this.#notify({ type: 'export-progress', title: kind.title, objects: listed });
    }
  }

  *#without(keys: Iterable<string>, kind: KindDefinition | undefined): Generator<string> {
    const known = kind === undefined ? [] : this.#sorted(kind);
    const rest = known[Symbol.iterator]();
    let next = rest.next();
    for (const key of keys) {
      while (next.done !== true && next.value.key < key) next = rest.next();
      if (next.done === true || next.value.key !== key) yield key;
    }
  }

  #sorted(kind: KindDefinition): Iterable<ListedObject> {
    const sorted = this.#ended.get(kind) ?? this.#objects.get(kind)?.end() ?? [];
    this.#ended.set(kind, sorted);
    return sorted;
  }
}
