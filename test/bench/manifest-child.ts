// One measurement of reading, in a process of its own so that its memory is its own. Prints milliseconds and megabytes.
import { openSync, readFileSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { loadManifests } from '../../src/manifest/load.ts';
import { registry } from '../../src/resources/index.ts';

const [way, file = ''] = process.argv.slice(2);
const before = process.cpuUsage().user;
const start = performance.now();
let count = 0;
const checked = await measured();
const ms = performance.now() - start;
const cpuMs = (process.cpuUsage().user - before) / 1000;
console.log(
  JSON.stringify({ count, ms, cpuMs, checkedMs: checked - start, rssMb: process.resourceUsage().maxRSS / 1024 }),
);

async function measured(): Promise<number> {
  if (way === 'lines') return countLines();
  if (way === 'whole') count = Object.keys((JSON.parse(readFileSync(file, 'utf8')) as { users: object }).users).length;
  else if (way === 'yaml') {
    const { parse } = await import('yaml');
    // The library's check for equal keys takes quadratic time.
    count = Object.keys((parse(readFileSync(file, 'utf8'), { uniqueKeys: false }) as { users: object }).users).length;
  } else return loadAll();
  return performance.now();
}

function countLines(): number {
  const descriptor = openSync(file, 'r');
  const buffer = Buffer.alloc(1 << 18);
  let rest = '';
  for (;;) {
    const bytes = readSync(descriptor, buffer, 0, buffer.length, null);
    if (bytes === 0) return performance.now();
    const text = rest + buffer.toString('utf8', 0, bytes);
    let from = 0;
    for (let to = text.indexOf('\n'); to !== -1; to = text.indexOf('\n', from)) {
      if (JSON.parse(text.slice(from, to)) !== null) count += 1;
      from = to + 1;
    }
    rest = text.slice(from);
  }
}

/** Loaded, checked, and gone through once. */
async function loadAll(): Promise<number> {
  const { resources, diagnostics } = await loadManifests([file], {
    kinds: registry,
    cwd: dirname(file),
    variables: () => undefined,
  });
  const end = performance.now();
  if (diagnostics.some(({ severity }) => severity === 'error')) throw new Error('the measured manifest has errors');
  for (const _resource of resources) count += 1;
  return end;
}
