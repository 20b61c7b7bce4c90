// Loads all manifests: files become documents, and documents become checked resources. All problems are collected.

import { resolve } from 'node:path';
import { compareText } from '../lib/json.ts';
import { channelsOfUser } from '../model/limits.ts';
import type { Policy } from '../model/policy.ts';
import { checkDefaults, defaultsByFile } from './checks/defaults.ts';
import { crowdedUsers, crowdWarnings } from './checks/memberships.ts';
import { readRemoved, withoutDeclared } from './checks/removals.ts';
import { checkEmulators, checkServers, isEmulator, isServer, readSettings } from './checks/settings.ts';
import { namesSignersFile } from './checks/signers.ts';
import { readStatePlace } from './checks/state-place.ts';
import { type ManifestDocument, type ParsedFile, readDocument, readFile } from './document/document.ts';
import { reportForeign } from './document/foreign-files.ts';
import { WithheldVariables } from './document/withheld.ts';
import { discover } from './files/discover.ts';
import { entryIn } from './files/tree.ts';
import { readBlocks } from './passes/blocks.ts';
import type { LoadedManifest, LoadOptions } from './passes/loaded-manifest.ts';
import { ManifestLoad, resultOf } from './passes/manifest-load.ts';
import { checkAdopted, compileRules, readSignersFile, restrict } from './passes/policy.ts';
import { adviseSources, sectionLists } from './passes/sections.ts';
import { declareVariables, endVariables, readGivenValues, refuseToken, withholdsMore } from './passes/variables.ts';

/** One pass of a load. A pass that does not apply is skipped, and its code is usually not even imported. */
interface Pass {
  run(load: ManifestLoad): Promise<void> | void;
  /** Absent: always. */
  applies?(load: ManifestLoad): boolean;
}

/** Each pass may use the results of the passes before it. */
const settingsPasses: readonly Pass[] = [
  { run: findFiles },
  { run: readGivenValues, applies: ({ options }) => options.values !== undefined },
  { run: readFiles },
  {
    run: async (load) => (await import('./passes/layers.ts')).readBases(load),
    applies: ({ parsed }) => parsed.some(({ documents }) => documents.some(hasKey('extends'))),
  },
  { run: reportForeign, applies: ({ foreign }) => foreign.length > 0 },
  { run: async (load) => (await import('./passes/layers.ts')).mergeLayers(load), applies: isLayered },
  { run: declareVariables, applies: usesVariables },
  { run: readOutlines },
  { run: readPolicyAndApplication },
  {
    run: readSignersFile,
    applies: ({ settings: { policy }, documents }) =>
      policy.approvals !== undefined && documents.some(namesSignersFile),
  },
  { run: compileRules, applies: ({ settings }) => settings.policy.rules !== undefined },
  { run: checkEmulatorPaths, applies: ({ documents }) => documents.some(isEmulator) },
  {
    run: refuseToken,
    applies: ({ options, documents }) => options.isSecret !== undefined && documents.some(hasVariables),
  },
  // A place has one problem. That a base URL contains a secret matters more than its form.
  { run: checkServers, applies: ({ documents }) => documents.some(isServer) },
  { run: findStatePlace, applies: ({ documents }) => documents.some(declaresStatePlace) },
];

/** The passes after the settings. */
const objectPasses: readonly Pass[] = [
  { run: readRemovals, applies: hasPart('removed') },
  { run: readDefaults, applies: ({ documents }) => documents.some(hasKey('defaults')) },
  { run: openSources, applies: hasPart('sources') },
  { run: listSections },
  { run: async (load) => (await import('./passes/layers.ts')).layOverlays(load), applies: isLayered },
  { run: restrict, applies: ({ settings: { policy, rules } }) => isRestricted(policy) || isRestricted(rules) },
  { run: readAllBlocks },
  { run: (load) => load.lookalikes.end(load), applies: ({ hasLookalikes }) => hasLookalikes },
  {
    run: async (load) => (await import('./passes/archives.ts')).readArchives(load),
    applies: (load) => load.children.length > 0 || hasPart('sources')(load),
  },
  { run: endVariables, applies: ({ usesSecrets }) => usesSecrets },
  { run: checkRemovals, applies: ({ removals }) => removals.size > 0 },
  { run: collectObjects },
  { run: countMemberships, applies: ({ declarations }) => declarations.sizeOf('group_channel') >= channelsOfUser.many },
  { run: checkAdopted, applies: ({ settings: { policy } }) => policy.adopt !== undefined },
];

