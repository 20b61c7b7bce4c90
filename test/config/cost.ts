// Writes the processor time of each test to the file that the variable TEST_COST names: seconds of this worker, seconds of ended
// programs, the test file, the name. The time of a worker includes its other threads.
import { appendFileSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeEach } from 'vitest';

const { TEST_COST: table } = process.env;

/** The kernel counts the time of programs in hundredths of a second (Linux alone). */
function secondsUsed(): readonly [worker: number, programs: number] {
  const { user, system } = process.cpuUsage();
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return [(user + system) / 1e6, (Number(fields[13]) + Number(fields[14])) / 100];
}

if (table !== undefined) {
  const lines: string[] = [];
  let before = secondsUsed();
  beforeEach(() => {
    before = secondsUsed();
  });
  afterEach(({ task }) => {
    const costs = secondsUsed().map((seconds, at) => (seconds - (before[at] ?? 0)).toFixed(3));
    lines.push(`${[...costs, task.file.name, task.name.replaceAll(/\s+/gu, ' ').slice(0, 100)].join('\t')}\n`);
  });
  afterAll(() => appendFileSync(table, lines.join('')));
}
