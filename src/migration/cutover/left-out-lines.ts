// Counts what a conversion left out, by reason, and finds who decided it.
import { createReadStream } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { ProcessSurroundings } from '../../core/app/context/child-processes.ts';
import { openRepository, Repository } from '../../core/app/git/git.ts';
import type { LeftOut } from '../../core/model/migration/cutover.ts';
import { readStreamLines } from '../../lib/line-reader.ts';
import { ledgerFile } from './series.ts';

/** Sorted by reason. `by` and `commit` are absent outside a repository, and for lines that are not committed. */
export async function leftOutIn(root: string, ports: ProcessSurroundings): Promise<LeftOut[]> {
  const counts = new Map<string, number>();
  for await (const lines of readStreamLines(createReadStream(join(root, ledgerFile)))) {
    for (const { text = '' } of lines) {
      // JSON escapes quotes in strings, so this match is never part of a name.
      const reason = /"outcome":"left_out","reason":"([^"]+)"/u.exec(text)?.[1];
      if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
  }
  const decided = await acceptedBy(root, ports);
  return [...counts].sort().map(([reason, lines]) => {
    const found = decided.get(reason);
    return { reason, lines, decision: found === undefined ? 'choice' : 'accepted', ...found };
  });
}

/**
 * The author of the line in decisions.yaml, by accepted reason. Lines are matched with those of the commit by their text,
 * because git would run the filters and converters of its settings on the file itself.
 */
async function acceptedBy(
  root: string,
  ports: ProcessSurroundings,
): Promise<Map<string, Pick<LeftOut, 'by' | 'commit'>>> {
  const file = 'conversion/decisions.yaml';
  const committed = await authorsOf(root, file, ports);
  const accepted = new Map<string, Pick<LeftOut, 'by' | 'commit'>>();
  for (const line of (await readFile(join(root, file), 'utf8')).split(/\r?\n/u)) {
    // Only reasons have a dot in their keys.
    const reason = /^\s+["']?([a-z_]+\.[a-z0-9-]+)["']?:\s*["']?yes\b/u.exec(line)?.[1];
    if (reason !== undefined) accepted.set(reason, committed.get(line) ?? {});
  }
  return accepted;
}

/** By line of the checked-out commit. Empty outside a repository. */
async function authorsOf(
  root: string,
  file: string,
  ports: ProcessSurroundings,
): Promise<ReadonlyMap<string, Pick<LeftOut, 'by' | 'commit'>>> {
  const authors = new Map<string, Pick<LeftOut, 'by' | 'commit'>>();
  const repository = await openRepository(root, ports);
  if (!(repository instanceof Repository)) return authors;
  const path = relative(repository.workTree, join(await realpath(root), file))
    .split(sep)
    .join('/');
  const blame = ['blame', '--no-textconv', '--no-ext-diff', '--ignore-revs-file=', '--line-porcelain', 'HEAD'];
  const { exit, stdout } = await repository.git([...blame, '--', path]);
  if (exit !== 0) return authors;
  // In the output, a line of the file begins with a tab and follows the lines about its commit.
  for (const [, head = '', line = ''] of stdout.toString('utf8').matchAll(/((?:^[^\t\n].*\n)*)^\t(.*)$/gmu)) {
    const [commit, by] = [/^[0-9a-f]+/u.exec(head)?.[0], /^author (.+)$/mu.exec(head)?.[1]];
    if (commit !== undefined && by !== undefined) authors.set(line.replace(/\r$/u, ''), { by, commit });
  }
  return authors;
}
