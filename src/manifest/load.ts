// Loads all manifests: files become documents, and documents become checked resources. All problems are collected.

import { resolve } from 'node:path';
import type { KindDefinition } from '../kinds/definition/kind.ts';
import { userKinds } from '../kinds/parts/people.ts';
import { compareText } from '../lib/json.ts';
import { type Collect, collectInMemory, type Series } from '../lib/series.ts';
import type { Address } from '../model/address.ts';
import { adjusted, compareDiagnostics, type Diagnostic } from '../model/diagnostic.ts';
import { type CrowdedUser, channelsOfUser, messageLengths } from '../model/limits.ts';
import type { Policy } from '../model/policy.ts';
import type { RemovedEntry, Resource } from '../model/resource.ts';
import type { DeclaredPlace } from '../model/stores/declared-place.ts';
import type { KnownArchives } from './archives/archives.ts';
import { adoptWarnings } from './checks/adopted.ts';
import { checkEmulators, checkServers, isEmulator, isServer } from './checks/base-url.ts';
import type { AllowedHosts } from './checks/callbacks.ts';
import { Declarations } from './checks/declarations.ts';
import { checkDefaults, defaultsByFile } from './checks/defaults.ts';
import { type NoSecret, noSecretsIn } from './checks/diagnostic-settings.ts';
import { Lookalikes } from './checks/lookalikes.ts';
import { crowdedUsers, crowdWarnings } from './checks/memberships.ts';
import type { PlanRules } from './checks/plan-rules.ts';
import { type ApplicationSettings, readSettings, type Settings } from './checks/policy-settings.ts';
import { mayExist, type RelationContext } from './checks/relations.ts';
import { type RemovalEntry, readRemoved, withoutDeclared } from './checks/removals.ts';
import { checkRestrictedRemovals, checkRestrictionFiles, PolicyRestrictions } from './checks/restrictions.ts';
import { SecretVariables } from './checks/secrets.ts';
import { readStatePlace } from './checks/state-place.ts';
import type { VariableLookup } from './document/application-variables.ts';
import type { ChildDeclaration } from './document/block.ts';
import type { SectionList } from './document/block-list.ts';
import { entryIn } from './document/declared-block.ts';
import { type ManifestDocument, readDocument } from './document/document.ts';
import { FileAttributes } from './document/file-attributes.ts';
import { type ForeignFile, reportForeign } from './document/foreign-files.ts';
import { type ParsedFile, readFile } from './document/parsed-file.ts';
import { type GivenValues, VariableTable, variablesBlocks } from './document/variable-table.ts';
import { type VariableNames, WithheldVariables } from './document/withheld.ts';
import { disk, type FileAccess } from './files/access.ts';
import { discover, type ManifestFile } from './files/discover.ts';
import { readBytes } from './files/manifest-text.ts';
import { parseYaml } from './files/read-yaml.ts';
import type { TreeEntry } from './files/tree.ts';
import type { Overlays } from './overlays/overlays.ts';
import { readBlocks } from './passes/blocks.ts';
import { adviseSources, type EmptySection, sectionLists } from './passes/sections.ts';
import { Problems } from './problems/problems.ts';
import { Suggestions } from './problems/suggestions.ts';
import type { SourceList } from './rows/source-list.ts';
import { checksFor } from './schema/validate.ts';

