// Distinguishes manifests from mappings and from YAML of other programs in the same folder (semantics §9.5).

import { Suggestions } from '../../../lib/suggestions.ts';
import { firstOf } from '../../../lib/words.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { mappingSections } from '../../model/tables/mapping.ts';
import type { ManifestFile } from '../files/discover.ts';
import { saysFirstVersion } from '../files/documents.ts';
import type { MapTree, Tree } from '../files/tree.ts';
import type { Problems } from '../problems/problems.ts';
import { withSection } from '../schema/block-schema.ts';

/** A file that is not a manifest: of another program, or a mapping of `chatform convert table`. */
export interface ForeignFile {
  readonly file: ManifestFile;
  readonly is: 'other' | 'mapping';
}

/** Top-level keys of a manifest besides its version and its sections. */
export const settingKeys = ['extends', 'variables', 'application', 'policy', 'defaults', 'sources', 'removed'];

/** Top-level names of a manifest. */
export interface TopLevelNames {
  readonly sections: readonly string[];
  readonly keys: readonly string[];
}

export function topLevelNames(kinds: readonly KindDefinition[]): TopLevelNames {
  const sections = withSection(kinds).map(({ section }) => section);
  return { sections, keys: [...settingKeys, ...sections] };
}

/** Both may have users, but only a mapping has tables. A file with keys that only manifests have is not one. */
export function isMapping(tree: Tree, { keys }: TopLevelNames): boolean {
  if (tree.type !== 'map') return false;
  const tables = tree.entries.get('tables')?.value;
  if (tables?.type !== 'map') return false;
  const isOfManifests = (key: string) => keys.includes(key) && !mappingSections.some((section) => section === key);
  // Tables of a database need not say anything.
  return (
    [...tables.entries.values()].every(({ value }) => value.type === 'map') &&
    ![...tree.entries.keys()].some(isOfManifests)
  );
}

/** `doubtful`: a file that is read as a manifest, although it does not say `version: 1`. */
type Origin = 'ours' | 'doubtful' | 'other';

/** Errs on the side of manifests, because an overlooked manifest is worse than a reported foreign file. */
export function originOf(trees: readonly Tree[], names: TopLevelNames): Origin {
  const parts = trees.flatMap((tree) => (tree.type === 'list' ? tree.items : [tree]));
  if (parts.some(saysFirstVersion)) return 'ours';
  const mayBeOurs = (tree: Tree): boolean => {
    if (tree.type === 'list') return tree.items.some((item) => item.type === 'map' && mayBeManifest(item, names));
    if (tree.type === 'scalar') return tree.value === null || hasOurWords(tree.text, names);
    return tree.entries.size === 0 || mayBeManifest(tree, names);
  };
  return trees.some(mayBeOurs) ? 'doubtful' : 'other';
}

/**
 * Judges a map that does not say `version: 1`. Programs share names such as `settings` and `users`, so each key must be one of
 * ours or resemble one. A whole version may be that of a later language, whose other keys are unknown here.
 */
function mayBeManifest({ entries }: MapTree, { sections, keys }: TopLevelNames): boolean {
  const version = entries.get('version')?.value;
  const suggestions = new Suggestions();
  const resemblesOurs = (key: string) => suggestions.sentence(key, keys) !== '';
  const isOurs = (key: string, value: Tree) =>
    // GitHub workflows also have `defaults`.
    key === 'defaults'
      ? value.type === 'map' && sections.some((section) => value.entries.has(section))
      : keys.includes(key) || (version !== undefined && resemblesOurs(key));
  const others = [...entries].filter(([key]) => key !== 'version');
  if (others.length > 0 && !others.some(([key, { value }]) => isOurs(key, value))) return false;
  const isWhole = version?.type === 'scalar' && /^\d+$/u.test(version.text);
  return isWhole || others.every(([key]) => keys.includes(key) || resemblesOurs(key));
}

/** Judges a text that cannot be parsed by the keys at the beginnings of its lines. */
export function originOfText(text: string, names: TopLevelNames): Origin {
  const topLevel = Array.from(text.matchAll(/^(["']?)([\w$./-]+)\1[ \t]*:(?=\s|$)[ \t]*(.*)$/gmu));
  if (topLevel.some(([, , key, value = '']) => key === 'version' && /^["']?1\b/u.test(value))) return 'ours';
  const suggestions = new Suggestions();
  const ourKeys = [...names.keys, 'version'];
  const isUnknown = (key: string) => !ourKeys.includes(key) && suggestions.sentence(key, ourKeys) === '';
  if (topLevel.some(([, , key = '']) => isUnknown(key))) return 'other';
  return hasOurWords(text, names) ? 'doubtful' : 'other';
}

/** Judges a text that is not a map by its words. A text without content may have been truncated. */
function hasOurWords(text: string, { sections, keys }: TopLevelNames): boolean {
  const words = new RegExp(`\\b(?:${sections.join('|')})\\b|^["']?(?:${keys.join('|')})`, 'mu');
  return words.test(text) || !/^(?!---|\.\.\.)\s*[^\s#]/mu.test(text);
}

interface ForeignContext {
  readonly foreign: readonly ForeignFile[];
  readonly found: readonly ManifestFile[];
  readonly problems: Problems;
}

const maxNamed = 10;
const useOfMappings = 'a mapping is input of chatform convert table.';

/** Reports a note for the files of other programs and one for the mappings, or an error if a folder contains nothing else. */
export function reportForeign({ foreign, found, problems }: ForeignContext): void {
  if (foreign.length === 0) return;
  const skipped = new Set(foreign.map(({ file }) => file));
  const roots = new Set([...skipped].map(({ root }) => root));
  for (const file of found) if (!skipped.has(file)) roots.delete(file.root);
  const others = foreign.filter(({ is }) => is === 'other');
  const mappings = foreign.filter(({ is }) => is === 'mapping');
  if (roots.size > 0) {
    const noManifest =
      others.length === 0 ? '' : `${listOf(others)}: none of these files is a manifest, which contains version: 1. `;
    const noMapping = mappings.length === 0 ? '' : `${listOf(mappings)}: ${useOfMappings} `;
    const advice = 'Pass the folder of your manifests, or run chatform init to create one.';
    problems.add('manifest.no-manifests', `${noManifest}${noMapping}${advice}`);
    return;
  }
  for (const [files, why] of [
    [others, 'no version: 1, and keys that no manifest has. To check such a file anyway, pass it as a PATH argument.'],
    [mappings, `${useOfMappings} To check one, run chatform convert table DATA --mapping FILE --sample 20.`],
  ] as const) {
    if (files.length === 0) continue;
    const detail = `${listOf(files)} ${files.length === 1 ? 'was' : 'were'} skipped: ${why}`;
    problems.add('manifest.foreign', detail, undefined, 'note');
  }
}

function listOf(files: readonly ForeignFile[]): string {
  return firstOf(
    files.map(({ file }) => file.name),
    maxNamed,
  );
}
