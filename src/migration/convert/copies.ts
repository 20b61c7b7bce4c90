// Chooses among the copies of a message in one export, which may consist of several exports that overlap.
import { equalJson, type JsonObject } from '../../lib/json.ts';
import { editIn } from './edits.ts';
import { envelopeOf } from './envelope.ts';
import type { ExportOrigin } from './export/coverage.ts';
import { type Message, messagesOf, type NumberedLine } from './merge.ts';

/** What becomes of the copies that do not count, instead of a line number. */
const repeatedLine = 0;
/** A message that a more recent export does not contain. */
export const supersededLine = -1;
/** Another message with the id of one that is kept. */
export const conflictingLine = -2;

export interface CopyRules {
  /** The export of a line, by its number. */
  originOf(line: number): ExportOrigin;
  /** Whether an export taken later than the given one covers the time, and lacks the message unless it has a copy. */
  isSuperseded(origin: ExportOrigin, time: number): boolean;
  /** Records the lines of a copy that does not count. */
  drop(line: number, place: number): void;
}

/** The lines of one time, with one copy of each message: the one with the later edit, or else of the export that was taken later. */
export function* withoutCopies(run: readonly NumberedLine[], rules: CopyRules): Generator<NumberedLine> {
  const latest = new Map<string, Message<NumberedLine>>();
  for (const copy of messagesOf(run)) {
    const known = latest.get(copy.id);
    const isChosen = known === undefined || (isCopy(copy, known, rules) && isLater(copy, known, rules));
    if (isChosen) latest.set(copy.id, copy);
    const [loser, place] = isChosen
      ? [known, repeatedLine]
      : [copy, known === undefined || isCopy(copy, known, rules) ? repeatedLine : conflictingLine];
    for (const { number } of loser?.lines ?? []) rules.drop(number, place);
  }
  for (const { lines } of latest.values()) {
    const [first] = lines;
    if (first === undefined) continue;
    if (!rules.isSuperseded(rules.originOf(first.number), first.time)) yield* lines;
    else for (const { number } of lines) rules.drop(number, supersededLine);
  }
}

/** Within one export, another sender makes another message, and so does another text without an edit. */
function isCopy(copy: Message<NumberedLine>, known: Message<NumberedLine>, { originOf }: CopyRules): boolean {
  if (originOf(numberOf(copy)).window !== originOf(numberOf(known)).window) return true;
  if (senderOf(copy) !== senderOf(known)) return false;
  return editIn(copy.value)?.time !== editIn(known.value)?.time || equalJson(shownBy(copy), shownBy(known));
}

function isLater(copy: Message<NumberedLine>, known: Message<NumberedLine>, { originOf }: CopyRules): boolean {
  const [edit, knownEdit] = [copy, known].map(({ value }) => editIn(value)?.time ?? 0);
  if (edit !== knownEdit) return (edit ?? 0) > (knownEdit ?? 0);
  const { takenAt } = originOf(numberOf(copy));
  const { takenAt: knownAt } = originOf(numberOf(known));
  return takenAt !== undefined && knownAt !== undefined && takenAt > knownAt;
}

function numberOf({ lines }: Message<NumberedLine>): number {
  return lines[0]?.number ?? 0;
}

function senderOf({ value }: Message<NumberedLine>): string {
  return JSON.stringify([value.user_id, envelopeOf(value)?.sender]);
}

/** What people see of the message. */
function shownBy({ lines }: Message<NumberedLine>): JsonObject[] {
  return lines.map(({ text }) => {
    const { message = null, url = null, file_name = null } = JSON.parse(text) as JsonObject;
    return { message, url, file_name };
  });
}
