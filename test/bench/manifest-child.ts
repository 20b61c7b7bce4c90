// One measurement of reading.
import { dirname } from 'node:path';
import { loadManifests } from '../../src/manifest/load.ts';
import { registry } from '../../src/resources/index.ts';
import { printCost } from './measure.ts';

const [file = ''] = process.argv.slice(2);
await printCost(async () => {
  const options = { kinds: registry, cwd: dirname(file), variables: () => undefined };
  const { resources, diagnostics } = await loadManifests([file], options);
  if (diagnostics.some(({ severity }) => severity === 'error')) throw new Error('the measured manifest has errors');
  let count = 0;
  for (const _resource of resources) count += 1;
  return { count };
});
