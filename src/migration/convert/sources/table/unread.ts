// Counts the rows that the mapping does not name: tables of a dump, and lists of a JSON file.

export class UnreadTables {
  /** Files are read several times, but each row counts once. */
  isCounting = false;
  readonly #counts = new Map<string, Map<string, number>>();
  /** Files of which nothing was understood. */
  readonly #unknown = new Set<string>();

  note(path: string, table: string, count: number): void {
    if (!this.isCounting) return;
    const tables = this.#counts.get(path) ?? new Map<string, number>();
    this.#counts.set(path, tables);
    tables.set(table, (tables.get(table) ?? 0) + count);
  }

  noteUnknown(path: string): void {
    this.#unknown.add(path);
  }

  isUnknown(path: string): boolean {
    return this.#unknown.has(path);
  }

  /** The number of rows in each table of the file. */
  in(path: string): Iterable<readonly [table: string, rows: number]> {
    return this.#counts.get(path) ?? [];
  }
}
