// The layout of a plan file, which print.ts writes and reader.ts reads (semantics §6).
//
// It is text in lines, which the app compresses. The first line contains the small fields as JSON. Sections follow, each as
// a line with its name and one line of JSON per value. The last line contains the checksum of all text before it.

import { partsFromOrigins } from '../../model/plan.ts';

/** The version of the file layout. The meaning of a plan has a separate version (core/model/plan.ts). */
export const planFileVersion = '1.0';

/** The first line of a saved plan has its version behind this title. */
export const planTitle = 'chatform plan ';

export function beginsAsPlanText(text: string): boolean {
  return text.startsWith(planTitle);
}

/** Sections appear in this order. */
export const sectionNames = ['changes', 'origins', 'drift'] as const;

/** The parts of a plan that the first line never has. A file that has its own beside those made again is refused. */
export const outsideHead: ReadonlySet<string> = new Set([...sectionNames, ...partsFromOrigins, 'checksum']);

export type SectionName = (typeof sectionNames)[number];

/** The first character of a line that names a section. No value begins with it. */
export const sectionMark = '#';
/** The name in the last line, before the checksum. */
export const endName = 'end';
