// One change or drift in full, for a terminal: the actions, the reason, the position, every value.
import { stripVTControlCharacters } from 'node:util';
import { type Action, isDangerous, symbolOf } from '../../model/action.ts';
import type { Change, Drift } from '../../model/change.ts';
import { printPosition } from '../../model/source.ts';
import { liveFacts } from '../summary/dangers.ts';
import { safe } from '../text.ts';
import { driftWords } from '../words.ts';
import { attributeLines, type Room } from './attribute-lines.ts';
import { displayWidth, padStart, wrap } from './layout.ts';
import { actionStyle, type Paint } from './paint.ts';

export function* changeInFull(change: Change, room: Room): Generator<string> {
  const { columns, paint } = room;
  yield* headLines(change, columns, paint);
  yield* reasonLines(change.reason, columns, paint);
  const facts = liveFacts(change);
  if (facts.length > 0) yield `    ${paint('red', 'at stake:')} ${facts.join(', ')}`;
  yield* attributeLines(change, '    ', room);
  yield* noteLines(change, columns, paint);
}

export function* reasonLines(reason: string, columns: number, paint: Paint): Generator<string> {
  for (const line of wrap(safe(reason), columns - 4)) yield `    ${paint('dim', line)}`;
}

export function* noteLines({ notes }: Change, columns: number, paint: Paint): Generator<string> {
  for (const note of notes) {
    let lead = 'note: ';
    for (const line of wrap(safe(note), columns - 4 - lead.length)) {
      yield `    ${paint('cyan', lead)}${line}`;
      lead = ' '.repeat(lead.length);
    }
  }
}

/** The current values beside those last applied, and what an apply does about it. */
export function* driftInFull(drift: Drift, room: Room): Generator<string> {
  const { columns, paint } = room;
  const head = `  ${paint('magenta', '≠')} ${paint('bold', safe(drift.address))}  ${driftWords[drift.type]}`;
  yield* withPlace(head, drift, columns, paint);
  yield* attributeLines({ actions: [], attributes: drift.attributes }, '    ', room);
  for (const line of wrap(safe(drift.note), columns - 4)) yield `    ${paint('dim', line)}`;
}

function* headLines(change: Change, columns: number, paint: Paint): Generator<string> {
  const main = mainAction(change);
  const style = main === undefined ? 'dim' : actionStyle[main];
  const symbol = main === undefined ? '.' : symbolOf(main);
  const address = safe(change.address);
  const verbs = verbsOf(change, paint);
  const head = `  ${paint(style, symbol)} ${paint('bold', address)}${verbs === '' ? '' : `  ${verbs}`}`;
  yield* withPlace(head, change, columns, paint);
}

/** Puts the position at the right, or below if there is no room. */
function* withPlace(
  head: string,
  { source }: Pick<Change, 'source'>,
  columns: number,
  paint: Paint,
): Generator<string> {
  const used = displayWidth(stripVTControlCharacters(head));
  const place = source === undefined ? '' : safe(printPosition(source));
  if (place === '') yield head;
  else if (used + 2 + displayWidth(place) <= columns) yield head + paint('dim', padStart(place, columns - used));
  else {
    yield head;
    yield `    ${paint('dim', place)}`;
  }
}

/** The action whose symbol represents the change: the creation or deletion, else the danger unless it is undone at once. */
export function mainAction({ actions }: Change): Action | undefined {
  const dangers = actions.filter(isDangerous);
  return (
    actions.find((action) => action === 'create' || action === 'delete' || action === 'adopt') ??
    (dangers.length === 1 ? dangers[0] : actions.find((action) => !isDangerous(action))) ??
    actions[0]
  );
}

/** Empty if the symbol alone is clear. */
function verbsOf({ actions, reversibility }: Change, paint: Paint): string {
  const isPlain = actions.length === 1 && (actions[0] === 'create' || actions[0] === 'update');
  const verbs = isPlain ? '' : actions.map((action) => paint(actionStyle[action], action)).join(', ');
  const warning = reversibility === 'irreversible' ? paint('red', '(cannot be undone)') : '';
  return [verbs, warning].filter((part) => part !== '').join(' ');
}