export interface LoadOptions {
  readonly kinds: readonly KindDefinition[];
  /** The absolute working folder. PATH arguments and shown file names are relative to it. */
  readonly cwd: string;
  readonly variables: VariableLookup;
  /** The names of variables that are set, to find those in the wrong case. Default: none. */
  readonly variableNames?: () => readonly string[];
  /** Whether a variable contains a secret such as the API token, regardless of the manifests. Absent: none does. */
  readonly isSecret?: (name: string) => boolean;
  /** The variables of the base of a request, which may neither show its secrets nor, in errors, what the base does not show. */
  readonly base?: VariableNames;
  /** `warn` for commands that send nothing. Default: `error`. */
  readonly missingVariables?: 'error' | 'warn';
  readonly files?: FileAccess;
  /** Finds the folder, with links resolved, that bases must be in, such as the git repository. Default: `cwd`. */
  readonly repository?: () => Promise<string>;
  /** Values of declared variables, which take precedence over the environment. `name` is the shown file name. */
  readonly values?: { readonly name: string; readonly bytes: Uint8Array };
  /** Hosts that the platform may call (CHATFORM_ALLOWED_HOSTS). Default: none. */
  readonly allowedHosts?: AllowedHosts;
  /** The policy that replaces the manifests' own in checks, from the merge base of a request. */
  readonly rules?: Policy;
  /**
   * Whether only the application is wanted. No object is read then, unless the application depends on variables or is missing, so
   * problems of objects matter.
   */
  readonly isForApplication?: boolean;
  /** Whether only the place of the state or the policy is wanted. No object is read then. */
  readonly isForSettings?: boolean;
  /** The cache of message archives. */
  readonly knownArchives?: KnownArchives;
  /** Stores the declared objects, of which there may be a million. In memory by default. */
  readonly collect?: Collect;
  /** Stores the archives, which are few but large. In memory by default. */
  readonly collectArchives?: Collect;
}

export interface LoadedManifest {
  /** Sorted by address, by code unit. If there are errors, it contains everything that could be read. */
  readonly resources: Series<Resource>;
  readonly removed: readonly RemovedEntry[];
  /**
   * Absent if no manifest has the block. If there are errors, it is also absent if it uses variables, because one may be an
   * undetected secret, or if its emulator is outside the folder.
   */
  readonly application?: ApplicationSettings;
  /** The place of the state (`application.state`), also if there are errors. Absent if none is declared, or it has an error. */
  readonly statePlace?: DeclaredPlace;
  /** Names in upper case. */
  readonly variables: VariableNames;
  readonly policy: Policy;
  /** The rules of the policy. Absent if the policy has none. */
  readonly planRules?: PlanRules;
  /** Sorted: errors first, then by place. */
  readonly diagnostics: readonly Diagnostic[];
  /** Users in many group channels, sorted by id. */
  readonly crowded: readonly CrowdedUser[];
  readonly files: readonly LoadedFile[];
  /** Sections that are declared empty: `users: {}`. */
  readonly empty: readonly EmptySection[];
}

interface LoadedFile {
  /** Relative to the working folder, with `/`. */
  readonly file: string;
  /** The number of declared objects by kind, without zeros. */
  readonly counts: Readonly<Record<string, number>>;
}

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
  { run: readBases, applies: ({ parsed }) => parsed.some(({ documents }) => documents.some(hasKey('extends'))) },
  { run: reportForeign, applies: ({ foreign }) => foreign.length > 0 },
  { run: mergeLayers, applies: isLayered },
  { run: declareVariables, applies: usesVariables },
  { run: readOutlines },
  { run: readPolicyAndApplication },
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
  { run: layOverlays, applies: isLayered },
  { run: restrict, applies: ({ settings: { policy, rules } }) => isRestricted(policy) || isRestricted(rules) },
  { run: readAllBlocks },
  { run: (load) => load.lookalikes.end(load), applies: ({ hasLookalikes }) => hasLookalikes },
  { run: readArchives, applies: (load) => load.children.length > 0 || hasPart('sources')(load) },
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
    if (!withholdsMore(load)) return resultOf(load);
  }
}

async function runPasses(passes: readonly Pass[], load: ManifestLoad): Promise<void> {
  for (const { run, applies } of passes) if (applies === undefined || applies(load)) await run(load);
}

