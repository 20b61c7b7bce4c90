// npm run bench: what a user waits for. Nothing here is asserted.
// `-- NAME…` runs some of them, and at their largest sizes; `--json FILE` writes the figures there as well. `walk --files` lists what ran.
import { writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { benchApply } from './apply.ts';
import { benchCommand } from './command.ts';
import { benchConvert, benchTable } from './convert.ts';
import { benchDatabase } from './database.ts';
import { benchGrowth } from './growth.ts';
import { benchManifest } from './manifest.ts';
import { benchMcp } from './mcp.ts';
import { printTable, type Row } from './measure.ts';
import { benchMessages } from './messages.ts';
import { benchPacing } from './pacing.ts';
import { benchStartup } from './startup.ts';
import { benchState, benchStateApply } from './state.ts';
import { benchVerify } from './verify.ts';
import { benchWalk } from './walk.ts';

const benches: Readonly<Record<string, { readonly title: string; run(most: number): Promise<Row[]> }>> = {
  apply: { title: 'Apply against the emulator (sliding window, the strictest)', run: benchApply },
  pacing: { title: 'Pacing after two mistakes, in virtual time', run: benchPacing },
  command: { title: 'Whole commands over many users', run: benchCommand },
  convert: { title: 'A Slack export converted', run: benchConvert },
  'convert-table': { title: 'A table of messages converted', run: benchTable },
  'convert-database': { title: 'Messages in PostgreSQL converted', run: benchDatabase },
  growth: { title: 'Estates that grow', run: benchGrowth },
  manifest: { title: 'Manifests loaded and checked', run: benchManifest },
  mcp: { title: 'The server for agents beside the command, 1,100 objects', run: benchMcp },
  messages: { title: 'Message archives: read, checked and planned', run: benchMessages },
  startup: { title: 'Small commands', run: benchStartup },
  state: { title: 'State: durable steps a second', run: benchState },
  verify: { title: 'Message history files verified one by one', run: benchVerify },
  walk: { title: 'Code that a small command runs', run: () => benchWalk(values.files === true) },
  'state-apply': { title: 'State: an apply at the limit of 200 calls a second', run: benchStateApply },
};

/** All of them take a few minutes when the largest size is this one. */
const mostOfAll = 100_000;
const mostOfOne = 1_000_000;

const { values, positionals } = parseArgs({
  options: { json: { type: 'string' }, files: { type: 'boolean' } },
  allowPositionals: true,
});
const unknown = positionals.find((name) => !Object.hasOwn(benches, name));
if (unknown !== undefined) throw new Error(`${unknown} is none of ${Object.keys(benches).join(', ')}`);
const wanted = positionals.length > 0 ? positionals : Object.keys(benches);
const most = Number(process.env.CHATFORM_BENCH_MOST ?? (positionals.length > 0 ? mostOfOne : mostOfAll));
const machine = `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
const results: Record<string, Row[]> = {};
console.log(`${machine}, sizes up to ${most.toLocaleString('en-US')}`);
for (const name of wanted) {
  const bench = benches[name];
  if (bench === undefined) continue;
  const start = performance.now();
  const before = load();
  results[name] = await bench.run(most);
  printTable(bench.title, results[name]);
  console.log(`took ${Math.round((performance.now() - start) / 1000)} s; load before ${before}, after ${load()}`);
}
const figures = JSON.stringify({ machine, most, results });
if (values.json === undefined) console.log(`\n${figures}`);
else await writeFile(values.json, `${figures}\n`);

/** Of the last minute: above the number of processors, times say little. */
function load(): string {
  return (loadavg()[0] ?? 0).toFixed(1);
}
