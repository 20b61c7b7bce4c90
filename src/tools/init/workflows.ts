// The workflows that init writes, from the examples, and the lines that another application adds to them.
import { nameOfFolder } from '../../core/app/context/output-files.ts';
import { type OwnName, ownName } from '../../lib/own-names.ts';
import { npm, type PackageManager } from './program.ts';

export type Pipeline = 'github' | 'gitlab' | 'none';

/** The files of the repository, and the example of each. */
const examples: Readonly<Record<Pipeline, readonly (readonly [file: OwnName, example: string])[]>> = {
  github: [
    ['githubPullRequest', 'examples/ci/github/pull-request.yml'],
    ['githubApply', 'examples/ci/github/apply.yml'],
    ['githubDrift', 'examples/ci/github/drift.yml'],
  ],
  gitlab: [['gitlab', `examples/ci/gitlab/${ownName('gitlab')}`]],
  none: [],
};

export interface WorkflowPlace {
  /** The folder of the package.json that names chatform, relative to the root of the repository; '' is the root itself. */
  readonly packageFolder: string;
  /** The folders of the applications, relative to `packageFolder`; `.` is that folder itself. */
  readonly applications: readonly string[];
  /** The branch whose manifests are applied. */
  readonly branch: string;
  readonly manager: Pick<PackageManager, 'install' | 'pipelineProgram' | 'hasFolder'>;
}

/** The environments of an application, which the workflows name. */
export interface Environments {
  readonly apply: string;
  readonly drift: string;
}

export type WorkflowEdit =
  | { readonly type: 'write'; readonly text: string }
  | { readonly type: 'keep' }
  | { readonly type: 'leave out'; readonly why: string };

/** Each file and its example, relative to the repository and to the package. */
export function workflowFiles(pipeline: Pipeline): readonly (readonly [file: OwnName, example: string])[] {
  return examples[pipeline];
}

export function environmentsOf(application: string): Environments {
  return { apply: `production${suffixOf(application, '-')}`, drift: `drift${suffixOf(application, '-')}` };
}

/** Nothing for the package folder itself, whose application keeps the plain names. */
function suffixOf(application: string, separator: string): string {
  return application === '.' ? '' : `${separator}${nameOfFolder(application)}`;
}

/** `found` is the existing file, to which only lines of missing applications are added. `example` is the text of the example. */
export function editWorkflow(
  pipeline: Pipeline,
  example: string,
  place: WorkflowPlace,
  found: string | undefined,
): WorkflowEdit {
  const { packageFolder, applications, branch, manager } = place;
  const unfit = (why: string): WorkflowEdit => ({ type: 'leave out', why });
  if (![packageFolder, ...applications].every(isPlainFolder))
    return unfit('the folder name contains characters that a workflow would have to quote');
  if (found !== undefined) return extended(found, place);
  if (!/^\w[\w./-]*$/u.test(branch))
    return unfit('the name of the branch contains characters that a workflow would have to quote');
  if (pipeline === 'gitlab' && packageFolder !== '')
    return unfit(
      `chatform is installed in ${packageFolder}, and this pipeline runs at the root; adapt examples/ci/gitlab`,
    );
  if (!manager.hasFolder && example.includes('node_modules/.bin/'))
    return unfit(
      "it runs chatform of the base branch from node_modules/.bin, which Yarn's Plug'n'Play does not have; set nodeLinker: node-modules in .yarnrc.yml, or adapt the example in examples/ci",
    );
  const installed = installedBy(manager, example.replace(' Copy to .github/workflows/.', ''));
  const text = onBranch(inFolder(installed, packageFolder), branch);
  const all = withApplications(text, applications);
  return { type: 'write', text: applications.includes('.') ? all : withoutThisFolder(all) };
}