function withholdsMore(load: ManifestLoad): boolean {
  if (!load.usesSecrets) return false;
  const { withheld, problems, options } = load;
  const { application, secret } = load.secrets.names;
  const inserted = [...application, ...(load.variableTable?.refused ?? [])].filter((name) => !withheld.has(name));
  const secrets = inserted.filter((name) => secret.has(name));
  const unknown = inserted.filter((name) => options.base?.application.has(name) === false);
  if (withheld.add(secrets, 'read')) return true;
  return problems.errors > 0 && withheld.add(unknown, 'new');
}

/** The results of the passes so far. Readers of single parts use narrower interfaces. */
class ManifestLoad {
  readonly paths: readonly string[];
  readonly options: LoadOptions;
  readonly kinds: readonly KindDefinition[];
  readonly cwd: string;
  readonly files: FileAccess;
  readonly variables: VariableLookup;
  readonly missingVariables: 'error' | 'warn';
  readonly allowedHosts: AllowedHosts;
  readonly collect: Collect;
  readonly problems = new Problems();
  readonly checks: ReturnType<typeof checksFor>;
  /** Whether a part of the manifests could not be read, so that objects may be missing. */
  isPartial = false;
  found: readonly ManifestFile[] = [];
  variableValues: GivenValues | undefined;
  foreign: ForeignFile[] = [];
  parsed: readonly ParsedFile[] = [];
  variableTable: VariableTable | undefined;
  documents: readonly ManifestDocument[] = [];
  settings: Settings;
  planRules: PlanRules | undefined;
  /** Whether the emulator of the application stays in the folder. */
  staysInside = true;
  statePlace: DeclaredPlace | undefined;
  removals: ReadonlyMap<Address, RemovalEntry> = new Map();
  removed: readonly RemovedEntry[] = [];
  defaults: ReadonlyMap<string, TreeEntry> = new Map();
  sources: readonly SourceList[] = [];
  sections: readonly SectionList[] = [];
  empty: readonly EmptySection[] = [];
  overlays: Overlays | undefined;
  restrictions: PolicyRestrictions | undefined;
  readonly declarations: Declarations;
  readonly children: ChildDeclaration[] = [];
  archives: Series<Resource> = [];
  resources: Series<Resource> = [];
  crowded: readonly CrowdedUser[] = [];
  /** Warnings about all objects together. */
  readonly warnings: Diagnostic[] = [];
  #secrets: SecretVariables | undefined;
  #around: RelationContext | undefined;
  #suggestions: Suggestions | undefined;
  #fileAttributes: FileAttributes | undefined;
  #isNoSecret: NoSecret | undefined;
  #lookalikes: Lookalikes | undefined;

  readonly #withheld: () => WithheldVariables;

  constructor(paths: readonly string[], options: LoadOptions, withheld: () => WithheldVariables) {
    this.paths = paths;
    this.#withheld = withheld;
    this.options = options;
    this.kinds = options.kinds;
    this.cwd = options.cwd;
    this.files = options.files ?? disk;
    this.variables = options.variables;
    this.missingVariables = options.missingVariables ?? 'error';
    this.allowedHosts = options.allowedHosts ?? [];
    this.collect = options.collect ?? collectInMemory;
    this.checks = checksFor(options.kinds);
    this.declarations = new Declarations(this.collect);
    this.settings = readSettings([], undefined, this);
  }

  get secrets(): SecretVariables {
    this.#secrets ??= new SecretVariables(this.documents, this.variableTable, this.problems);
    return this.#secrets;
  }

