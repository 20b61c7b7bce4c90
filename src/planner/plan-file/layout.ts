// The layout of a plan file, which print.ts writes and reader.ts reads (semantics §6).
//
// It is text, one line after the other; the app compresses it. The first line has the small fields as JSON. Then come
// sections: a line that names each, and a line of JSON for each of its values. The last line holds the checksum of all
// before it.

/** Of the file. What a plan means has a version of its own (model/plan.ts). */
export const planFileVersion = '3.0';

/** In this order. */
export const sectionNames = ['changes', 'steps', 'preconditions', 'drift', 'needed', 'live'] as const;

export type SectionName = (typeof sectionNames)[number];

/** Begins a line that names a section; no value begins with it. */
export const sectionMark = '#';
/** The name in the last line, before the checksum. */
export const endName = 'end';
