// Loads all manifests: files become documents, documents become checked resources. Every problem is collected on the way.

import { resolve } from 'node:path';
import { compareText } from '../lib/json.ts';
import { type Collect, collectInMemory, type Series } from '../lib/series.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Policy } from '../model/policy.ts';
import type { RemovedEntry, Resource } from '../model/resource.ts';
import type { SourcePosition } from '../model/source.ts';
import type { KindDefinition } from '../resources/define.ts';
import { userKinds } from '../resources/people.ts';
import { archiveIn, archivesKind, archivesOfSources, maxMessagesPerCall, readArchives } from './archives/archives.ts';
import type { KnownArchives } from './archives/known-archives.ts';
import type { BlockContext, ChildDeclaration } from './blocks/block.ts';
import { DeclarationIndex } from './blocks/declaration-index.ts';
import { adviseSources, declaredLists } from './blocks/declared-lists.ts';
import { type LoadContext, type ManifestDocument, readDocuments } from './blocks/document.ts';
import { FileAttributes } from './blocks/file-attributes.ts';
import { readRemoved, withoutDeclared } from './blocks/removed.ts';
import { resourcesOf } from './blocks/resources.ts';
import { type ApplicationSettings, readSettings } from './blocks/settings.ts';
import { checkEmulatorPath, SecretVariables, type VariableNames } from './checks/application.ts';
import type { AllowedHosts } from './checks/callbacks.ts';
import { checkBlocks } from './checks/check-blocks.ts';
import { Problems } from './checks/problems.ts';
import { mayExist, type Surroundings } from './checks/relations.ts';
import { checkRestrictedRemovals, checkRestrictionFiles, Restrictions } from './checks/restrictions.ts';
import { Suggestions } from './checks/suggest.ts';
import { discover, type ManifestFile } from './discover.ts';
import { disk, type FileAccess } from './files.ts';
import { readLayers } from './overlays/layers.ts';
import { declaredRules } from './rules/declared-rules.ts';
import type { PlanRules } from './rules/plan-rules.ts';
import { checksFor } from './schema/validate.ts';
import type { Variables } from './variables/application-variables.ts';
import { readGivenValues } from './variables/given-values.ts';

export interface LoadOptions {
  readonly kinds: readonly KindDefinition[];
  /** Absolute. PATH arguments are relative to it, and files are shown relative to it. */
  readonly cwd: string;
  readonly variables: Variables;
  /** Whether a variable holds a secret, such as the API token, whatever the manifests say of it. Absent: none does. */
  readonly isSecret?: (name: string) => boolean;
  /** `warn` for commands that send nothing. Default: `error`. */
  readonly missingVariables?: 'error' | 'warn';
  readonly files?: FileAccess;
  /** The folder, links followed, that no base may leave: that of the git repository. Default: `cwd`. */
  readonly repository?: string;
  /** Values of declared variables; `name` is how the file is shown. They beat the environment. */
  readonly values?: { readonly name: string; readonly bytes: Uint8Array };
  /** Hosts that the platform may be told to call: those of CHATFORM_ALLOWED_HOSTS. Default: none. */
  readonly allowedHosts?: AllowedHosts;
  /** The policy that replaces the manifests' own in checks: that of the merge base of a request. */
  readonly rules?: Policy;
  /** What earlier loads found in message archives. */
  readonly knownArchives?: KnownArchives;
  /** Stores series that may be long; in memory by default. */
  readonly collect?: Collect;
}

export interface LoadedManifest {
  /** Sorted by address, by code unit. With errors among the diagnostics, everything that could be read. */
  readonly resources: Series<Resource>;
  readonly removed: readonly RemovedEntry[];
  /**
   * Absent when no manifest has the block. With errors among the diagnostics, also when it has variables, since one may
   * be a secret that could not be read as such, or when its emulator leads out of the folder.
   */
  readonly application?: ApplicationSettings;
  /** In upper case. */
  readonly variables: VariableNames;
  readonly policy: Policy;
  /** The rules of the policy; absent when it has none. */
  readonly planRules?: PlanRules;
  /** Sorted: errors first, then by place. */
  readonly diagnostics: readonly Diagnostic[];
  readonly files: readonly LoadedFile[];
  /** Sections that are declared empty: `users: {}`. */
  readonly empty: readonly { readonly section: string; readonly source: SourcePosition }[];
}

interface LoadedFile {
  /** As shown: relative to the working folder, with `/`. */
  readonly file: string;
  /** Number of declared objects by kind; kinds without any are absent. */
  readonly counts: Readonly<Record<string, number>>;
}

