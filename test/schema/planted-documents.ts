// Types for the test of the generator of schemas.
import type { Count, FormatVersion, JsonObject, JsonValue } from '../../src/lib/json.ts';
import type { Series } from '../../src/lib/series.ts';

const colours = ['red', 'green', 'blue'] as const;
const shapes = { round: 1, square: 2 } as const;

export interface PlantedDocuments {
  /** @title planted */
  readonly document: Planted;
}

export interface Undescribable {
  readonly document: { readonly made: () => string };
}

export interface WithMethod {
  readonly document: { read(): string };
}

interface Base {
  readonly format_version: FormatVersion;
  readonly left_out: Date;
  /** Replaced by the type below. */
  readonly replaced?: string | number;
}

/**
 * What a document says, with
 * two lines and `code`.
 */
interface Planted extends Omit<Base, 'left_out'> {
  readonly replaced: number;
  /**
   * How often.
   * @minimum 3
   */
  readonly often?: Count;
  readonly colours: readonly (typeof colours)[number][];
  readonly some: Exclude<(typeof colours)[number], 'red'>;
  readonly shape: keyof typeof shapes;
  readonly by_colour: Readonly<Partial<Record<(typeof colours)[number], Count>>>;
  readonly by_name: Readonly<Record<string, boolean>>;
  readonly pair: readonly [string, number];
  readonly series: Series<Leaf>;
  readonly either: string | null;
  readonly any?: JsonValue;
  readonly object: JsonObject;
  readonly absent: string | undefined;
  /** A node. */
  readonly tree: Tree;
  readonly variant: Variant;
  readonly picked: Pick<Leaf, 'name'> & { readonly also: true };
  readonly boxed: Box<Leaf>;
}

interface Leaf {
  readonly name: string;
  readonly parts: readonly string[];
}

/** Contains itself. */
interface Tree {
  readonly branches: readonly Tree[];
}

type Variant =
  /** The first. */
  | { readonly code: 'first'; readonly run: Count }
  /** The others. */
  | { readonly code: 'second' | 'third' };

interface Box<Content> {
  readonly content: Content;
}
