// Tests which programs the sources and the pipelines start, and proves each check by planted violations.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { projectRoot, type SourceFile, scan, sourceFiles } from './support/source-files.ts';

/** The module that starts all processes, its functions, and each file that calls one: the program, and who chooses it. */
const starter = 'core/app/context/child-processes.ts';
const starts: Readonly<Record<string, string>> = {
  'core/app/run/gate.ts runInOwnGroup': 'the command line in --gate',
  'core/app/context/state-key.ts runCommandLine': 'the command line in CHATFORM_STATE_KEY_COMMAND',
  'core/app/signing/signed-file.ts runCommandLine': 'the command line in --sign-command or --verify-command',
  'core/app/signing/signers.ts runProgram': 'ssh-keygen',
  'tools/emulation/command.ts runInForeground': 'the words after -- of chatform emulator',
  'core/app/git/git.ts runProgram': 'git',
  'core/app/git/git.ts startProgram': 'git',
};

/** The files that may name `node:worker_threads`: the tools for agents run in threads, each from a file of chatform. */
const threads: ReadonlySet<string> = new Set([
  'cli/commands/mcp.ts',
  'cli/mcp/tool-thread.ts',
  'cli/mcp/tool-threads.ts',
]);

const processModules = /^(?:node:)?(?:child_process|cluster|worker_threads|inspector)(?:\/|$)/u;

/** The starts in the sources as `file function`, and what starts a process elsewhere. */
function startsIn(files: readonly SourceFile[]): { readonly starts: string[]; readonly findings: string[] } {
  const found: string[] = [];
  const findings: string[] = [];
  for (const { path, text } of files) {
    if (path === starter) continue;
    const { imports, strings, code } = scan(text);
    for (const name of strings) {
      const isThread = name === 'node:worker_threads' && threads.has(path);
      if (processModules.test(name) && !isThread) findings.push(`${path}: names ${name}`);
    }
    if (/\bprocess\s*\.\s*(?:binding|dlopen|execve)\b/u.test(code)) findings.push(`${path}: reaches into process`);
    if (!imports.some(({ from }) => from.endsWith('/child-processes.ts'))) continue;
    for (const [, name] of code.matchAll(
      /\b(runProgram|startProgram|runCommandLine|runInForeground|runInOwnGroup)\s*\(/gu,
    ))
      found.push(`${path} ${name}`);
  }
  return { starts: found.sort(), findings };
}

describe('the sources', () => {
  test('start only the programs of the list, in one module', () => {
    expect(startsIn(sourceFiles())).toEqual({ starts: Object.keys(starts).sort(), findings: [] });
  });

  test.for([
    ["import { spawn } from 'node:child_process';", 'names node:child_process'],
    ["const { exec } = await import('child_process');", 'names child_process'],
    ["const load = createRequire(import.meta.url); load('node:child_process').exec('x');", 'names node:child_process'],
    ["import { Worker } from 'node:worker_threads';", 'names node:worker_threads'],
    ["process.binding('spawn_sync');", 'reaches into process'],
  ] as const)('are refused with %s', ([code, finding]) => {
    expect(startsIn([{ path: 'app/a.ts', text: `${code}\n` }])).toEqual({
      starts: [],
      findings: [`app/a.ts: ${finding}`],
    });
  });

  test('are refused with a start that the list does not have', () => {
    const text = "import { runProgram } from '../context/child-processes.ts';\nawait runProgram('curl', [], ports);\n";
    expect(startsIn([{ path: 'app/a.ts', text }]).starts).toEqual(['app/a.ts runProgram']);
  });
});

/** Words of a shell before a command, and commands that start no program. */
const keywords = [
  'if',
  'then',
  'else',
  'elif',
  'fi',
  '!',
  '{',
  '}',
  'do',
  'done',
  'while',
  'until',
  'exec',
  'case',
  'esac',
];
const builtins = ['cd', 'echo', 'printf', '[', 'exit', 'unset', 'export', 'read', 'set', 'trap', 'pwd', 'return', 'rm'];

/**
 * The programs that a script starts, each with its arguments, also in `$(…)`. A text in quotes becomes `…` if it contains more
 * than a word, so no sign in it is taken for an operator.
 */
function commandsIn(script: string): string[] {
  const functions = new Set([...script.matchAll(/(?<=^|[;\s])(\w+)\(\)/gu)].map(([, name]) => name));
  const plain = script
    .replace(/\\\n|\benv(?: -u \w+)+ /gu, ' ')
    .replace(/(?<=^|\s)#[^\n]*|'[^']*'|"(?:\\.|\$\([^)]*\)|[^"\\])*"/gmu, (text) => {
      if (text.startsWith('#')) return '';
      const inner = text.slice(1, -1);
      if (/^[\w$@*./:,=-]+$/u.test(inner)) return inner;
      return `…${text.startsWith('"') ? (inner.match(/\$\([^)]*\)/gu) ?? []).join('') : ''}`;
    })
    .replace(/\$\(\([^)]*\)\)|\d?(?:>>|<<<|[<>])&?\s*\S+/gu, '');
  const words = plain.split(/\$\(|&&|\|\||[\n;|&()]/u).map((command) => command.trim().split(/\s+/u));
  return words.flatMap((command) => {
    const from = command.findIndex((word) => !keywords.includes(word) && !/^\w+\+?=/u.test(word) && word !== '');
    const name = command[from];
    const isProgram = name !== undefined && !builtins.includes(name) && !functions.has(name);
    return isProgram ? [command.slice(from).join(' ')] : [];
  });
}

interface Pipeline {
  /** From `examples/ci`. */
  readonly file: string;
  /** Whether its files are those of a request, which its author chose. */
  readonly isReviewed: boolean;
  readonly commands: readonly string[];
}

