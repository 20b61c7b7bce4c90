// The licences of the packages whose code is in the bundles, as a file of dist/.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const project = join(import.meta.dirname, '../..');

/** A package in `node_modules`, as bundlers write its path into names of modules and into comments. */
const bundledFrom = /\bnode_modules\/((?:@[\w.-]+\/)?[\w.-]+)\//gu;

/** The text of `dist/NOTICES.txt`. `code` is the paths of the bundled modules, and code that names its own. */
export function noticesOf(code: Iterable<string>): string {
  const names = new Set([...code].flatMap((text) => [...text.matchAll(bundledFrom)].map(([, name = '']) => name)));
  const heading = 'The files of this folder contain code of these packages.\n';
  return [heading, ...[...names].sort().map(noticeOf)].join(`\n${'-'.repeat(80)}\n\n`);
}

function noticeOf(name: string): string {
  const folder = join(project, 'node_modules', name);
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `${name} ${version} (${license})\n\n${licenceText(folder).trim()}\n`;
}

/** Throws if the package has no such file, because its code must not be passed on without one. */
export function licenceText(folder: string): string {
  const file = existsSync(folder)
    ? readdirSync(folder).find((entry) => /^licen[cs]e(?:\b|$)/iu.test(entry))
    : undefined;
  if (file === undefined) throw new Error(`${folder} has no file with its licence.`);
  return readFileSync(join(folder, file), 'utf8');
}
