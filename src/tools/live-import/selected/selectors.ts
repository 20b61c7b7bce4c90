// Reads the patterns of `export --only` and `--exclude`: a kind, an address, a glob of addresses, or the custom type of channels.
import { readTarget } from '../../../core/app/plans/targets.ts';
import type { KindDefinition } from '../../../core/kinds/definition/kind.ts';
import { addressOf } from '../../../core/model/address.ts';
import { usage } from '../../../core/model/errors.ts';
import { globMatcher } from '../../../lib/patterns/glob.ts';
import { chatformCommand } from '../../../lib/tools/pasted-words.ts';

type SelectingFlag = '--only' | '--exclude';

/** One `--only` or `--exclude`. */
export interface Selector {
  readonly text: string;
  /** The only keys of the kind that can match, or `all` if a list must be read. Empty if none can. */
  keysOf(kind: KindDefinition): readonly string[] | 'all';
  matches(kind: KindDefinition, key: string, customType: string | undefined): boolean;
}

const byType = 'custom_type=';

/** Refused (64) for text that is none of these. */
export function readSelector(text: string, flag: SelectingFlag, kinds: readonly KindDefinition[]): Selector {
  const wholeKind = kinds.find(({ name, section }) => name === text || section === text);
  if (wholeKind !== undefined)
    return {
      text,
      keysOf: (kind) => (kind === wholeKind ? 'all' : []),
      matches: (kind) => kind === wholeKind,
    };
  if (text.startsWith(byType)) return ofType(text, flag);
  const target = readTarget(text, flag);
  const [kindPart = '', ...rest] = target.text.split('.');
  return {
    text,
    keysOf: (kind) => {
      if (!target.isPattern) return kindPart === kind.name ? [rest.join('.')] : [];
      // A brace may contain the dot that ends the name of the kind.
      const mayBe = /[{}]/u.test(kindPart) || globMatcher(kindPart, 'text')(kind.name);
      return mayBe ? 'all' : [];
    },
    matches: (kind, key) => target.matches(addressOf(kind.name, key)),
  };
}

function ofType(text: string, flag: SelectingFlag): Selector {
  let isMeant: (type: string) => boolean;
  try {
    isMeant = globMatcher(text.slice(byType.length), 'text');
  } catch (error) {
    throw usage(
      `${flag} "${text}" is not a valid pattern.`,
      `${error instanceof Error ? error.message : 'Shorten it'}.`,
    );
  }
  return {
    text,
    keysOf: ({ attributes }) => (attributes.custom_type === undefined ? [] : 'all'),
    matches: (_kind, _key, type) => type !== undefined && isMeant(type),
  };
}

/** The objects that --exclude leaves out of an export. */
export class Exclusions {
  readonly #selectors: readonly Selector[];
  readonly #unmatched: Set<Selector>;

  /** Refused (64) for text that is no pattern. */
  constructor(texts: readonly string[], kinds: readonly KindDefinition[]) {
    this.#selectors = texts.map((text) => readSelector(text, '--exclude', kinds));
    this.#unmatched = new Set(this.#selectors);
  }

  /** `type` is the custom type in the response of the platform. */
  has(kind: KindDefinition, key: string, type: unknown): boolean {
    const matching = this.#selectors.filter((selector) => selector.matches(kind, key, typeIn(kind, type)));
    for (const selector of matching) this.#unmatched.delete(selector);
    return matching.length > 0;
  }

  /** Refused (64) when a pattern has matched nothing. `among` says where: `on the platform`. */
  demandMatched(among: string): void {
    demandMatchedSelectors(this.#unmatched, '--exclude', among);
  }
}

/** The custom type of an object, or undefined if its kind has none. */
export function typeIn({ attributes }: KindDefinition, type: unknown): string | undefined {
  if (attributes.custom_type === undefined) return undefined;
  return typeof type === 'string' ? type : '';
}

/** Refused (64) when a pattern has matched nothing. */
export function demandMatchedSelectors(unmatched: Iterable<Selector>, flag: SelectingFlag, among: string): void {
  const texts = Array.from(unmatched, ({ text }) => JSON.stringify(text));
  if (texts.length === 0) return;
  throw usage(
    `${flag} ${texts.join(', ')} matches nothing ${among}.`,
    `Nothing was written. Check the spelling: ${chatformCommand('drift', '--unmanaged')} shows the kinds and custom types that exist and are not managed.`,
  );
}