export async function loadManifests(paths: readonly string[], options: LoadOptions): Promise<LoadedManifest> {
  const {
    kinds,
    cwd,
    repository = cwd,
    variables,
    missingVariables = 'error',
    files = disk,
    collect = collectInMemory,
    allowedHosts = [],
  } = options;
  const problems = new Problems();
  const reading: Omit<LoadContext, 'variableTable'> = {
    kinds,
    variables,
    missingVariables,
    problems,
    checks: checksFor(kinds),
    suggestions: new Suggestions(),
  };
  const valuesPath = options.values === undefined ? undefined : resolve(cwd, options.values.name);
  // The file of values may lie among the manifests, as may those of other runs, which are foreign.
  const found = (await discover(paths, cwd, files, problems)).filter(({ path }) => path !== valuesPath);
  const given = await readGivenValues(options.values, problems);
  const lacksFiles = problems.count > 0;
  const { parsed, isPartial: lacksParts } = await readLayers(found, { kinds, problems, cwd, files, repository });
  const { documents, variableTable } = readDocuments(parsed, given, reading, options.isSecret);
  const manifests = parsed.map(({ file }) => file);
  const lacksDocuments = lacksFiles || lacksParts || documents.some(({ isPartial: lacksSections }) => lacksSections);
  const context: LoadContext = { ...reading, variableTable };
  const { application, policy, rules, external } = readSettings(documents, options.rules, context);
  const planRules = await compiledRules(documents, context);
  const staysInside = await checkEmulatorPath(documents, { cwd, files, problems });
  const secrets = new SecretVariables(documents, variableTable, problems, options.isSecret);
  const removals = readRemoved(documents, context);
  const {
    sections,
    sources,
    empty,
    lists,
    isPartial: lacksLists,
  } = await declaredLists(documents, { ...context, cwd, files, secrets });
  const isPartial = lacksDocuments || lacksLists;

  const restrictions = new Restrictions(rules.restrictions ?? [], kinds);
  checkRestrictedRemovals(removals.values(), restrictions, problems);
  if (!isPartial) checkRestrictionFiles(documents, [...manifests, ...sources.map(({ file }) => file)], problems);

  const declarations = new DeclarationIndex(lists);
  const around: Surroundings = {
    declarations,
    removed: removals,
    external,
    isUnread: ({ kinds: named, key }) =>
      isPartial || sources.some((source) => named.includes(source.kind.kind) && source.mayHold(key)),
  };
  const children: ChildDeclaration[] = [];
  const blockContext: BlockContext = {
    ...context,
    fileAttributes: new FileAttributes(cwd, files),
    personalData: rules.personal_data === 'warn' ? 'warning' : 'error',
  };
  const onChild = (child: ChildDeclaration) => void children.push(child);
  await checkBlocks(declarations, { ...blockContext, onChild, around, restrictions, secrets, allowedHosts });

  const declaredArchives = [
    ...children.flatMap(archiveIn),
    ...(await archivesOfSources(documents, declarations, { problems, files, cwd })),
  ];
  const archives = await readArchives(declaredArchives, {
    ...context,
    cwd,
    files,
    collect,
    messagesPerCall: application?.messages_per_migration ?? maxMessagesPerCall,
    ...(options.knownArchives === undefined ? {} : { known: options.knownArchives }),
    isUser: (key) => mayExist({ kinds: userKinds, key }, around, context),
  });
  variableTable.end();
  const removed = withoutDeclared(removals, declarations, context);
  adviseSources(sections, declarations, problems);
  const isSafe = staysInside && !(secrets.areUsed && problems.errors > 0);
  return {
    resources: resourcesOf(declarations, blockContext, new Map([[archivesKind, archives]])),
    removed: removed.sort((left, right) => compareText(left.address, right.address)),
    ...(application === undefined || !isSafe ? {} : { application }),
    variables: secrets.names,
    policy,
    ...(planRules === undefined ? {} : { planRules }),
    diagnostics: problems.sorted(),
    files: countByFile(manifests, declarations),
    empty,
  };
}

/** The code that judges rules is loaded only when a policy has some. */
async function compiledRules(
  documents: readonly ManifestDocument[],
  { kinds, problems }: LoadContext,
): Promise<PlanRules | undefined> {
  const document = documents.find(({ outline }) => outline.policy !== undefined);
  if (document === undefined || declaredRules(document).length === 0) return undefined;
  const { readPlanRules } = await import('./rules/plan-rules.ts');
  return readPlanRules(document, kinds, problems);
}

function countByFile(manifests: readonly ManifestFile[], declarations: DeclarationIndex): readonly LoadedFile[] {
  const byFile = new Map(manifests.map(({ name }): [string, Record<string, number>] => [name, {}]));
  for (const list of declarations.lists) {
    const counts = byFile.get(list.file.name) ?? {};
    const count = declarations.countOf(list);
    if (count > 0) counts[list.kind.kind] = (counts[list.kind.kind] ?? 0) + count;
    byFile.set(list.file.name, counts);
  }
  return Array.from(byFile, ([file, counts]) => ({ file, counts }));
}