  get usesSecrets(): boolean {
    if (this.#secrets !== undefined || this.variableTable !== undefined) return true;
    return this.documents.some(({ variables }) => variables.length > 0);
  }

  get repository(): Promise<string> {
    return this.options.repository?.() ?? Promise.resolve(this.cwd);
  }

  get withheld(): WithheldVariables {
    return this.#withheld();
  }

  get variableNames(): readonly string[] {
    return this.options.variableNames?.() ?? [];
  }

  get lookalikes(): Lookalikes {
    this.#lookalikes ??= new Lookalikes();
    return this.#lookalikes;
  }

  get hasLookalikes(): boolean {
    return this.#lookalikes !== undefined;
  }

  get suggestions(): Suggestions {
    this.#suggestions ??= new Suggestions();
    return this.#suggestions;
  }

  get fileAttributes(): FileAttributes {
    this.#fileAttributes ??= new FileAttributes(this.cwd, this.files);
    return this.#fileAttributes;
  }

  get isNoSecret(): NoSecret {
    this.#isNoSecret ??= noSecretsIn(this.settings.rules.diagnostics);
    return this.#isNoSecret;
  }

  get personalData(): 'warning' | 'error' {
    return this.settings.rules.personal_data === 'warn' ? 'warning' : 'error';
  }

  get around(): RelationContext {
    this.#around ??= {
      declarations: this.declarations,
      removed: this.removals,
      external: this.settings.external,
      isUnread: ({ kinds, key }) =>
        this.isPartial || this.sources.some((source) => kinds.includes(source.kind.name) && source.mayHold(key)),
    };
    return this.#around;
  }

  readonly onChild = (child: ChildDeclaration): void => void this.children.push(child);
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
  const found = await discover(paths, cwd, files, problems);
  // The file of values may be among the manifests. Those of other runs count as foreign.
  const values = options.values === undefined ? undefined : resolve(cwd, options.values.name);
  load.found = found.filter(({ path }) => path !== values);
  load.isPartial = problems.count > 0;
}

