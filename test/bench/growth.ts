// Runs the commands in the life of estates that grow, each against a platform on this machine, which answers at once.
import { spawnSync } from 'node:child_process';
import { startEmulator } from '../../src/emulator/server.ts';
import { moto } from '../support/object-servers.ts';
import { estates, type Life } from './lives.ts';
import { type Cost, inInstalled, killProgram, measureProgram, type Row, rounded } from './measure.ts';

/** Node alone, with the code that every command loads. It does not grow. */
const startS = 0.11;

/** `CHATFORM_BENCH_NODES`: further executables of Node, separated by commas. `CHATFORM_BENCH_ESTATES`: only the lives with these names. */
const { CHATFORM_BENCH_NODES: others = '', CHATFORM_BENCH_ESTATES: names = '' } = process.env;
const nodes = [process.execPath, ...others.split(',').filter((path) => path !== '')];

/** Estates of which every size exceeds `most` have that size. */
export async function benchGrowth(most: number): Promise<Row[]> {
  const rows: Row[] = [];
  const store = moto.missing === undefined ? await moto.start() : undefined;
  try {
    for (const life of estates.filter(({ title }) => names === '' || names.split(',').includes(title))) {
      if (life.isInStore === true && store === undefined) continue;
      let smaller: readonly Cost[] = [];
      const sizes = life.sizes.filter((size) => size <= most);
      for (const count of sizes.length === 0 ? [most] : sizes) {
        const place = life.isInStore === true ? store?.newSpec : undefined;
        const costs = new Map<string, readonly Cost[]>();
        for (const node of nodes) costs.set(versionOf(node), await live(life, count, node, place?.() ?? 'file:state'));
        rows.push(...rowsOf(life, count, costs, smaller));
        smaller = [...costs.values()][0] ?? [];
      }
    }
  } finally {
    await store?.stop();
  }
  return rows;
}

/** Returns the cost of each command. */
function live(life: Life, count: number, node: string, place: string): Promise<readonly Cost[]> {
  return inInstalled(async (folder, main) => {
    const platform = await startEmulator({ rateLimits: false });
    const answered = (): number => [...platform.stats.requests.values()].reduce((sum, calls) => sum + calls, 0);
    const calls = { GET: 50_000, POST: 50_000, PUT: 50_000, DELETE: 50_000 };
    const application = `application: { base_url: "${platform.url}", limits: ${JSON.stringify(calls)} }`;
    const env = { ...process.env, CHATFORM_API_TOKEN: platform.token, CHATFORM_STATE: place, NO_COLOR: '1' };
    try {
      await life.write(folder, count, `version: 1\n${application}\n`);
      const costs: Cost[] = [];
      for (const { args, killedAt } of life.commands) {
        const command = [
          main,
          ...args.replace('URL', platform.url).replace('NAME', platform.url.slice('http://'.length)).split(' '),
        ];
        const options = { node, env };
        if (killedAt === undefined) costs.push(await measureProgram(folder, command, options));
        else {
          const enough = answered() + count * killedAt;
          await killProgram(folder, command, options, async () => answered() >= enough);
        }
      }
      return costs;
    } finally {
      await platform.close();
    }
  });
}

function rowsOf(
  life: Life,
  count: number,
  costs: ReadonlyMap<string, readonly Cost[]>,
  smaller: readonly Cost[],
): Row[] {
  const [first = []] = costs.values();
  return life.commands
    .filter(({ killedAt }) => killedAt === undefined)
    .map(({ title }, place) => {
      const exponent = Math.log10(((first[place]?.cpuS ?? 0) - startS) / ((smaller[place]?.cpuS ?? 0) - startS));
      const ofNodes = [...costs].flatMap(([version, list]) => [
        [`processor s, ${version}`, rounded(list[place]?.cpuS ?? 0, 2)],
        [`peak MB, ${version}`, Math.round(list[place]?.rssMb ?? 0)],
      ]);
      return {
        estate: life.title,
        size: count,
        command: title,
        ...Object.fromEntries(ofNodes),
        exponent: smaller.length > 0 && Number.isFinite(exponent) ? rounded(exponent, 2) : '',
      };
    });
}

function versionOf(node: string): string {
  return spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim();
}
