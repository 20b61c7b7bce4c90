// What is declared by a block that is like many others but for some texts? Most who ask want the texts alone.

import type { JsonObject, JsonValue } from '../../lib/json.ts';
import { type Address, addressOf } from '../../model/address.ts';
import type { AlikeResource, Lifecycle, Resource, ResourceShape } from '../../model/resource.ts';
import type { SourcePosition } from '../../model/source.ts';
import type { BlockContent } from '../blocks/block.ts';
import type { AlikeTexts, BlockShape, DeclaredValue } from '../blocks/block-list.ts';

/** What a value declares, in its kind's normal form. */
export type ContentOf = (key: string, value: JsonValue) => BlockContent;

/** The rest is read when somebody asks for it. */
export class ResourceLikeOthers implements Resource, AlikeResource {
  readonly address: Address;
  readonly shape: ResourceShape;
  readonly #declared: DeclaredValue;
  readonly #texts: AlikeTexts;
  readonly #contentOf: ContentOf;
  #content: BlockContent | undefined;

  constructor(kind: string, declared: DeclaredValue, texts: AlikeTexts, contentOf: ContentOf) {
    this.address = addressOf(kind, declared.key);
    this.shape = shapeOf(texts.shape, contentOf);
    this.#declared = declared;
    this.#texts = texts;
    this.#contentOf = contentOf;
  }

  get attributes(): JsonObject {
    return this.#whole().attributes;
  }

  get lifecycle(): Lifecycle {
    return this.#whole().lifecycle;
  }

  get source(): SourcePosition {
    return this.#declared.source;
  }

  get alike(): AlikeResource {
    return this;
  }

  get texts(): readonly string[] {
    return this.#texts.texts;
  }

  get areAscii(): boolean {
    return this.#texts.areAscii;
  }

  /** Like all others: what is read on demand is no property that JSON sees. */
  toJSON(): Omit<Resource, 'alike'> {
    const { address, attributes, lifecycle, source } = this;
    return { address, attributes, lifecycle, source };
  }

  #whole(): BlockContent {
    this.#content ??= this.#contentOf(this.#declared.key, this.#declared.value);
    return this.#content;
  }
}

const shapes = new WeakMap<BlockShape, ResourceShape>();

function shapeOf(shape: BlockShape, contentOf: ContentOf): ResourceShape {
  const known = shapes.get(shape);
  if (known !== undefined) return known;
  const made: ResourceShape = { filled: (key, texts) => contentOf(key, shape.valueWith(key, texts)) };
  shapes.set(shape, made);
  return made;
}
