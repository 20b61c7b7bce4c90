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

/** 1,000, 10,000, 100,000 … */
export function sizesUpTo(most: number): number[] {
  return [1_000, 10_000, 100_000, 1_000_000, 10_000_000].filter((size) => size <= most);
}

/** How a cost grew while the size grew tenfold: 1 is linear. Empty for the first size. */
export function exponent(before: number | undefined, now: number): number | '' {
  return before === undefined ? '' : rounded(Math.log10(now / before), 2);
}