export async function loadManifests(paths: readonly string[], options: LoadOptions): Promise<LoadedManifest> {
  let withheld: WithheldVariables | undefined;
  const withheldSoFar = (): WithheldVariables => {
    withheld ??= new WithheldVariables(options.base);
    return withheld;
  };
  for (;;) {
    const load = new ManifestLoad(paths, options, withheldSoFar);
    await runPasses(settingsPasses, load);
    if (options.isForSettings === true) return resultOf(load);
    if (options.isForApplication === true && load.settings.application !== undefined && !load.usesSecrets)
      return resultOf(load);
    await runPasses(objectPasses, load);
    // Which variables are secrets is known only now. A value that was inserted may be anywhere in the problems, also in part or
    // escaped, so everything is read again without it. Such manifests have an error, and later loads add nothing.
    if (!load.usesSecrets || !withholdsMore(load)) return resultOf(load);
  }
}

async function runPasses(passes: readonly Pass[], load: ManifestLoad): Promise<void> {
  for (const { run, applies } of passes) if (applies === undefined || applies(load)) await run(load);
}

function hasKey(key: string): (document: Pick<ManifestDocument, 'tree'>) => boolean {
  return ({ tree }) => entryIn(tree, key) !== undefined;
}

function hasPart(name: string): (load: ManifestLoad) => boolean {
  return ({ documents }) => documents.some(({ outline }) => outline[name] !== undefined);
}

function hasVariables({ variables }: ManifestDocument): boolean {
  return variables.length > 0;
}

/** Also of a place that is not a text, or that uses a variable. */
function declaresStatePlace({ tree }: ManifestDocument): boolean {
  return entryIn(entryIn(tree, 'application')?.value, 'state') !== undefined;
}

function isLayered({ parsed }: ManifestLoad): boolean {
  return parsed.some(({ depth }) => depth > 0);
}

function usesVariables({ variableValues, parsed }: ManifestLoad): boolean {
  if (variableValues !== undefined || parsed.some(({ hasPlaceholders }) => hasPlaceholders)) return true;
  return parsed.some(({ documents }) => documents.some(hasKey('variables')));
}

function isRestricted({ restrictions = [] }: Policy): boolean {
  return restrictions.length > 0;
}

async function findFiles(load: ManifestLoad): Promise<void> {
  const { paths, options, cwd, files, problems } = load;
  const found = await discover(paths, cwd, files, problems, 'manifests', load.ignoreLists);
  // The file of values may be among the manifests. Those of other runs count as foreign.
  const values = options.values === undefined ? undefined : resolve(cwd, options.values.name);
  load.found = found.filter(({ path }) => path !== values);
  load.isPartial = problems.count > 0;
}

async function readFiles(load: ManifestLoad): Promise<void> {
  const files: ParsedFile[] = [];
  for (const file of load.found) {
    const { parsed, isPartial, foreign } = await readFile(file, load);
    load.isPartial ||= isPartial;
    if (foreign !== undefined) load.foreign.push(foreign);
    if (parsed !== undefined) files.push(parsed);
  }
  load.parsed = files;
}

function readOutlines(load: ManifestLoad): void {
  load.documents = load.parsed.flatMap((file) => file.documents.map((document) => readDocument(file, document, load)));
  load.isPartial ||= load.documents.some(({ isPartial }) => isPartial);
}

function readPolicyAndApplication(load: ManifestLoad): void {
  load.settings = readSettings(load.documents, load.options.rules, load);
}

async function checkEmulatorPaths(load: ManifestLoad): Promise<void> {
  load.staysInside = await checkEmulators(load);
}

async function findStatePlace(load: ManifestLoad): Promise<void> {
  const { cwd, files, problems } = load;
  load.statePlace = await readStatePlace(load.documents, { cwd, files, problems, repository: await load.repository });
}

function readRemovals(load: ManifestLoad): void {
  load.removals = readRemoved(load.documents, load);
}

function readDefaults(load: ManifestLoad): void {
  checkDefaults(load.documents, load);
  load.defaults = defaultsByFile(load.documents, load.problems);
}

async function openSources(load: ManifestLoad): Promise<void> {
  const sources = await import('./rows/read-sources.ts');
  const { lists, isPartial } = await sources.openSources(load.documents, load.defaults, load);
  load.sources = lists;
  load.isPartial ||= isPartial;
}

async function listSections(load: ManifestLoad): Promise<void> {
  const { sections, empty, isPartial } = await sectionLists(load.documents, load.defaults, load);
  load.sections = sections;
  load.empty = empty;
  load.isPartial ||= isPartial;
}

async function readAllBlocks(load: ManifestLoad): Promise<void> {
  await readBlocks(load.sections, load.sources, load);
  adviseSources(load.sections, load.declarations, load.problems);
}

function checkRemovals(load: ManifestLoad): void {
  const removed = withoutDeclared(load.removals, load.declarations, load);
  load.removed = removed.sort((left, right) => compareText(left.address, right.address));
}

function collectObjects(load: ManifestLoad): void {
  load.resources = load.declarations.resources(load.kinds, new Map([['messages', load.archives]]));
}

function countMemberships(load: ManifestLoad): void {
  load.crowded = crowdedUsers(load.resources);
  load.warnings.push(...crowdWarnings(load.crowded));
}
