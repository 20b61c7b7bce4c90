// What a plan says beside its changes, for a terminal: dangers, effects on people, and objects that are not managed.

import { printNumber } from '../../../lib/words.ts';
import type { Unmanaged } from '../../model/live.ts';
import type { Plan } from '../../model/plan.ts';
import { type Danger, type DangerGroup, namedIn, printNamed } from '../summary/dangers.ts';
import { noticeLines } from '../summary/notices.ts';
import { peopleLines, peopleTitle, restInWords } from '../summary/people.ts';
import { listingSentences, unmanagedRows, unmanagedSentence } from '../summary/unmanaged.ts';
import { fold } from '../text/folding.ts';
import { displayWidth, padEnd, padStart, proseColumns, wrap } from '../text/layout.ts';
import { actionStyle, type Paint } from '../text/paint.ts';
import { safe } from '../text/text.ts';
import type { LineRoom } from './set-lines.ts';

const maxNamed = 20;

/** `others`: those that no single change has. */
export function* dangerLines(
  plan: Plan,
  groups: readonly DangerGroup[],
  others: Plan['warnings'],
  room: LineRoom,
): Generator<string> {
  const { columns, paint, whole } = room;
  const labels = groups.flatMap((group) => group.dangers.map((danger) => danger.label));
  const labelColumns = Math.max(0, ...labels.map(displayWidth));
  const indent = 6 + labelColumns;
  for (const { title, dangers } of groups) {
    yield '';
    yield paint(['bold', 'red'], `! ${title}`);
    for (const danger of dangers) {
      const [action = 'update'] = danger.actions;
      let heading = `  ${paint(actionStyle[action], `${danger.symbol} ${padEnd(danger.label, labelColumns)}`)}  `;
      for (const line of fold(namesOf(plan, danger, whole === true || danger.danger !== undefined), columns - indent)) {
        yield heading + line;
        heading = ' '.repeat(indent);
      }
    }
  }
  for (const { code, summary, detail } of others) {
    yield '';
    yield paint(['bold', 'red'], `! ${safe(summary)} (${safe(code)})`);
    for (const line of wrap(safe(detail), proseColumns(columns, whole) - 2)) yield `  ${line}`;
  }
}

/** What changes for people and what they notice, below the dangers. */
export function* peopleSection(plan: Plan, { columns, paint }: LineRoom): Generator<string> {
  const { people, notices } = plan;
  yield '';
  yield paint('bold', peopleTitle(plan));
  const noticed = notices === undefined ? [] : noticeLines(notices).map((text) => ({ text, names: [], more: 0 }));
  for (const lines of [...(people?.effects ?? []).map(peopleLines), noticed]) {
    for (const { text, names, more } of lines) {
      const all = [...names, ...restInWords(more)].map(safe).join(', ');
      let indent = '  ';
      for (const line of wrap(`${safe(text)}${all === '' ? '' : `: ${all}`}`, columns - 4)) {
        yield indent + line;
        indent = '    ';
      }
    }
  }
}

/** Names all objects whose access or data changes. Irreversible changes are cut, since they may be a whole migration. */
function* namesOf({ changes }: Plan, danger: Danger, isInFull: boolean): Generator<string> {
  const most = isInFull ? danger.positions.length : maxNamed;
  for (const name of namedIn(danger, changes, most)) yield* printNamed(name);
  if (danger.positions.length > most) yield `… and ${printNumber(danger.positions.length - most)} more`;
}

export function* unmanagedLines(unmanaged: Unmanaged, columns: number, paint: Paint): Generator<string> {
  yield '';
  for (const line of wrap(unmanagedSentence(unmanaged), columns)) yield paint('bold', line);
  const rows = unmanagedRows(unmanaged).flatMap((row) => [
    { ...row, indent: '' },
    ...row.types.map((type) => ({ ...type, indent: '  ' })),
  ]);
  const numberColumns = Math.max(0, ...rows.map(({ objects }) => printNumber(objects).length));
  for (const { objects, name, lastActivity, indent } of rows) {
    const activity = lastActivity === undefined ? '' : paint('dim', `, last activity ${lastActivity}`);
    yield `  ${indent}${padStart(printNumber(objects), numberColumns)}  ${name}${activity}`;
  }
  for (const line of wrap(listingSentences(unmanaged), columns)) yield paint('dim', line);
}
