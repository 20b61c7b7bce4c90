// Reads every declared block once: fills it in, checks it, and keeps its resource and the digest of its key.

import { isAscii, type JsonObject } from '../../../lib/json.ts';
import { secretsIn } from '../../../lib/patterns/secret-values.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { addressOf } from '../../model/address.ts';
import { secretValueCode } from '../../model/policy.ts';
import { printPosition } from '../../model/source.ts';
import { type AllowedHosts, checkCallbacks } from '../checks/callbacks.ts';
import type { Declarations } from '../checks/declarations.ts';
import type { NoSecret } from '../checks/diagnostic-settings.ts';
import type { Lookalikes } from '../checks/lookalikes.ts';
import { checkSharedKey, DistinctChannels, References, type RelationContext } from '../checks/relations.ts';
import { checkRestricted, type PolicyRestrictions } from '../checks/restrictions.ts';
import type { SecretVariables } from '../checks/secrets.ts';
import {
  attributeSources,
  type BlockContext,
  type BlockValue,
  namesFiles,
  prepareFiles,
  readBlock,
  traitsOf,
} from '../document/block.ts';
import { spotOfKey, spotOfMeaning, spotOfPath } from '../document/block-spots.ts';
import {
  type BlockList,
  type DeclaredBlock,
  fileIn,
  positionOfBlock,
  SectionList,
} from '../document/declared-block.ts';
import { type IdPaths, toJson } from '../files/tree.ts';
import type { Overlays } from '../overlays/overlays.ts';
import type { Problems } from '../problems/problems.ts';
import { quoted } from '../problems/wording.ts';
import type { SourceList } from '../rows/source-list.ts';
import { blockProperties } from '../schema/block-schema.ts';
import type { DeclaredLists } from './sections.ts';

export interface BlocksContext extends BlockContext {
  readonly declarations: Declarations;
  readonly around: RelationContext;
  /** Absent if the policy has no restrictions. */
  readonly restrictions: PolicyRestrictions | undefined;
  readonly secrets: SecretVariables;
  readonly lookalikes: Lookalikes;
  readonly allowedHosts: AllowedHosts;
  readonly isNoSecret: NoSecret;
  /** Absent if no file extends another. */
  readonly overlays: Overlays | undefined;
}

interface ListedBlock extends BlockValue {
  readonly list: BlockList;
  /** The position in the list (declared-block.ts). */
  readonly place: number;
  /** Whether the resource keeps the positions of its attributes. Rows of files do not. */
  readonly hasPlaces: boolean;
}

/** Checks the content of one block, and may use what was declared before it. */
type CheckOfContent = (block: BlockValue, attributes: JsonObject) => void;

interface BlockCheck {
  /** Whether this kind's blocks could fail the check. The blocks of earlier kinds have been read by then. */
  applies(kind: KindDefinition, context: BlocksContext): boolean;
  /** Called once for each kind to which the check applies. */
  make(context: BlocksContext): CheckOfContent;
}

/**
 * The checks after those of the schema. Only the first problem of a position is shown, and a check that does not apply to any
 * block runs no code.
 */
const contentChecks: readonly BlockCheck[] = [
  {
    applies: sharesKeys,
    make: (context) => (block) => checkSharedKey(block, context.declarations, context),
  },
  {
    applies: () => true,
    make: (context) => (block) => {
      if (!isAscii(block.key)) context.lookalikes.check(block, context.problems);
    },
  },
  {
    applies: ({ references }) => references !== undefined,
    make: (context) => {
      const references = new References(context.around, context);
      return ({ kind, blockOf }, attributes) => references.check(kind, attributes, blockOf);
    },
  },
  {
    applies: ({ callbacks }) => callbacks !== undefined,
    make:
      ({ allowedHosts, problems }) =>
      ({ kind, blockOf }, attributes) =>
        checkCallbacks(kind, attributes, blockOf, allowedHosts, problems),
  },
  {
    applies: () => true,
    make:
      (context) =>
      ({ blockOf }, attributes) =>
        checkSecretValues(attributes, blockOf, context),
  },
  {
    applies: ({ identity }) => identity !== undefined,
    make: ({ declarations, problems }) => {
      const distinct = new DistinctChannels();
      return (block, attributes) => distinct.check(block, attributes, declarations, problems);
    },
  },
];

/** Collects the declarations. In the registry, kinds precede the kinds that refer to them. */
export async function readBlocks({ sections, sources }: DeclaredLists, context: BlocksContext): Promise<void> {
  const reader = new BlockReader(context);
  const lists = [...sections, ...sources];
  for (const kind of context.kinds) {
    const inOrder = context.overlays?.inLayers(lists) ?? lists;
    const listsOfKind = inOrder.filter((list) => list.kind === kind);
    if (listsOfKind.length > 0) reader.begin(kind);
    for (const list of listsOfKind) {
      if (list instanceof SectionList) await reader.section(list);
      else await reader.source(list);
    }
    context.declarations.close(kind);
  }
}

/** Whether another kind declares objects with keys of the same name, such as users beside bots. */
function sharesKeys(kind: KindDefinition, { kinds, declarations }: BlocksContext): boolean {
  return kinds.some((other) => other !== kind && other.keyName === kind.keyName && declarations.sizeOf(other.name) > 0);
}

class BlockReader {
  readonly #context: BlocksContext;
  #checks: readonly CheckOfContent[] = [];