/** Programs that read and print, and take no program from the files around them. */
const readers = ['cat', 'curl', 'grep', 'head', 'mktemp', 'node', 'sed', 'true'];

function findingsIn({ file, isReviewed, commands }: Pipeline): string[] {
  return commands.flatMap((command) => {
    const [program = ''] = command.split(' ');
    const report = (what: string) => [`${file}: ${what}: ${command}`];
    if (readers.includes(program)) return [];
    // Set from the base of the request; or the file that the line before has named.
    if (/^\$(?:CHATFORM|chatform)$/u.test(program)) {
      const isWhole = !command.includes('--base-ref') || /--base-ref (?:refs\/|\$\w+_SHA\b)/u.test(command);
      return isWhole ? [] : report('a tag may have the name of the base');
    }
    // What came with a request is removed by its whole name.
    if (program === 'find')
      return command.endsWith(' -name .chatform -prune -exec rm -rf {} +') ? [] : report('may remove more');
    if (program === 'npm') return command === 'npm ci --ignore-scripts' ? [] : report('runs scripts of packages');
    if (program === 'npx') return command.startsWith('npx --no-install chatform ') ? [] : report('may install');
    // A command of the owner: a secret of the environment, or a protected variable. Requests do not see it.
    if (command === 'sh -c $KEEP_TOKENS') return [];
    if (program !== 'git') return report('starts an unknown program');
    if (/\borigin\/\S/u.test(command.replace(/refs\/remotes\/origin\//gu, '')))
      return report('a tag may have this name');
    if (/\b(?:fetch|push|ls-remote) /u.test(command) && !command.includes('refs/heads/'))
      return report('a tag may have this name');
    if (!isReviewed) return [];
    const isNamed = /^git -C \$(?:GITHUB_WORKSPACE|CI_PROJECT_DIR) -c safe\.bareRepository=explicit /u.test(command);
    return isNamed ? [] : report('files of the request may choose the repository');
  });
}

type Steps = Readonly<Record<string, unknown>>;

/** Every text under a key that a runner gives to a shell. */
function scriptsIn(value: unknown, key = ''): string[] {
  if (typeof value === 'string') return ['run', 'script', 'before_script', 'after_script'].includes(key) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((inner) => scriptsIn(inner, key));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    // The script of actions/github-script is JavaScript.
    return key === 'with' && name === 'script' ? [] : scriptsIn(inner, name);
  });
}

function pipelineOf(file: string, text: string): Pipeline {
  const isShell = text.startsWith('#!');
  const scripts = isShell ? [text] : scriptsIn(parse(text) as Steps);
  const isReviewed = /^ +pull_request:|merge_request_event/mu.test(text);
  return { file, isReviewed, commands: scripts.flatMap(commandsIn) };
}

const folder = `${projectRoot}/examples/ci`;
const pipelines = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /\.yml$|\/pre-commit$/u.test(path))
  .sort()
  .map((path) => pipelineOf(path, readFileSync(`${folder}/${path}`, 'utf8')));

describe('the pipelines', () => {
  test('start only known programs, and let no request choose one', () => {
    expect(pipelines.flatMap(findingsIn)).toEqual([]);
  });

  test('are all read, with every program that they start', () => {
    const list = pipelines.map(({ file, isReviewed, commands }) => {
      const programs = new Set(commands.map((command) => command.split(' ')[0]));
      return `${file}${isReviewed ? ' (reviewed)' : ''}: ${[...programs].sort().join(' ')}`;
    });
    expect(list).toEqual([
      'action/action.yml: git npx true',
      'github/apply-state-branch.yml: curl git npm npx sh',
      'github/apply.yml: curl git npm npx sh',
      'github/drift-request.yml: cat git head npm npx sed',
      'github/drift.yml: git npm npx',
      'github/pull-request.yml (reviewed): $CHATFORM find git grep npm',
      'gitlab/.gitlab-ci.yml (reviewed): $chatform cat curl find git grep node npm npx sh',
      'gitlab/drift-request.gitlab-ci.yml: cat curl git head node npx sed',
      'pre-commit/pre-commit: $chatform git mktemp',
    ]);
  });

  const planted = [
    ['git worktree add --detach base refs/remotes/origin/main', 'files of the request may choose the repository'],
    ['base=$(git rev-parse --show-prefix)', 'files of the request may choose the repository'],
    ['echo "in $(git rev-parse --show-prefix)"', 'files of the request may choose the repository'],
    [
      'git -C "$GITHUB_WORKSPACE" -c safe.bareRepository=explicit worktree add base "origin/$BASE"',
      'a tag may have this name',
    ],
    ['git -C "$CI_PROJECT_DIR" -c safe.bareRepository=explicit fetch origin "$BASE"', 'a tag may have this name'],
    ['"$CHATFORM" plan --base-ref "origin/$GITHUB_BASE_REF"', 'a tag may have the name of the base'],
    ['npm ci', 'runs scripts of packages'],
    ['(cd "$base" && env -u TOKEN npm install)', 'runs scripts of packages'],
    ['npx chatform plan', 'may install'],
    ['if true; then ./setup.sh; fi', 'starts an unknown program'],
    ["echo 'a # b' && X=1 make | cat # it's", 'starts an unknown program'],
  ] as const;
  test.for(planted)('are refused with %s', ([line, finding]) => {
    const text = JSON.stringify({ jobs: { plan: { steps: [{ run: line }] } } });
    const { commands } = pipelineOf('a.yml', text);
    const found = findingsIn({ file: 'a.yml', isReviewed: true, commands });
    expect(found).toEqual([expect.stringContaining(`a.yml: ${finding}: `)]);
  });
});
