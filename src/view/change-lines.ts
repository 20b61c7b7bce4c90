// How is one change told in full: what befalls which object, why, where it is declared, every value, every note?
import { stripVTControlCharacters } from 'node:util';
import { type Action, actionSymbol, isDangerous } from '../model/action.ts';
import type { Change } from '../model/change.ts';
import { printPosition } from '../model/source.ts';
import { attributeLines } from './attribute-lines.ts';
import { displayWidth, padStart, wrap } from './layout.ts';
import { actionStyle, type Paint } from './paint.ts';
import { safe } from './text.ts';

export function* changeInFull(change: Change, columns: number, paint: Paint): Generator<string> {
  yield* headLines(change, columns, paint);
  for (const line of wrap(safe(change.reason), columns - 4)) yield `    ${paint('dim', line)}`;
  yield* attributeLines(change, '    ', columns, paint);
  for (const note of change.notes) {
    let lead = 'note: ';
    for (const line of wrap(safe(note), columns - 4 - lead.length)) {
      yield `    ${paint('cyan', lead)}${line}`;
      lead = ' '.repeat(lead.length);
    }
  }
}

/** The place stands at the right, or below where there is no room. */
function* headLines(change: Change, columns: number, paint: Paint): Generator<string> {
  const main = mainAction(change);
  const style = main === undefined ? 'dim' : actionStyle[main];
  const symbol = main === undefined ? '.' : actionSymbol[main];
  const address = safe(change.address);
  const verbs = verbsOf(change, paint);
  const head = `  ${paint(style, symbol)} ${paint('bold', address)}${verbs === '' ? '' : `  ${verbs}`}`;
  const used = displayWidth(stripVTControlCharacters(head));
  const place = change.source === undefined ? '' : safe(printPosition(change.source));
  if (place === '') yield head;
  else if (used + 2 + displayWidth(place) <= columns) yield head + paint('dim', padStart(place, columns - used));
  else {
    yield head;
    yield `    ${paint('dim', place)}`;
  }
}

/** The one whose symbol stands for all: what makes or ends the object, else the danger, unless it is undone at once. */
function mainAction({ actions }: Change): Action | undefined {
  const dangers = actions.filter(isDangerous);
  return (
    actions.find((action) => action === 'create' || action === 'delete' || action === 'adopt') ??
    (dangers.length === 1 ? dangers[0] : actions.find((action) => !isDangerous(action))) ??
    actions[0]
  );
}

/** Left out where the symbol says it all. */
function verbsOf({ actions, reversibility }: Change, paint: Paint): string {
  const isPlain = actions.length === 1 && (actions[0] === 'create' || actions[0] === 'update');
  const verbs = isPlain ? '' : actions.map((action) => paint(actionStyle[action], action)).join(', ');
  const warning = reversibility === 'irreversible' ? paint('red', '(cannot be undone)') : '';
  return [verbs, warning].filter((part) => part !== '').join(' ');
}
