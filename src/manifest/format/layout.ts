// The layout of a manifest: its parts with every comment, anchor and blank line in place.

/** Spaces of one level of indentation. */
export const step = 2;

/** Comment lines from their `#` on; '' for a blank line. */
export type Lines = readonly string[];

/** The anchors that a part sets and uses. They decide which parts may change places. */
export interface Names {
  readonly anchors: ReadonlySet<string>;
  readonly aliases: ReadonlySet<string>;
}

/** A value on one line, as written: a plain or quoted scalar, or an alias. */
export interface ScalarLayout {
  readonly type: 'scalar';
  readonly source: string;
  /** The text that the source stands for; for an alias, its source. */
  readonly text: string;
  readonly style: 'plain' | 'quoted' | 'alias';
}

/** A plain or quoted text over several lines, without indentation. The first line is beside the key. */
interface FoldedLayout {
  readonly type: 'folded';
  readonly lines: Lines;
}

/** A text after | or >. Lines without their indentation. */
interface BlockTextLayout {
  readonly type: 'block-text';
  /** An explicit indentation is replaced by that of one level. */
  readonly header: string;
  readonly lines: Lines;
}

/** A collection in brackets on one line, without comments. */
export interface FlowLayout {
  readonly type: 'flow-map' | 'flow-list';
  readonly entries: readonly FlowEntry[];
}

export interface FlowEntry {
  /** Absent for the items of a list. */
  readonly key?: ScalarLayout;
  /** Anchors before the key, and before the value. */
  readonly keyProps: string;
  readonly props: string;
  readonly value?: Layout;
  readonly names: Names;
}

/** A collection in brackets over several lines: each line as written, with the number of brackets open at its start. */
export interface BracketsLayout {
  readonly type: 'brackets';
  readonly lines: readonly { readonly depth: number; readonly text: string }[];
}

export interface MapLayout {
  readonly type: 'map';
  readonly entries: readonly LayoutEntry[];
  /** Comments after the last entry. */
  readonly tail: Lines;
}

interface ListLayout {
  readonly type: 'list';
  readonly items: readonly LayoutItem[];
  readonly tail: Lines;
}

/** An item of a list, or the part of a map's entry after its key. */
export interface LayoutItem {
  /** Comments and blank lines above. */
  readonly lead: Lines;
  /** The anchor. */
  readonly props: string;
  readonly value?: Layout;
  /** The comment on its line, with the spaces before it. */
  readonly comment: string;
  readonly names: Names;
}

export interface LayoutEntry extends LayoutItem {
  readonly keyProps: string;
  readonly key: ScalarLayout;
}

export type Layout =
  | ScalarLayout
  | FoldedLayout
  | BlockTextLayout
  | FlowLayout
  | BracketsLayout
  | MapLayout
  | ListLayout;

export const noNames: Names = { anchors: new Set(), aliases: new Set() };

export function joinNames(parts: readonly Names[]): Names {
  if (parts.every((part) => part === noNames)) return noNames;
  return {
    anchors: new Set(parts.flatMap(({ anchors }) => [...anchors])),
    aliases: new Set(parts.flatMap(({ aliases }) => [...aliases])),
  };
}
