// Counts what a conversion left out, by reason, and finds who decided it.
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readStreamLines } from '../../lib/line-reader.ts';
import type { LeftOut } from '../../model/migration/cutover.ts';
import type { Ports } from '../context/ports.ts';
import { git } from '../git/git.ts';
import { ledgerFile } from './series.ts';

/** Sorted by reason. `by` and `commit` are absent outside a repository, and for lines that are not committed. */
export async function leftOutIn(root: string, ports: Ports): Promise<LeftOut[]> {
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

/** The author of the line in decisions.yaml, by accepted reason. */
async function acceptedBy(root: string, ports: Ports): Promise<Map<string, Pick<LeftOut, 'by' | 'commit'>>> {
  const file = 'conversion/decisions.yaml';
  const { exit, stdout } = await git(['blame', '--line-porcelain', '--', file], { ...ports, cwd: root });
  // In the output of git blame, a line of the file begins with a tab and follows the lines about its commit.
  const text = exit === 0 ? stdout.toString('utf8') : (await readFile(join(root, file), 'utf8')).replace(/^/gmu, '\t');
  const accepted = new Map<string, Pick<LeftOut, 'by' | 'commit'>>();
  for (const [, head = '', line = ''] of text.matchAll(/((?:^[^\t\n].*\n)*)^\t(.*)$/gmu)) {
    // Only reasons have a dot in their keys.
    const reason = /^\s+["']?([a-z_]+\.[a-z0-9-]+)["']?:\s*["']?yes\b/u.exec(line)?.[1];
    const [commit, by] = [/^[0-9a-f]+/u.exec(head)?.[0], /^author (.+)$/mu.exec(head)?.[1]];
    const isCommitted = commit !== undefined && by !== undefined && /[1-9a-f]/u.test(commit);
    if (reason !== undefined) accepted.set(reason, isCommitted ? { by, commit } : {});
  }
  return accepted;
}
