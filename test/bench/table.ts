// How is a measurement printed? An aligned table for people, and the same figures as JSON beside it.

export type Row = Readonly<Record<string, string | number>>;

export function printTable(title: string, rows: readonly Row[]): void {
  const columns = Object.keys(rows[0] ?? {});
  const widths = columns.map((column) => Math.max(column.length, ...rows.map((row) => String(row[column]).length)));
  const line = (cells: readonly string[]) => cells.map((cell, index) => cell.padStart(widths[index] ?? 0)).join('  ');
  console.log(`\n${title}\n${line(columns)}`);
  for (const row of rows) console.log(line(columns.map((column) => String(row[column]))));
}

export function rounded(value: number, digits = 3): number {
  return Number(value.toFixed(digits));
}