const eachLine = /^( *CHATFORM_EACH: )(?!\$)(\S.*)$/mu;
const row = /^( *- \{ folder: )([^,]+)(,.*)$/imu;
/** A value in a row, with its quotes. */
const value = `(?:"[^"]*"|'[^']*'|[^ ,}]+)`;
/** Consecutive rows of a matrix. */
const rows = new RegExp(`(?:${row.source}\n)+`, 'gimu');

function extended(text: string, { packageFolder, applications }: WorkflowPlace): WorkflowEdit {
  const known =
    namesIn(eachLine.exec(text)?.[2]) ??
    [...text.matchAll(new RegExp(row, 'gimu'))].map(([, , name = '']) => unquoted(name));
  const missing = applications.filter((name) => !known.includes(name));
  if (known.length === 0)
    return {
      type: 'leave out',
      why: 'it exists and lists no applications (CHATFORM_EACH); move it away and run init again',
    };
  const place = /^ *working-directory: "?(.*?)"?$/mu.exec(text)?.[1] ?? '';
  if (place !== packageFolder)
    return {
      type: 'leave out',
      why: `it exists and runs in the folder "${place}", where chatform is installed; this application has another`,
    };
  if (missing.length === 0) return { type: 'keep' };
  const includes = (outer: string, inner: string) => outer === '.' || inner.startsWith(`${outer}/`);
  const around = [...known, ...missing].find((outer) =>
    [...known, ...missing].some((inner) => inner !== outer && includes(outer, inner)),
  );
  if (around !== undefined) {
    return {
      type: 'leave out',
      why: `it exists, and the application in ${around} would include another; give each a folder of its own`,
    };
  }
  return { type: 'write', text: withApplications(text, missing) };
}

function withApplications(text: string, added: readonly string[]): string {
  const others = added.filter((name) => name !== '.');
  if (others.length === 0) return text;
  return text
    .replace(
      eachLine,
      (_line, key: string, names) => `${key}${quoted([...(namesIn(names) ?? []), ...others].join(','))}`,
    )
    .replaceAll(rows, (block) => `${block}${others.map((name) => rowOf(block, name)).join('')}`);
}

/** The row of an application, with the keys of the first row of the block. */
function rowOf(block: string, application: string): string {
  const [first = ''] = block.split('\n');
  const { apply, drift } = environmentsOf(application);
  const environment = first.includes('PLAN:') ? apply : drift;
  return `${first
    .replace(/(folder: )[^,]+/iu, (_old, key: string) => key + quoted(application))
    .replace(new RegExp(`(environment: )${value}`, 'iu'), (_old, key: string) => key + quoted(environment))
    .replace(new RegExp(`(PLAN: )${value}`, 'u'), (_old, key: string) => {
      return key + quoted(`plan${suffixOf(application, '.')}.chatform`);
    })}\n`;
}

function withoutThisFolder(text: string): string {
  return text
    .replace(
      eachLine,
      (_line, key: string, names: string) =>
        key + quoted((namesIn(names) ?? []).filter((name) => name !== '.').join(',')),
    )
    .replaceAll(/^ *- \{ folder: ["']?\.["']?,.*\n/gimu, '');
}

function namesIn(list: string | undefined): readonly string[] | undefined {
  return list === undefined ? undefined : unquoted(list).split(',');
}

/** In double quotes, so that no name is a number, a date, null or a switch to a reader of YAML. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

/** Undoes `quoted`. A person may have written other quotes, or none. */
function unquoted(text: string): string {
  const [, double, single] = /^(?:"([^"]*)"|'([^']*)')\s*$/u.exec(text) ?? [];
  return double ?? single ?? text.trim();
}

/** Whether a workflow can contain the folder name without quotes, in YAML, in expressions, in lists and in globs. */
function isPlainFolder(folder: string): boolean {
  return folder === '' || /^[\p{L}\p{N}_.][\p{L}\p{N}_./ -]*$/u.test(folder);
}

/** The examples install with npm. */
function installedBy({ install, pipelineProgram }: WorkflowPlace['manager'], text: string): string {
  return text.replaceAll(npm.install, install).replaceAll(npm.pipelineProgram, pipelineProgram);
}

/** The examples name the branch main. The pipelines of GitLab name none. */
function onBranch(text: string, branch: string): string {
  return text
    .replace('branches: [main]', `branches: [${branch}]`)
    .replaceAll("'refs/heads/main'", `'refs/heads/${branch}'`)
    .replace('limited to the branch main', `limited to the branch ${branch}`)
    .replace('limited to main ', `limited to ${branch} `);
}

/** Commands run in the folder. Everything else counts paths from the root: actions, expressions and their scripts. */
function inFolder(text: string, folder: string): string {
  if (folder === '') return text;
  return text
    .replace(/^jobs:$/mu, `defaults:\n  run:\n    working-directory: ${quoted(folder)}\n\n$&`)
    .replaceAll(/\b(?:hashFiles|readFileSync|existsSync)\('/gu, `$&${folder}/`)
    .replaceAll(/^( *path: )(?=[^|\s])(.*)$/gmu, (_old, key: string, path: string) => key + quoted(`${folder}/${path}`))
    .replaceAll(/^( *)path: \|\n(?:\1 +\S.*\n)+/gmu, (block) =>
      block.replaceAll(/^( *)(?!path: )(?=\S)/gmu, `$1${folder}/`),
    )
    .replaceAll(
      /^( *)- name: .*\n +uses: actions\/download-artifact@.*\n( +)with:\n +name: .*$/gmu,
      (step: string, _item: string, indent: string) => `${step}\n${indent}  path: ${quoted(folder)}`,
    );
}