  constructor(context: BlocksContext) {
    this.#context = context;
  }

  /** Call this before reading the kind's blocks. */
  begin(kind: KindDefinition): void {
    const checks = contentChecks.filter(({ applies }) => applies(kind, this.#context));
    this.#checks = checks.map(({ make }) => make(this.#context));
  }

  async section(list: SectionList): Promise<void> {
    const { overlays } = this.#context;
    for (let index = 0; index < list.items.length; index += 1) {
      const block = list.blockAt(index);
      const attributes = isEmpty(block) ? this.#attributesBelow(list, index) : 0;
      if (attributes > 0) {
        this.#takeEmptied(list, index, block);
        index += attributes;
        continue;
      }
      const laid = overlays === undefined ? block : overlays.lay(list, index, block);
      if (laid !== undefined) await this.#take(listed(list, index, laid, list.idPaths));
    }
  }

  async source(list: SourceList): Promise<void> {
    const { overlays, problems } = this.#context;
    const fileOf = () => list.file;
    let index = 0;
    for await (const rows of list.read(problems)) {
      for (const row of rows) {
        const { key, value } = row;
        const place = row.row.line;
        const blockOf = () => list.blockOf(row);
        const block = { kind: list.kind, key, value, fileOf, blockOf, list, place, hasPlaces: false };
        if (overlays?.concerns(list, key) === true) {
          const laid = overlays.lay(list, index, blockOf());
          if (laid !== undefined) await this.#take(listed(list, place, laid, overlays.idPathsOf(list)));
        } else if (namesFiles(block)) await this.#take(block);
        else this.#takeNow(block);
        index += 1;
      }
    }
  }

  async #take(block: ListedBlock): Promise<void> {
    if (namesFiles(block)) await prepareFiles(block, this.#context);
    this.#takeNow(block);
  }

  #takeNow(block: ListedBlock): void {
    const { kind, key, value, blockOf, list, place } = block;
    const { declarations, restrictions, problems } = this.#context;
    if (traitsOf(kind).secrets.length > 0) {
      this.#context.secrets.check(kind, value, (path) => spotOfPath(blockOf(), path, 'value'));
    }
    const first = declarations.add(list, key, place);
    if (first !== undefined) {
      const detail = `${addressOf(kind.name, key)} is declared here and at ${printPosition(first)}. Keep one of them.`;
      problems.add('manifest.duplicate-resource', detail, spotOfKey(blockOf()));
      return;
    }
    if (restrictions !== undefined) checkRestricted(block, restrictions, problems);
    const { attributes, lifecycle } = readBlock(block, this.#context);
    for (const check of this.#checks) check(block, attributes);
    const address = addressOf(kind.name, key);
    if (block.hasPlaces) {
      const written = blockOf();
      const source = positionOfBlock(written);
      declarations.put(kind, { address, attributes, lifecycle, source, attributeSources: attributeSources(written) });
    } else declarations.put(kind, { address, attributes, lifecycle, source: list.positionAt(place) });
  }

  /** Counts the following blocks whose names are attributes of the kind. */
  #attributesBelow(list: SectionList, index: number): number {
    const attributes = blockProperties(list.kind);
    let next = index + 1;
    while (next < list.items.length && Object.hasOwn(attributes, list.items.keyAt(next))) next += 1;
    return next - index - 1;
  }

  /** Reports an empty block above keys that are named like its attributes, which are not indented far enough. */
  #takeEmptied(list: SectionList, index: number, block: DeclaredBlock): void {
    const { declarations, problems } = this.#context;
    const { kind, key, address } = block;
    const next = list.blockAt(index + 1);
    declarations.add(list, key, index);
    declarations.put(kind, { address, attributes: {}, lifecycle: {}, source: positionOfBlock(block) });
    const detail = `${key} has no content, but the lines below it are attributes of a ${kind.title}. Indent ${quoted(next.key)} further than ${quoted(key)}.`;
    const { source, offset } = spotOfKey(next);
    problems.add('manifest.wrong-type', detail, { source, offset });
  }
}

function isEmpty({ entry: { value } }: DeclaredBlock): boolean {
  return value.type === 'scalar' && value.value === null;
}

function listed(list: BlockList, place: number, block: DeclaredBlock, ids: IdPaths): ListedBlock {
  return {
    kind: block.kind,
    key: block.key,
    value: toJson(block.entry.value, ids),
    fileOf: (name) => fileIn(block, name),
    blockOf: () => block,
    list,
    place,
    hasPlaces: true,
  };
}

function checkSecretValues(
  attributes: JsonObject,
  blockOf: () => DeclaredBlock,
  context: { readonly isNoSecret: NoSecret; readonly problems: Problems },
): void {
  for (const { path, what } of secretsIn(attributes)) {
    const block = blockOf();
    const name = path.join('.');
    const value = `${block.address}.${name}`;
    if (context.isNoSecret(value)) continue;
    const detail = `${name} seems to contain ${what}. Everybody who can read the manifest, the application or its exports sees it. If it is a secret, revoke it, and keep it in a program of your own. If it is not, add "${value}" to policy.diagnostics.${secretValueCode}.except. Plans show the start of its SHA-256.`;
    context.problems.add(secretValueCode, detail, { ...spotOfMeaning(block, path), secret: true }, 'warning');
  }
}
