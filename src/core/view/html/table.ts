// A table that fits every width: on a narrow screen each row becomes a card, with the name of the column beside each value.
import { text } from './frame.ts';

export interface TableColumn {
  readonly name: string;
  readonly isNumber?: true;
}

/** The beginning of a table, for callers that print row by row. `caption` is HTML. */
export function tableStart(columns: readonly TableColumn[], caption = ''): string {
  const heads = columns.map(({ name, isNumber }) => `<th scope="col"${classOf(isNumber)}>${text(name)}</th>`);
  // A wide table of two columns would put the values far from their names. Only counts fit beside them on a narrow screen.
  const size = columns.length !== 2 ? '' : columns[1]?.isNumber === true ? ' figures' : ' pairs';
  return `<table class="cards${size}">${caption === '' ? '' : `<caption>${caption}</caption>`}<thead><tr>${heads.join('')}</tr></thead><tbody>\n`;
}

/** `cells` are HTML, one for each column. The first names the row. */
export function tableRow(columns: readonly TableColumn[], cells: readonly string[]): string {
  const printed = columns.map(({ name, isNumber }, at) =>
    at === 0
      ? `<th scope="row"${classOf(isNumber)}>${cells[0] ?? ''}</th>`
      : `<td${classOf(isNumber)} data-label="${text(name)}">${cells[at] ?? ''}</td>`,
  );
  return `<tr>${printed.join('')}</tr>\n`;
}

export const tableEnd = '</tbody></table>\n';

export function tableOf(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  caption?: string,
): string {
  return `${tableStart(columns, caption)}${rows.map((cells) => tableRow(columns, cells)).join('')}${tableEnd}`;
}

function classOf(isNumber: true | undefined): string {
  return isNumber === true ? ' class="number"' : '';
}
