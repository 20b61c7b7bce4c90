// Whether a message on the platform is that of a line, and whether it is as the line is now.
import type { JsonObject } from '../../lib/json.ts';
import { differingFields } from './compared-fields.ts';
import { type ArchiveLine, likenessOfLine } from './line.ts';
import { likenessOfMessage } from './shown-message.ts';

/** What the platform can change in a message (platform §6.2). The text is a part of the likeness. */
const changeable: ReadonlySet<string> = new Set(['data', 'custom_field', 'custom_type', 'mentioned_user_ids']);

export function isAlike(line: ArchiveLine, message: JsonObject): boolean {
  return likenessOfLine(line) === likenessOfMessage(message);
}

/** Also in what a call could change. */
export function isLikeAsAWhole(line: ArchiveLine, message: JsonObject): boolean {
  return isAlike(line, message) && !differingFields(line, message, () => {}).some((field) => changeable.has(field));
}
