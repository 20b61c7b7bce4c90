// npm run bench: what does it cost? Ratios within one run, on whatever machine this is; nothing here is asserted.
import { cpus, totalmem } from 'node:os';
import { benchApply } from './apply.ts';
import { benchEmulator } from './emulator.ts';
import { printTable, type Row } from './table.ts';

const benches: Readonly<Record<string, { readonly title: string; run(): Promise<Row[]> }>> = {
  apply: { title: 'Apply against the emulator (sliding window, the strictest)', run: benchApply },
  emulator: { title: 'The emulator alone, no limits, client in the same process', run: benchEmulator },
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
