// Tests that the layers and the folders of src/README.md and src/core/README.md hold, and proves each check by planted violations.
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ownNames } from '../src/lib/own-names.ts';
import { projectRoot, type SourceFile, scan, sourceFiles } from './support/source-files.ts';

/** What is at the top of `src`: each room, with the rooms that it imports. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  'version.ts': [],
  lib: [],
  emulator: [],
  core: ['lib', 'emulator', 'version.ts'],
  tools: ['core', 'lib', 'emulator', 'version.ts'],
  migration: ['tools', 'core', 'lib', 'version.ts'],
  cli: ['migration', 'tools', 'core', 'lib', 'emulator', 'version.ts'],
  'library.ts': ['migration', 'tools', 'core', 'lib', 'version.ts'],
};

/** Rooms with layers of their own, by their folder: the folders of `core`, and the conversion, which plans nothing. */
const layered = /^(?:core\/([^/]+)|migration\/(convert))(?=\/)/u;

/** The layers that a layer may import from, besides itself. */
const layers: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  model: ['lib'],
  kinds: ['lib', 'model'],
  history: ['lib', 'model', 'kinds'],
  access: ['lib', 'model', 'kinds'],
  resources: ['lib', 'model', 'kinds', 'history'],
  manifest: ['lib', 'model', 'kinds', 'history', 'resources'],
  planner: ['lib', 'model', 'kinds', 'history', 'access', 'resources'],
  refresh: ['lib', 'model', 'kinds', 'history', 'resources'],
  applier: ['lib', 'model'],
  platform: ['lib', 'model'],
  state: ['lib', 'model'],
  view: ['lib', 'model'],
  emulator: [],
  app: [
    ...['lib', 'model', 'kinds', 'history', 'access', 'resources', 'manifest', 'planner', 'refresh', 'applier'],
    ...['platform', 'state', 'view', 'emulator', 'version.ts'],
  ],
  tools: [
    ...['lib', 'model', 'kinds', 'history', 'resources', 'manifest', 'planner', 'refresh', 'applier', 'platform'],
    ...['state', 'view', 'emulator', 'app', 'version.ts'],
  ],
  convert: ['lib', 'model'],
  migration: [
    ...['lib', 'model', 'kinds', 'history', 'resources', 'manifest', 'planner', 'platform', 'state', 'view'],
    ...['app', 'tools', 'convert', 'version.ts'],
  ],
  cli: ['lib', 'model', 'view', 'app', 'tools', 'migration', 'version.ts'],
  'library.ts': ['lib', 'model', 'view', 'app', 'tools', 'migration', 'version.ts'],
  'version.ts': [],
};

/** What single files, or all of a folder, may import besides. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  // Generates schemas, validators and reference from the code; no command runs it.
  'cli/reference/': ['kinds', 'history', 'resources', 'manifest', 'platform', 'convert'],
  // Its help lists the faults and the behaviours.
  'cli/commands/emulator.ts': ['emulator'],
  // Redaction asks the kinds which attributes say nothing about a person.
  'cli/flags/view-options.ts': ['resources'],
  // They suggest the name that was meant.
  'cli/commands/state.ts': ['manifest'],
  'cli/flags/variable-warnings.ts': ['manifest'],
};

/** Values in, values out: no file, clock, network or randomness. */
const pureLayers = ['model', 'kinds', 'history', 'access', 'resources', 'planner'];
/** Modules that only compute. */
const pureModules = ['node:crypto', 'node:buffer', 're2js', 'diff/lib/patch/create.js', 'diff/lib/diff/word.js'];
const registries = ['core/resources/index.ts', 'core/state/index.ts', 'core/view/index.ts', 'library.ts'];

