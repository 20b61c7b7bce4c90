// npm run bench: what does it cost? Ratios within one run, on whatever machine this is; nothing here is asserted.
import { cpus, totalmem } from 'node:os';
import { benchApply } from './apply.ts';
import { benchApplyCpu } from './apply-cpu.ts';
import { benchPacing } from './apply-pacing.ts';
import { benchApplyScale } from './apply-scale.ts';
import { benchEmulator } from './emulator.ts';
import { benchManifest } from './manifest.ts';
import { benchMessages } from './messages.ts';
import { benchScale } from './scale.ts';
import { benchState } from './state.ts';
import { printTable, type Row } from './table.ts';

const benches: Readonly<Record<string, { readonly title: string; run(): Promise<Row[]> }>> = {
  apply: { title: 'Apply against the emulator (sliding window, the strictest)', run: benchApply },
  'apply-cpu': { title: 'Processor time of an apply at 200 steps a second', run: benchApplyCpu },
  'apply-pacing': { title: 'Rate limits in virtual time, beside ten workers with back-off', run: benchPacing },
  'apply-scale': { title: 'Apply of many steps, in virtual time', run: benchApplyScale },
  manifest: { title: 'Manifests loaded, checked and gone through once, beside bare parsers', run: benchManifest },
  emulator: { title: 'The emulator alone, no limits, client in the same process', run: benchEmulator },
  messages: { title: 'Message archives: read, checked and planned', run: benchMessages },
  scale: { title: 'A plan of users from NDJSON, beside the same bytes parsed line by line', run: benchScale },
  state: { title: 'State: durable steps, and a million records', run: benchState },
};

const wanted = process.argv.slice(2).filter((name) => Object.hasOwn(benches, name));
const results: Record<string, Row[]> = {};
console.log(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
);
for (const name of wanted.length > 0 ? wanted : Object.keys(benches)) {
  const bench = benches[name];
  if (bench === undefined) continue;
  results[name] = await bench.run();
  printTable(bench.title, results[name]);
}
console.log(`\n${JSON.stringify(results)}`);