/** Reads the file of --variables: values of declared variables as NAME: VALUE, in YAML or JSON (semantics §9.10). */
function readGivenValues(load: ManifestLoad): void {
  const { problems, options } = load;
  const source = options.values && readBytes(options.values.name, options.values.bytes, problems);
  const [tree, ...others] = source === undefined ? [] : parseYaml(source, problems).trees;
  if (source !== undefined && tree?.type === 'map' && others.length === 0) load.variableValues = { source, tree };
  else if (source !== undefined && tree !== undefined) {
    const detail = `${source.file} must be one map, with NAME: VALUE on each line.`;
    problems.add('manifest.wrong-type', detail, { source, offset: tree.offset });
  }
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

async function readBases(load: ManifestLoad): Promise<void> {
  const layers = await import('./overlays/layers.ts');
  const { kinds, cwd, files, problems, withheld } = load;
  const context = { kinds, cwd, files, problems, withheld, repository: await load.repository };
  const { parsed, bases, foreign, isPartial } = await layers.readBases(load.parsed, context);
  const known = new Set(load.found.map(({ path }) => path));
  load.found = [...load.found, ...bases.filter(({ path }) => !known.has(path))];
  load.foreign.push(...foreign);
  load.parsed = parsed;
  load.isPartial ||= isPartial;
}

async function mergeLayers(load: ManifestLoad): Promise<void> {
  const { mergeSettings } = await import('./overlays/settings.ts');
  load.parsed = mergeSettings(load.parsed, load.problems);
}

function declareVariables(load: ManifestLoad): void {
  const { parsed, variableValues, problems, suggestions, variables, variableNames, withheld, options } = load;
  const { isSecret = () => false } = options;
  const blocks = variablesBlocks(parsed, load);
  load.variableTable = new VariableTable(blocks, variableValues, {
    problems,
    suggestions,
    variables,
    variableNames,
    withheld,
    isSecret,
  });
}

function readOutlines(load: ManifestLoad): void {
  load.documents = load.parsed.flatMap((file) => file.documents.map((document) => readDocument(file, document, load)));
  load.isPartial ||= load.documents.some(({ isPartial }) => isPartial);
}

function readPolicyAndApplication(load: ManifestLoad): void {
  load.settings = readSettings(load.documents, load.options.rules, load);
}

async function compileRules(load: ManifestLoad): Promise<void> {
  const document = load.documents.find(({ outline }) => outline.policy !== undefined);
  const { readPlanRules } = await import('./checks/plan-rules.ts');
  if (document !== undefined) load.planRules = readPlanRules(document, load.kinds, load.problems);
}

async function checkEmulatorPaths(load: ManifestLoad): Promise<void> {
  load.staysInside = await checkEmulators(load);
}

function refuseToken({ secrets, options: { isSecret = () => false } }: ManifestLoad): void {
  secrets.refuseToken(isSecret);
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

async function layOverlays(load: ManifestLoad): Promise<void> {
  const { overlaysOf } = await import('./overlays/overlays.ts');
  load.overlays = await overlaysOf([...load.sections, ...load.sources], load.documents, load);
}

function restrict(load: ManifestLoad): void {
  const { settings, kinds, parsed, sources, problems } = load;
  const restrictions = new PolicyRestrictions(settings.rules.restrictions ?? [], kinds);
  checkRestrictedRemovals(load.removals.values(), restrictions, problems);
  const files = [...parsed, ...sources].map(({ file }) => file);
  if (!load.isPartial) checkRestrictionFiles(load.documents, files, problems);
  if (!restrictions.isEmpty) load.restrictions = restrictions;
}

async function readAllBlocks(load: ManifestLoad): Promise<void> {
  await readBlocks(load.sections, load.sources, load);
  adviseSources(load.sections, load.declarations, load.problems);
}

async function readArchives(load: ManifestLoad): Promise<void> {
  const { documents, declarations, children, settings, options } = load;
  const archives = await import('./archives/archives.ts');
  const ofBlocks = children.flatMap(archives.archiveIn);
  const declared = [...ofBlocks, ...(await archives.archivesOfSources(documents, declarations, load))];
  load.archives = await archives.readArchives(declared, {
    cwd: load.cwd,
    files: load.files,
    problems: load.problems,
    suggestions: load.suggestions,
    collect: options.collectArchives ?? collectInMemory,
    messagesPerCall: settings.application?.messages_per_migration ?? archives.maxMessagesPerCall,
    messageLength: settings.application?.message_length ?? messageLengths.usual,
    metaArrays: settings.application?.meta_arrays,
    ...(options.knownArchives === undefined ? {} : { known: options.knownArchives }),
    isUser: (key) => mayExist({ kinds: userKinds, key }, load.around, load),
  });
}

function endVariables(load: ManifestLoad): void {
  load.variableTable?.end();
  load.secrets.refuseWithheld(load.withheld);
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

function checkAdopted({ settings, resources, warnings }: ManifestLoad): void {
  warnings.push(...adoptWarnings(settings.policy, resources));
}

function resultOf(load: ManifestLoad): LoadedManifest {
  const { problems, settings, planRules, resources, crowded, warnings } = load;
  const { application, policy } = settings;
  const isSafe = load.staysInside && !(load.usesSecrets && load.secrets.areUsed && problems.errors > 0);
  const found = [...problems.sorted(), ...warnings];
  return {
    resources,
    removed: load.removed,
    ...(application === undefined || !isSafe ? {} : { application }),
    ...(load.statePlace === undefined ? {} : { statePlace: load.statePlace }),
    variables: load.usesSecrets ? load.secrets.names : { application: new Set(), secret: new Set() },
    policy,
    ...(planRules === undefined ? {} : { planRules }),
    diagnostics: [...adjusted(found, settings.rules.diagnostics)].sort(compareDiagnostics),
    crowded,
    files: countByFile(load),
    empty: load.empty,
  };
}

function countByFile({ parsed, sections, sources, declarations }: ManifestLoad): readonly LoadedFile[] {
  const byFile = new Map(parsed.map(({ file }): [string, Record<string, number>] => [file.name, {}]));
  for (const list of [...sections, ...sources]) {
    const counts = byFile.get(list.file.name) ?? {};
    const count = declarations.countOf(list);
    if (count > 0) counts[list.kind.name] = (counts[list.kind.name] ?? 0) + count;
    byFile.set(list.file.name, counts);
  }
  return Array.from(byFile, ([file, counts]) => ({ file, counts }));
}
