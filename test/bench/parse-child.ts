// Reads and parses the lines of a JSON file and does nothing else: what a conversion is compared with.
import { createReadStream } from 'node:fs';
import { readStreamLines } from '../../src/lib/line-reader.ts';
import { printCost } from './measure.ts';

const [, , file = ''] = process.argv;
await printCost(async () => {
  let rows = 0;
  for await (const lines of readStreamLines(createReadStream(file, { highWaterMark: 1 << 18 }))) {
    for (const { text = '' } of lines) if (typeof JSON.parse(text) === 'object') rows += 1;
  }
  return { rows };
});
