// A demo of chatform in a minute. Runs the built program on a copy of an example:
// npm run demo, or npm run demo -- support-desk
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { argv, env, execPath, stdout } from 'node:process';
import { createTwoFilesPatch } from 'diff';
import { type Edit, edited, editsOf, issuesTokens } from './demo-edits.ts';
import { copyManifests, makeFolder, removeFolder } from './folders.ts';

const project = join(import.meta.dirname, '../..');
const program = join(project, 'dist/cli/main.js');
const [example = 'quickstart'] = argv.slice(2);

process.exitCode = await main();

async function main(): Promise<number> {
  const edits = editsOf[example];
  if (edits === undefined)
    return fail(`There is no demo of ${example}. There are: ${Object.keys(editsOf).join(', ')}.`);
  if (!existsSync(program)) return fail('The program is not built. Run npm ci, or npm run build.');
  const folder = await makeFolder();
  try {
    await copyManifests(join(project, 'examples', example), folder);
    say(
      `chatform, on a copy of examples/${example}. The platform runs inside the program: nothing leaves this machine.`,
    );
    return await show(folder, edits);
  } finally {
    await removeFolder(folder);
  }
}

async function show(folder: string, edits: readonly Edit[]): Promise<number> {
  const keep = issuesTokens(example) ? ' --tokens-out tokens.ndjson' : '';
  const unedited = [
    ['Check the manifests', 'validate', 0],
    ['Plan and save it, so that exactly this plan runs', 'plan --out plan.chatform', 0],
    ['Apply the saved plan', `apply plan.chatform${keep}`, 0],
    ['Plan again', 'plan --detailed-exitcode', 0],
  ] as const;
  const edited = [
    ['Plan the edits', 'plan --out edited.json --detailed-exitcode', 2],
    ['Apply them', `apply edited.json${keep}`, 0],
    ['Plan again', 'plan --detailed-exitcode', 0],
  ] as const;
  const runAll = (acts: typeof unedited | typeof edited): boolean =>
    acts.every(([title, args, expected]) => {
      heading(title);
      return runs(folder, args, expected);
    });
  if (!runAll(unedited)) return 1;
  heading('Somebody edits the manifests: a channel frozen, a user deactivated, a member removed');
  await change(folder, edits);
  return runAll(edited) ? 0 : 1;
}

/** Runs a command as a user would, with its real output. False if its exit code is not the expected one. */
function runs(folder: string, args: string, expected: number): boolean {
  say(`${bold(`$ chatform ${args}`)}\n`);
  const { status, signal } = spawnSync(execPath, [program, ...args.split(' ')], {
    cwd: folder,
    env: withoutSettings(),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status === expected) return true;
  fail(`\nThis ended with ${status ?? signal}, and ${expected} was expected.`);
  return false;
}

/**
 * Without variables of this shell, which could select a real application, and without `CI`, where chatform refuses to begin
 * a state in the default folder.
 */
function withoutSettings(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('CHATFORM_') && name !== 'CI'));
}

/** Edits the copy and shows the diff. */
async function change(folder: string, edits: readonly Edit[]): Promise<void> {
  for (const file of new Set(edits.map((edit) => edit.file))) {
    const before = await readFile(join(folder, file), 'utf8');
    const after = edits.filter((edit) => edit.file === file).reduce(edited, before);
    await writeFile(join(folder, file), after);
    const [, ...lines] = createTwoFilesPatch(`a/${file}`, `b/${file}`, before, after, '', '', { context: 2 }).split(
      '\n',
    );
    say(lines.map(paintLine).join('\n').trimEnd());
    say('');
  }
}

function paintLine(line: string): string {
  if (/^(---|\+\+\+)/u.test(line)) return bold(line.trimEnd());
  if (line.startsWith('@@')) return paint('36', line);
  if (line.startsWith('+')) return paint('32', line);
  return line.startsWith('-') ? paint('31', line) : line;
}

function heading(text: string): void {
  say(`\n${bold(text)}\n`);
}

function bold(text: string): string {
  return paint('1', text);
}

function paint(code: string, text: string): string {
  const hasColour = stdout.isTTY && (env.NO_COLOR ?? '') === '';
  return hasColour ? `\u001b[${code}m${text}\u001b[0m` : text;
}

function say(text: string): void {
  stdout.write(`${text}\n`);
}

function fail(text: string): number {
  process.stderr.write(`${text}\n`);
  return 1;
}