const impure: readonly { readonly name: string; readonly pattern: RegExp }[] = [
  { name: 'Date.now', pattern: /\bDate\s*\.\s*now\b/u },
  { name: 'new Date()', pattern: /\bnew\s+Date\s*(?:\(\s*\)|(?![\w\s(]))/u },
  { name: 'performance', pattern: /\bperformance\s*\./u },
  { name: 'timers', pattern: /\bset(?:Timeout|Interval|Immediate)\b/u },
  { name: 'Math.random', pattern: /\bMath\s*\.\s*random\b/u },
  { name: 'process', pattern: /\bprocess\s*[.[]/u },
  { name: 'fetch', pattern: /(?<![.\w])fetch\s*\(/u },
];

/**
 * Searches and lists of a plan are opaque to the applier and to the types of a step (src/core/history/README.md), so their texts
 * name no history file and no field of one. Phases and the failure `message` of the platform have names of their own.
 */
const historyFree = /^core\/(?:applier\/|model\/(?:request|step)\.ts$)/u;
const historyWords =
  /(?<!')\bmessages\b(?!')|\barchives?\b|\b(?:dedup_?id|message_id|metaArrays|reaction|likeness)\b/iu;

/** Use cases take typed options and give values: flags are read, and output is written, in `cli` alone. */
const useCaseLayers = ['app', 'tools', 'library.ts'];
const commandLine: readonly { readonly name: string; readonly pattern: RegExp }[] = [
  { name: 'CommandInput', pattern: /\bCommandInput\b/u },
  { name: 'flags by their text', pattern: /\.\s*(?:text|flag|list|duration|count)\s*\(\s*"/u },
  { name: 'standard output', pattern: /\b(?:process|world|environment)\s*\.\s*std(?:out|err|in)\b|\bconsole\s*\./u },
  { name: 'process.argv', pattern: /\bprocess\s*\.\s*argv\b/u },
];

/**
 * One way down: a use case opens the application and the state, itself or in app/opening, before it reads, plans and shows. Below
 * that, nothing opens them, and only these files connect, where the cost of the reads is known. Everything else takes what was opened.
 */
const openers: Readonly<Record<string, readonly string[]>> = {
  'core/app/context/open-application.ts': [],
  'core/app/context/open-state.ts': [],
  'core/app/context/connect.ts': ['core/app/plans/refresh.ts', 'core/app/run/under-lock.ts'],
};
/** A file in a folder of `app`, such as app/plans. The files of `app` itself are the use cases, and app/opening is their first stage. */
const belowUseCases = /^core\/app\/(?!(?:context|opening)\/)[^/]+\//u;

/**
 * Names of files that chatform opens without being told are written in lib/own-names.ts alone, and lib/own-files.ts alone makes paths of
 * them, after it has refused links. Sentences and patterns may contain them.
 */
const ownNameForms = ['.chatform', ...Object.values(ownNames)]
  .map((name) => name.replace(/\/$/u, '').replaceAll('.', '\\.').replace('…', '[^\\s*]*'))
  .join('|');
const ownNameText = new RegExp(
  `(['"])(?:\\./)?(?:${ownNameForms})(?:/[^\\s'"*]*)?\\1|\`(?:\\./)?(?:${ownNameForms})[^\`\\s]*\\$\\{`,
  'u',
);
const ownPathMade = /\b(?:join|resolve)\s*\((?:[^()]|\([^()]*\))*\bown(?:Name|Names)\b/u;
/** The lock and the files of a conversion check their paths themselves. */
const ownNameFiles = /^(?:lib\/(?:own-(?:names|files)\.ts$|staging\/)|cli\/reference\/)/u;

/** Signals belong to cli/process/interrupts.ts, to which the process is passed as an argument. */
const processListeners = /\bprocess\s*\.\s*(?:on|once|off|(?:add|prepend|remove)\w*Listeners?)\b/u;

/** Each finding as one line: `path: what is wrong`. */
function check(files: readonly SourceFile[], dependencies: readonly string[]): string[] {
  const findings: string[] = [];
  const packages = new Set<string>();
  const impureFiles = impureLibFiles(files);
  for (const { path, text } of files) {
    const report = (what: string) => findings.push(`${path}: ${what}`);
    const { imports, code } = scan(text);
    const layer = layerOf(path);
    const allowed = layers[layer];
    if (allowed === undefined) report(`${layer} is not a layer`);
    if (!/^(?:#![^\n]*\n)?\s*(?:\/\/|\/\*)/u.test(text)) report('does not open with a comment');
    if (/\bexport\s+default\b|\bas\s+default\b/u.test(code)) report('has a default export');
    if (/\bimport\s*\(\s*(?!["\s])/u.test(code)) report('imports a computed name');
    for (const { from, isReExport } of imports) {
      if (isReExport && !registries.includes(path)) report(`re-exports ${from}`);
      if (!from.startsWith('.')) {
        packages.add(from.startsWith('@') ? from.split('/').slice(0, 2).join('/') : (from.split('/')[0] ?? ''));
        if (pureLayers.includes(layer)) report(`imports ${from}`);
        continue;
      }
      if (!/\.(?:ts|cjs)$/u.test(from)) report(`imports ${from} without .ts`);
      const file = targetOf(from, path);
      const target = layerOf(file);
      if (belowUseCases.test(path) && openers[file]?.includes(path) === false) report(`calls back into ${file}`);
      if (pureLayers.includes(layer) && impureFiles.has(file)) report(`imports ${file}, which is not pure`);
      if (target === layer || allowed?.includes(target) === true) continue;
      const isException = Object.entries(exceptions).some(
        ([place, targets]) => path.startsWith(place) && targets.includes(target),
      );
      if (!isException) report(`${layer} imports ${target} (${from})`);
    }
    if (/\bcreateRequire\b/u.test(code)) report('uses createRequire, which bundlers do not follow');
    const word = historyFree.test(path) ? historyWords.exec(text)?.[0] : undefined;
    if (word !== undefined) report(`mentions ${word}`);
    if (!ownNameFiles.test(path)) {
      const named = ownNameText.exec(text)?.[0];
      if (named !== undefined) report(`names ${named}`);
      if (ownPathMade.test(code)) report('makes a path of an own name');
    }
    if (processListeners.test(code)) report('adds or removes listeners of the process');
    if (useCaseLayers.includes(layer)) {
      for (const { name, pattern } of commandLine) if (pattern.test(code)) report(`uses ${name}`);
    }
    if (!pureLayers.includes(layer)) continue;
    for (const { name, pattern } of impure) if (pattern.test(code)) report(`uses ${name}`);
  }
  for (const name of dependencies) {
    if (!packages.has(name)) findings.push(`package.json: ${name} is imported nowhere`);
  }
  return findings;
}

/** The layer of a file, from its path from `src/`. Outside of the layered rooms, a room is one layer. */
function layerOf(path: string): string {
  const [, ofCore, ofMigration] = layered.exec(path) ?? [];
  return ofCore ?? ofMigration ?? roomOf(path);
}

/** The folder or the file at the top of `src` that a path from `src/` lies in. */
function roomOf(path: string): string {
  return path.split('/')[0] ?? '';
}

/** Each room with the rooms that its files import. */
function arrowsOf(files: readonly SourceFile[]): Record<string, readonly string[]> {
  const arrows = new Map<string, Set<string>>();
  for (const [path, targets] of importsBetween(files)) {
    const room = roomOf(path);
    const imported = arrows.get(room) ?? new Set();
    arrows.set(room, imported);
    for (const target of targets) if (roomOf(target) !== room) imported.add(roomOf(target));
  }
  return Object.fromEntries([...arrows].map(([room, imported]) => [room, [...imported].sort()]));
}

/** From `src/`. */
function targetOf(from: string, path: string): string {
  return new URL(from, `file:///src/${path}`).pathname.replace(/^\/src\//u, '');
}

/** Files of `lib` that touch files, clocks or the process, also through other files of `lib`. */
function impureLibFiles(files: readonly SourceFile[]): ReadonlySet<string> {
  const found = new Set<string>();
  const isImpure = ({ path, text }: SourceFile): boolean => {
    const { imports, code } = scan(text);
    return (
      imports.some(({ from }) =>
        from.startsWith('.') ? found.has(targetOf(from, path)) : !pureModules.includes(from),
      ) || impure.some(({ pattern }) => pattern.test(code))
    );
  };
  const ofLib = files.filter(({ path }) => path.startsWith('lib/'));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const file of ofLib) if (isImpure(file)) found.add(file.path);
  }
  return found;
}

/** What each file imports from `src`, by path from `src/`. */
function importsBetween(files: readonly SourceFile[]): ReadonlyMap<string, readonly string[]> {
  return new Map(
    files.map(({ path, text }) => [
      path,
      scan(text).imports.flatMap(({ from }) => (from.startsWith('.') ? [targetOf(from, path)] : [])),
    ]),
  );
}

/** Folders that import each other, a folder and the folder above it included, each pair as one line. */
function mutualFolders(files: readonly SourceFile[]): string[] {
  const example = new Map<string, string>();
  for (const [path, targets] of importsBetween(files)) {
    for (const target of targets) {
      const [from, to] = [posix.dirname(path), posix.dirname(target)];
      if (from !== '.' && to !== '.' && from !== to) example.set(`${from} ${to}`, `${path} imports ${target}`);
    }
  }
  return [...example].flatMap(([pair, there]) => {
    const [from = '', to = ''] = pair.split(' ');
    const back = example.get(`${to} ${from}`);
    return from < to && back !== undefined ? [`${from} and ${to}: ${there}, ${back}`] : [];
  });
}

/** Circles of files that import each other, each as its files in order. */
function circles(files: readonly SourceFile[]): string[][] {
  const imports = importsBetween(files);
  const reachedFrom = (start: string): ReadonlySet<string> => {
    const reached = new Set<string>();
    const open = [...(imports.get(start) ?? [])];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (reached.has(path)) continue;
      reached.add(path);
      open.push(...(imports.get(path) ?? []));
    }
    return reached;
  };
  const reached = new Map([...imports.keys()].map((path) => [path, reachedFrom(path)]));
  const inCircle = [...reached].filter(([path, paths]) => paths.has(path)).map(([path]) => path);
  const found = new Map<string, string[]>();
  for (const path of inCircle) {
    const circle = inCircle.filter((other) => reached.get(path)?.has(other) && reached.get(other)?.has(path)).sort();
    found.set(circle.join(' '), circle);
  }
  return [...found.values()];
}

/** Most files that a folder may hold, those of its subfolders not counted. */
const mostFiles = 30;

function crowdedFolders(files: readonly SourceFile[]): string[] {
  const counts = new Map<string, number>();
  for (const { path } of files) counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1);
  return [...counts].flatMap(([folder, count]) => (count > mostFiles ? [`${folder}: ${count} files`] : []));
}

/** Names that two files may declare, because the emulator shares no code with the client. */
const sharedNames = /^(?:JsonObject|Method|Random|RatePlan|WindowKind)$/u;

/** Types of one name in several files, as `name: files`. A word has one meaning (schema/glossary.md). */
function repeatedTypes(files: readonly SourceFile[]): string[] {
  const places = new Map<string, string[]>();
  for (const { path, text } of files) {
    const declared = scan(text).code.matchAll(/^(?:export )?(?:abstract )?(?:interface|type|class) (\w+)/gmu);
    for (const name of new Set([...declared].map(([, name = '']) => name)))
      places.set(name, [...(places.get(name) ?? []), path]);
  }
  return [...places].flatMap(([name, paths]) =>
    paths.length > 1 && !sharedNames.test(name) ? [`${name}: ${paths.join(', ')}`] : [],
  );
}

describe('architecture', () => {
  const files = sourceFiles();
  const read = (path: string): unknown => JSON.parse(readFileSync(`${projectRoot}/${path}`, 'utf8'));

  test('the sources keep to the layers, and import every runtime dependency', () => {
    const { dependencies } = read('package.json') as { dependencies: Record<string, string> };
    expect(check(files, Object.keys(dependencies))).toEqual([]);
  });

  test('the rooms import each other as listed, and in no circle', () => {
    const listed = Object.entries(rooms).map(([room, imported]) => [room, [...imported].sort()]);
    expect(arrowsOf(files)).toEqual(Object.fromEntries(listed));
    // Each room imports only rooms that are listed above it, so that no circle is possible.
    const names = Object.keys(rooms);
    for (const [room, imported] of Object.entries(rooms))
      for (const other of imported)
        expect(names.indexOf(other), `${room} imports ${other}`).toBeLessThan(names.indexOf(room));
  });

  test('no two folders below the top level import each other', () => {
    expect(mutualFolders(files)).toEqual([]);
  });

  test('no files import each other in a circle', () => {
    expect(circles(files)).toEqual([]);
  });

  test(`no folder holds more than ${mostFiles} files`, () => {
    expect(crowdedFolders(files)).toEqual([]);
  });

  test('no two files declare a type of the same name', () => {
    expect(repeatedTypes(files)).toEqual([]);
  });

  test('every file that may open something below the use cases does', () => {
    const imports = importsBetween(files);
    const unused = Object.entries(openers).flatMap(([opener, paths]) =>
      paths.filter((path) => imports.get(path)?.includes(opener) !== true).map((path) => `${path}: ${opener}`),
    );
    expect(unused).toEqual([]);
  });

  test('what the check reads is there, and imports are seen', () => {
    expect(files.length).toBeGreaterThan(50);
    const object = files.find(({ path }) => path === 'core/planner/diff/object-draft.ts');
    expect(scan(object?.text ?? '').imports.map(({ from }) => from)).toContain('../../model/record.ts');
  });
});

/** Each after an opening comment. */
const planted: readonly (readonly [name: string, path: string, code: string, ...findings: string[]])[] = [
  ['nothing wrong', 'core/model/a.ts', "import { b } from './b.ts';"],
  ['the name of a file of chatform', 'core/app/a.ts', "read('.chatform/cache');", "names '.chatform/cache'"],
  [
    'a name of chatform below another folder, and one that varies',
    'core/app/a.ts',
    "read('.chatform/state/a');",
    "names '.chatform/state/a'",
  ],
  [
    'a path that is made of a name of chatform',
    'tools/a.ts',
    "const a = join(resolve(cwd), ownName('state'));",
    'makes a path of an own name',
  ],
  [
    'a layer too high',
    'core/model/a.ts',
    "import { user } from '../resources/user/user.ts';",
    'model imports resources (../resources/user/user.ts)',
  ],
  [
    'over several lines, types alone',
    'core/planner/a.ts',
    "import type {\n  A,\n  // from './x.ts'\n  B,\n} from '../state/a.ts';",
    'planner imports state (../state/a.ts)',
  ],
  [
    'a namespace, a default and names, a bare import',
    'core/applier/a.ts',
    `import * as all from "../platform/a.ts";\nimport one, { two } from '../state/b.ts';\nimport '../view/c.ts';`,
    'applier imports platform (../platform/a.ts)',
    'applier imports state (../state/b.ts)',
    'applier imports view (../view/c.ts)',
  ],
  [
    'a dynamic import and a type import',
    'core/resources/a.ts',
    "const a = await import('../planner/plan.ts');\nlet b: import('../../cli/main.ts').Main;",
    'resources imports planner (../planner/plan.ts)',
    'resources imports cli (../../cli/main.ts)',
  ],
  [
    'a kind below the wing of history that knows the wing',
    'core/kinds/a.ts',
    "import { line } from '../history/lines/line.ts';",
    'kinds imports history (../history/lines/line.ts)',
  ],
  [
    'history that knows what stands over it',
    'core/history/lines/a.ts',
    "import { m } from '../../resources/messages/messages.ts';\nimport { p } from '../../manifest/load.ts';\nimport { q } from '../../planner/plan.ts';\nimport type { S } from '../../applier/apply.ts';",
    'history imports resources (../../resources/messages/messages.ts)',
    'history imports manifest (../../manifest/load.ts)',
    'history imports planner (../../planner/plan.ts)',
    'history imports applier (../../applier/apply.ts)',
  ],
  [
    'an applier that looks into a search',
    'core/applier/doubt/a.ts',
    "import { targetOf } from '../../history/sending/message-search.ts';\nconst lines = step.search.content.archive;",
    'applier imports history (../../history/sending/message-search.ts)',
    'mentions archive',
  ],
  [
    'a step with a field of messages',
    'core/model/step.ts',
    'interface Step { readonly reaction?: string }',
    'mentions reaction',
  ],
  ['a step with phases', 'core/model/step.ts', "const phases = ['messages', 'reactions'];"],
  ['a computed import', 'cli/a.ts', 'const a = await import(name);', 'imports a computed name'],
  [
    'the emulator and the rest',
    'emulator/a.ts',
    "import type { A } from '../core/model/json.ts';",
    'emulator imports model (../core/model/json.ts)',
  ],
  [
    'somebody starts the emulator',
    'core/platform/a.ts',
    "import { start } from '../../emulator/server.ts';",
    'platform imports emulator (../../emulator/server.ts)',
  ],
  ['app may', 'core/app/a.ts', "import { s } from '../../emulator/server.ts';"],
  [
    'a plan that needs a tool',
    'core/app/a.ts',
    "import { rehearse } from '../../tools/rehearsal/rehearse.ts';",
    'app imports tools (../../tools/rehearsal/rehearse.ts)',
  ],
  [
    'a plan that needs a conversion, loaded on demand',
    'core/app/a.ts',
    "export const load = () => import('../../migration/convert/sources/index.ts');",
    'app imports convert (../../migration/convert/sources/index.ts)',
  ],
  [
    'a migration may',
    'migration/a.ts',
    "import { plan } from '../core/app/plan.ts';\nimport { s } from './convert/sources/index.ts';",
  ],
  [
    'a conversion that plans',
    'migration/convert/a.ts',
    "import { plan } from '../../core/app/plan.ts';\nimport { c } from '../convert.ts';",
    'convert imports app (../../core/app/plan.ts)',
    'convert imports migration (../convert.ts)',
  ],
  [
    'a tool that needs a migration',
    'tools/a.ts',
    "import { convert } from '../migration/convert.ts';",
    'tools imports migration (../migration/convert.ts)',
  ],
  [
    'a tool that knows the command line',
    'tools/a.ts',
    "import type { Environment } from '../cli/environment.ts';",
    'tools imports cli (../cli/environment.ts)',
  ],
  [
    'lib knows nothing else',
    'lib/a.ts',
    "import { Refusal } from '../core/model/errors.ts';",
    'lib imports model (../core/model/errors.ts)',
  ],
  [
    'a stage that opens what its use case opens',
    'core/app/plans/plan-manifests.ts',
    "import { openState } from '../context/open-state.ts';\nconst c = await import('../context/connect.ts');",
    ...['calls back into core/app/context/open-state.ts', 'calls back into core/app/context/connect.ts'],
  ],
  [
    'a read whose cost is known may connect',
    'core/app/plans/refresh.ts',
    "import { connectToRead } from '../context/connect.ts';",
  ],
  ['a use case may open', 'core/app/apply.ts', "import { openState } from './context/open-state.ts';"],
  [
    'a use case that knows the command line',
    'core/app/a.ts',
    "import type { Environment } from '../../cli/environment.ts';",
    'app imports cli (../../cli/environment.ts)',
  ],
  [
    'a use case that reads flags and prints',
    'core/app/a.ts',
    "export const run = (input: CommandInput, world: W) => world.stdout.write(input.text('out') ?? '');",
    ...['uses CommandInput', 'uses flags by their text', 'uses standard output'],
  ],
  [
    'a library that prints',
    'library.ts',
    'console.log(1); process.stderr.write(process.argv[0]);',
    ...['uses standard output', 'uses process.argv'],
  ],
  [
    'a library that knows more than the use cases',
    'library.ts',
    "import { a } from './core/planner/plan.ts';",
    'library.ts imports planner (./core/planner/plan.ts)',
  ],
  [
    'a command past its use case',
    'cli/commands/plan.ts',
    "const { makePlan } = await import('../../core/planner/plan.ts');\nimport { m } from '../../core/manifest/a.ts';",
    'cli imports planner (../../core/planner/plan.ts)',
    'cli imports manifest (../../core/manifest/a.ts)',
  ],
  [
    'exceptions are for their files',
    'cli/reference/a.ts',
    "import { registry } from '../../core/resources/index.ts';\nimport { b } from '../../core/state/b.ts';",
    'cli imports state (../../core/state/b.ts)',
  ],
  ['a new folder', 'utils/a.ts', '', 'utils is not a layer'],
  [
    'files and the network in pure layers',
    'core/planner/a.ts',
    "import { readFileSync } from 'node:fs';\nimport net from 'node:net';\nimport { request } from 'undici';",
    ...['imports node:fs', 'imports node:net', 'imports undici'],
  ],
  ['hashes in one place alone', 'core/model/a.ts', "import { createHash } from 'node:crypto';", 'imports node:crypto'],
  [
    'clocks, timers, chance and the environment',
    'core/resources/a.ts',
    'Date.now(); new Date(); performance.now(); setTimeout(f, 1); Math.random(); process.exit(); fetch(u);',
    ...['Date.now', 'new Date()', 'performance', 'timers', 'Math.random', 'process', 'fetch'].map(
      (name) => `uses ${name}`,
    ),
  ],
  [
    'signals in several places',
    'cli/a.ts',
    "process.on('SIGINT', stop); stream.on('error', stop); process.removeAllListeners('SIGINT');",
    'adds or removes listeners of the process',
  ],
  [
    'loading that bundlers do not follow',
    'core/view/a.ts',
    "import { createRequire } from 'node:module';\nconst load = createRequire(import.meta.url);",
    'uses createRequire, which bundlers do not follow',
  ],
  ['code in a template', 'core/resources/a.ts', 'const a = `$'.concat('{process.env.HOME}`;'), 'uses process'],
  [
    'words in texts, comments and patterns are not code',
    'core/model/a.ts',
    "// Date.now() and import './x.ts'\nconst a = 'Math.random() // https://x'; const b = /['\"`] process.x/u.test(`setTimeout`);\nconst c = new Date(a); /* export default 1 */",
  ],
  ['impure layers may', 'core/state/a.ts', "import fs from 'node:fs';\nDate.now();"],
  ['default exports', 'core/view/a.ts', 'export default 1;\nexport { a as default };', 'has a default export'],
  [
    'a barrel',
    'core/planner/index.ts',
    "export * from './plan.ts';\nexport type { A } from './a.ts';",
    ...['re-exports ./plan.ts', 're-exports ./a.ts'],
  ],
  ['a registry', 'core/view/index.ts', "export { a } from './a.ts';"],
  [
    'another suffix',
    'core/view/a.ts',
    "import { a } from './a.js';\nimport { b } from './b';",
    ...['imports ./a.js without .ts', 'imports ./b without .ts'],
  ],
];

/** Files with an opening comment, by path from `src/`. */
function filesOf(texts: Readonly<Record<string, string>>): SourceFile[] {
  return Object.entries(texts).map(([path, text]) => ({ path, text: `// What?\n${text}\n` }));
}

describe('the check finds planted violations', () => {
  test.for(planted)('%s', ([, path, code, ...findings]) => {
    expect(check(filesOf({ [path]: code }), [])).toEqual(findings.map((finding) => `${path}: ${finding}`));
  });

  test.for([
    ['export const a = 1; // What?\n', ['core/view/a.ts: does not open with a comment']],
    ['#!/usr/bin/env node\n// What?\n', []],
  ] as const)('a file that opens without a comment: %j', ([text, findings]) => {
    expect(check([{ path: 'core/view/a.ts', text }], [])).toEqual(findings);
  });

  test('a pure layer that uses a part of lib that is not pure', () => {
    const files = filesOf({
      'lib/disk.ts': "import fs from 'node:fs';",
      'lib/spool.ts': "import { a } from './disk.ts';",
      'lib/digest.ts': "import { hash } from 'node:crypto';",
      'core/planner/a.ts': "import { a } from '../../lib/spool.ts';\nimport { b } from '../../lib/digest.ts';",
    });
    expect(check(files, [])).toEqual(['core/planner/a.ts: imports lib/spool.ts, which is not pure']);
  });

  test('two folders that import each other, side by side and one in the other', () => {
    const texts = {
      'core/planner/plan.ts': "import { a } from './diff/a.ts';",
      'core/planner/diff/a.ts': "import type { B } from '../order/b.ts';",
      'core/planner/order/b.ts': "const a = await import('../diff/c.ts');",
    };
    const beside =
      'core/planner/diff and core/planner/order: core/planner/diff/a.ts imports core/planner/order/b.ts, core/planner/order/b.ts imports core/planner/diff/c.ts';
    expect(mutualFolders(filesOf(texts))).toEqual([beside]);
    expect(
      mutualFolders(filesOf({ ...texts, 'core/planner/diff/c.ts': "import type { Plan } from '../plan.ts';" })),
    ).toEqual([
      'core/planner and core/planner/diff: core/planner/plan.ts imports core/planner/diff/a.ts, core/planner/diff/c.ts imports core/planner/plan.ts',
      beside,
    ]);
    expect(mutualFolders(filesOf(texts).slice(0, 2))).toEqual([]);
  });

  test('a circle of files, over types and over several files', () => {
    const files = filesOf({
      'core/view/a.ts': "import { b } from './b.ts';",
      'core/view/b.ts': "import type { C } from './c.ts';",
      'core/view/c.ts': "import { a } from './a.ts';\nimport { d } from './d.ts';",
      'core/view/d.ts': '',
    });
    expect(circles(files)).toEqual([['core/view/a.ts', 'core/view/b.ts', 'core/view/c.ts']]);
    expect(circles(files.slice(1))).toEqual([]);
  });

  test('a folder of too many files', () => {
    const files = Array.from({ length: mostFiles + 1 }, (_, at) => ({ path: `lib/${at}.ts`, text: '// What?\n' }));
    expect(crowdedFolders(files)).toEqual([`lib: ${mostFiles + 1} files`]);
    expect(crowdedFolders(files.slice(1))).toEqual([]);
  });

  test('two types of one name', () => {
    const files = filesOf({
      'cli/a.ts': 'interface Row {}\ninterface JsonObject {}',
      'core/view/a.ts':
        "export type Row = 1;\n// type Row = 2;\nconst text = 'class Row {}';\nexport interface JsonObject {}",
      'core/view/b.ts': 'export class Rows {}',
    });
    expect(repeatedTypes(files)).toEqual(['Row: cli/a.ts, core/view/a.ts']);
  });

  test('a dependency that nobody imports', () => {
    const files = filesOf({ 'cli/a.ts': "import { a } from '@scope/used/deep.js';" });
    expect(check(files, ['@scope/used', 'unused'])).toEqual(['package.json: unused is imported nowhere']);
  });
});
