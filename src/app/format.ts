// How are files formatted in place, and standard input to standard output?
import { readFile, stat } from 'node:fs/promises';
import type { Environment } from '../cli/environment.ts';
import { type CommandInput, usage } from '../cli/flags/command.ts';
import { viewOptions } from '../cli/flags/view-options.ts';
import { Problems } from '../manifest/checks/problems.ts';
import { discover, readBytes, readSource } from '../manifest/discover.ts';
import { disk } from '../manifest/files.ts';
import { formatManifest } from '../manifest/format/format.ts';
import { registry } from '../resources/index.ts';
import { safe } from '../view/text.ts';
import { plural } from '../view/words.ts';
import { showRemarks } from './load-declared.ts';
import { writeOutput } from './output-files.ts';

/** False when a file could not be read, or under --check would change. The names of changed files are on stdout. */
export async function formatFiles(input: CommandInput, world: Environment): Promise<boolean> {
  if (input.args.includes('-')) throw usage('Standard input (-) stands beside other paths.', 'Give it alone.');
  const isCheck = input.flag('check');
  const problems = new Problems();
  const found = await discover(input.args, world.cwd, disk, problems);
  let changed = 0;
  for (const file of found) {
    const source = await readSource(file, disk, problems);
    const text = source === undefined ? undefined : formatManifest(source, registry, problems);
    // By its bytes: a byte order mark, which goes away, is a change.
    if (source === undefined || text === undefined || Buffer.from(text).equals(await readFile(file.path))) continue;
    changed += 1;
    world.stdout.write(`${safe(file.name)}\n`);
    await showDiff(file.name, source.text, text, input, world);
    if (!isCheck) await writeOutput(file.path, text, (await stat(file.path)).mode & 0o7777, 'exactly');
  }
  const diagnostics = problems.sorted();
  await showRemarks(diagnostics, input, world);
  world.stderr.write(summary(changed, found.length, isCheck, diagnostics.length > 0));
  return diagnostics.length === 0 && !(isCheck && changed > 0);
}

/** The result goes to stdout; under --check nothing does. */
export async function formatInput(input: CommandInput, world: Environment): Promise<boolean> {
  const problems = new Problems();
  const source = readBytes('<stdin>', await world.readInput(), problems);
  const text = source === undefined ? undefined : formatManifest(source, registry, problems);
  await showRemarks(problems.sorted(), input, world);
  if (source === undefined || text === undefined) return false;
  if (!input.flag('check')) world.stdout.write(text);
  else await showDiff('<stdin>', source.text, text, input, world);
  return !input.flag('check') || text === source.text;
}

async function showDiff(name: string, before: string, after: string, input: CommandInput, world: Environment) {
  if (!input.flag('diff')) return;
  const { fileDiff } = await import('../view/diff/value-diff.ts');
  for (const line of fileDiff(name, before, after, viewOptions(input, world, world.stdout))) world.stdout.write(line);
}

function summary(changed: number, all: number, isCheck: boolean, hasProblems: boolean): string {
  if (hasProblems)
    return `${plural(changed, 'file')} of ${all} ${isCheck ? 'would change' : 'rewritten'}; what cannot be read was left alone.\n`;
  if (changed === 0) return `${plural(all, 'file')}, all in canonical form.\n`;
  return isCheck
    ? `${changed} of ${plural(all, 'file')} would change. Run: chatform fmt\n`
    : `${changed} of ${plural(all, 'file')} rewritten.\n`;
}
