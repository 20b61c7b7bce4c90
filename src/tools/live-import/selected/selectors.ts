// Reads the patterns of `export --only`: a kind, an address, a glob of addresses, or the custom type of channels.
import { readTarget } from '../../../core/app/plans/targets.ts';
import type { KindDefinition } from '../../../core/kinds/definition/kind.ts';
import { addressOf } from '../../../core/model/address.ts';
import { usage } from '../../../core/model/errors.ts';
import { globMatcher } from '../../../lib/patterns/glob.ts';

/** One `--only`. */
export interface Selector {
  readonly text: string;
  /** The only keys of the kind that can match, or `all` if a list must be read. Empty if none can. */
  keysOf(kind: KindDefinition): readonly string[] | 'all';
  matches(kind: KindDefinition, key: string, customType: string | undefined): boolean;
}

const byType = 'custom_type=';

/** Refused (64) for text that is none of these. */
export function readSelector(text: string, kinds: readonly KindDefinition[]): Selector {
  const wholeKind = kinds.find(({ name, section }) => name === text || section === text);
  if (wholeKind !== undefined)
    return {
      text,
      keysOf: (kind) => (kind === wholeKind ? 'all' : []),
      matches: (kind) => kind === wholeKind,
    };
  if (text.startsWith(byType)) return ofType(text);
  const target = readTarget(text, '--only');
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

function ofType(text: string): Selector {
  let isMeant: (type: string) => boolean;
  try {
    isMeant = globMatcher(text.slice(byType.length), 'text');
  } catch (error) {
    throw usage(
      `--only "${text}" is not a valid pattern.`,
      `${error instanceof Error ? error.message : 'Shorten it'}.`,
    );
  }
  return {
    text,
    keysOf: ({ attributes }) => (attributes.custom_type === undefined ? [] : 'all'),
    matches: (_kind, _key, type) => type !== undefined && isMeant(type),
  };
}
