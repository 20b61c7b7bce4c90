// Warns of ids that look like other ids: a reviewer cannot see that "аlice" begins with a Cyrillic letter.

import { foreignCharacters, lookOf, mixedWord } from '../../../lib/lookalikes.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { addressOf } from '../../model/address.ts';
import { printPosition, type SourcePosition } from '../../model/source.ts';
import type { BlockValue } from '../document/block.ts';
import { spotOfKey } from '../document/block-spots.ts';
import type { Problems, Spot } from '../problems/problems.ts';
import { quoted } from '../problems/wording.ts';
import type { Declarations } from './declarations.ts';

interface LookalikeContext {
  readonly kinds: readonly KindDefinition[];
  readonly declarations: Declarations;
  readonly problems: Problems;
}

interface ForeignKey {
  readonly kind: KindDefinition;
  readonly key: string;
  readonly spot: Spot;
}

/** The maximum number of compared keys, because there may be a million of another script. */
const maxCompared = 10_000;

export class Lookalikes {
  readonly #byLook = new Map<string, ForeignKey>();

  /** Notes a key that looks like another text, and reports it at once if a key that it looks like is known. */
  check({ kind, key, blockOf }: Pick<BlockValue, 'kind' | 'key' | 'blockOf'>, problems: Problems): void {
    const look = lookOf(key);
    if (look === key || this.#byLook.size >= maxCompared) return;
    const spot = spotOfKey(blockOf());
    const name = `${kind.keyName} ${look}`;
    const first = this.#byLook.get(name);
    if (first === undefined) this.#byLook.set(name, { kind, key, spot });
    else
      problems.add(
        'manifest.lookalike',
        likeness(kind, key, first.kind, first.key, positionOf(first.spot)),
        spot,
        'warning',
      );
  }

  /** Reports noted keys that look like a declared key, or mix scripts within a word. Called when all blocks were read. */
  end({ kinds, declarations, problems }: LookalikeContext): void {
    for (const { kind, key, spot } of this.#byLook.values()) {
      const look = lookOf(key);
      const rival = kinds.find(({ name, keyName }) => keyName === kind.keyName && declarations.has(name, look));
      const mixed = mixedWord(key);
      if (rival !== undefined) {
        const detail = likeness(kind, key, rival, look, declarations.positionOf(rival.name, look));
        problems.add('manifest.lookalike', detail, spot, 'warning');
      } else if (mixed !== undefined) {
        const detail = `${quoted(mixed)} mixes letters of two scripts that look alike: ${foreignCharacters(mixed)}. Write the word in one script.`;
        problems.add('manifest.lookalike', detail, spot, 'warning');
      }
    }
  }
}

function likeness(
  { keyName }: KindDefinition,
  key: string,
  other: KindDefinition,
  otherKey: string,
  position: SourcePosition | undefined,
): string {
  const place = position === undefined ? '' : ` (${printPosition(position)})`;
  return `The ${keyName} looks like ${addressOf(other.name, otherKey)}${place}, but ${foreignCharacters(key)}. Rename one of the two, or remove its block.`;
}

function positionOf({ source, offset }: Spot): SourcePosition {
  return source.position(offset);
}
