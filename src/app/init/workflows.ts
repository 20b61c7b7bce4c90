// The workflows of examples/ci/github, for the repository that init writes them into.
import { readFile } from 'node:fs/promises';
import { packaged } from '../packaged.ts';

/** By the name that a workflow gets in .github/workflows. */
const examples = {
  'chatform-pull-request.yml': 'pull-request.yml',
  'chatform-apply.yml': 'apply.yml',
  'chatform-drift.yml': 'drift.yml',
} as const;

export const workflowNames = Object.keys(examples) as (keyof typeof examples)[];

/** Both folders are relative to the repository's root, with `/`; '' is the root itself. */
export interface Place {
  /** Where the manifests lie. */
  readonly folder: string;
  /** Where the package.json lies that names chatform. */
  readonly packageFolder: string;
}

/** Whether a workflow can hold the folder's name without quotes, in YAML, in an expression and as a glob. */
export function isPlainFolder(folder: string): boolean {
  return folder === '' || /^[\p{L}\p{N}_.][\p{L}\p{N}_./ -]*$/u.test(folder);
}

export async function workflow(name: keyof typeof examples, { folder, packageFolder }: Place): Promise<string> {
  const example = await readFile(packaged(`examples/ci/github/${examples[name]}`), 'utf8');
  const text = example.replace(' Copy to .github/workflows/.', '');
  return inFolder(withLockFile(text, packageFolder), folder);
}

/** setup-node looks for the lock file in the root alone. `npm ci` finds it by itself. */
function withLockFile(text: string, folder: string): string {
  if (folder === '') return text;
  return text.replaceAll(/^( *)cache: npm$/gmu, `$&\n$1cache-dependency-path: ${folder}/package-lock.json`);
}

/** Commands run in the folder. Everything else counts paths from the root: actions, expressions and their scripts. */
function inFolder(text: string, folder: string): string {
  if (folder === '') return text;
  return text
    .replace(/^jobs:$/mu, `defaults:\n  run:\n    working-directory: ${JSON.stringify(folder)}\n\n$&`)
    .replaceAll(/\b(?:hashFiles|readFileSync)\('/gu, `$&${folder}/`)
    .replaceAll(/^( *path: )(?=[^|\s])/gmu, `$1${folder}/`)
    .replaceAll(/^( *)path: \|\n(?:\1 +\S.*\n)+/gmu, (block) =>
      block.replaceAll(/^( *)(?!path: )(?=\S)/gmu, `$1${folder}/`),
    )
    .replaceAll(
      /^( *)- name: .*\n +uses: actions\/download-artifact@\S+\n( +)with:\n +name: .*$/gmu,
      `$&\n$2  path: ${folder}`,
    );
}
