// Counts the files of `src` with a function that runs while a new user is planned or applied, beyond what loading the modules
// runs, and the files that the use case imports before it runs.
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { inFolder, type Row } from './measure.ts';

const run = promisify(execFile);
const source = pathToFileURL(join(import.meta.dirname, '../../src/')).href;
const main = `${source}cli/main.ts`;
const tsx = import.meta.resolve('tsx');

const manifest = `version: 1
application: { base_url: "emulator:data", rate_plan: 100k_mau }
users:
  alice: { nickname: Alice }
`;

/** `isListed` prints each file with its functions that ran, for whoever asks what a command need not run. */
export function benchWalk(isListed: boolean): Promise<Row[]> {
  return inFolder(async (folder) => {
    await writeFile(join(folder, 'chat.yaml'), manifest);
    const rows: Row[] = [];
    for (const args of [['plan'], ['apply', '--auto-approve']]) {
      // In CI the default place of state is refused.
      const command = [fileURLToPath(main), ...args, 'chat.yaml', '--state', 'file:state'];
      const calls = await callsOf(folder, command);
      const modules = [...new Set(Array.from(calls.keys(), fileOf))].filter((url) => url !== main);
      const loader = join(folder, 'load.mjs');
      await writeFile(loader, modules.map((url) => `await import(${JSON.stringify(url)});\n`).join(''));
      const loading = await callsOf(folder, [loader]);
      const ran = [...calls].filter(([name, count]) => count > (loading.get(name) ?? 0)).map(([name]) => name);
      if (isListed) printFiles(args[0] ?? '', ran);
      rows.push(await rowOf(args[0] ?? '', ran));
    }
    return rows;
  });
}

function printFiles(command: string, ran: readonly string[]): void {
  const byFile = new Map<string, string[]>();
  for (const name of [...ran].sort()) {
    const [, offset, ...words] = name.split(' ');
    const called = words.join(' ');
    const calls = byFile.get(fileOf(name)) ?? [];
    calls.push(called === '' ? `(at ${offset})` : called);
    byFile.set(fileOf(name), calls);
  }
  console.log(`\n${command}`);
  for (const [file, calls] of byFile) console.log(`  ${file.slice(source.length)}: ${calls.join(', ')}`);
}

async function rowOf(command: string, ran: readonly string[]): Promise<Row> {
  const files = [...new Set(ran.map(fileOf))];
  const ours = files.filter((url) => !url.startsWith(`${source}emulator/`));
  const lengths = await Promise.all(
    ours.map(async (url) => (await readFile(new URL(url), 'utf8')).split('\n').length - 1),
  );
  return {
    command,
    files: ours.length,
    lines: lengths.reduce((sum, length) => sum + length, 0),
    functions: ran.filter((name) => ours.includes(fileOf(name))).length,
    'files of the emulator': files.length - ours.length,
    'static imports': (await closureOf(new URL(`app/${command}.ts`, source))).size,
  };
}

/** The file and all that it imports statically, directly or not. Types are not imported. */
async function closureOf(file: URL, closure = new Set<string>()): Promise<ReadonlySet<string>> {
  if (closure.has(file.href)) return closure;
  closure.add(file.href);
  const text = await readFile(file, 'utf8');
  for (const [, from = ''] of text.matchAll(/^(?:import|export) (?!type )(?:[^'";]* from )?'(\.[^']+)';$/gmu))
    await closureOf(new URL(from, file), closure);
  return closure;
}

interface Ran {
  readonly functionName: string;
  readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
}
interface Coverage {
  readonly result: readonly { readonly url: string; readonly functions: readonly Ran[] }[];
}

/** How often each function of `src` ran, by its file, position and name. */
async function callsOf(folder: string, args: readonly string[]): Promise<ReadonlyMap<string, number>> {
  return inFolder(async (coverage) => {
    await run(process.execPath, ['--import', tsx, ...args], {
      cwd: folder,
      env: { ...process.env, NODE_V8_COVERAGE: coverage },
    });
    const calls = new Map<string, number>();
    for (const file of await readdir(coverage)) {
      const { result } = JSON.parse(await readFile(join(coverage, file), 'utf8')) as Coverage;
      for (const { url, functions } of result.filter((script) => script.url.startsWith(source))) {
        for (const { functionName, ranges } of functions) {
          const [{ startOffset = 0, count = 0 } = {}] = ranges;
          // The first is the module itself, and esbuild adds the other.
          if (startOffset === 0 || functionName === '__name') continue;
          const name = `${url} ${startOffset} ${functionName}`;
          calls.set(name, (calls.get(name) ?? 0) + count);
        }
      }
    }
    return calls;
  });
}

function fileOf(name: string): string {
  return name.split(' ', 1)[0] ?? '';
}
