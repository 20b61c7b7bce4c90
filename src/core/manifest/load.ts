// Loads all manifests: files become documents, and documents become checked resources. All problems are collected.

import { compareText } from '../../lib/json.ts';
import type { Series } from '../../lib/series.ts';
import { adjusted, type Diagnostic } from '../model/diagnostic.ts';
import { type CrowdedUser, channelsOfUser } from '../model/limits.ts';
import type { RemovedEntry, Resource } from '../model/resource.ts';
import { compareDiagnostics } from '../model/sorted-diagnostics.ts';
import type { DeclaredPlace } from '../model/stores/declared-place.ts';
import { adoptWarnings } from './checks/adopted.ts';
import { Declarations } from './checks/declarations.ts';
import { checkDefaults, defaultsByFile } from './checks/defaults.ts';
import { noSecretsIn } from './checks/diagnostic-settings.ts';
import { Lookalikes } from './checks/lookalikes.ts';
import { crowdedUsers, crowdWarnings } from './checks/memberships.ts';
import type { PlanRules } from './checks/plan-rules.ts';
import type { RelationContext } from './checks/relations.ts';
import { readRemoved, withoutDeclared } from './checks/removals.ts';
import { SecretVariables } from './checks/secrets.ts';
import { checkEmulators, checkServers, positionsOf, readSettings, type Settings } from './checks/settings.ts';
import { readStatePlace } from './checks/state-place.ts';
import type { ChildDeclaration } from './document/block.ts';
import { isLayered, type ManifestDocument, type ParsedFile, readDocument } from './document/document.ts';
import { FileAttributes } from './document/file-attributes.ts';
import type { VariableTable } from './document/variable-table.ts';
import { WithheldVariables } from './document/withheld.ts';
import type { IgnoreListTexts } from './files/ignore-lists.ts';
import { readBlocks } from './passes/blocks.ts';
import { findFiles, readFiles, withBases } from './passes/files.ts';
import { type LoadTools, toolsOf } from './passes/load-tools.ts';
import type { LoadedFile, LoadedManifest, LoadOptions } from './passes/loaded-manifest.ts';
import { compileRules, restrict, withSigners } from './passes/policy.ts';
import { adviseSources, type DeclaredLists, type EmptySection, sectionLists } from './passes/sections.ts';
import { declareVariables, readGivenValues, withholdsMore } from './passes/variables.ts';

export async function loadManifests(paths: readonly string[], options: LoadOptions): Promise<LoadedManifest> {
  const withheld = new WithheldVariables(options.base);
  for (;;) {
    const tools = toolsOf(options, withheld);
    const settled = await readSettled(paths, tools);
    if (isEnough(settled, options)) return resultOf(settled, nothing, tools);
    const declared = await readDeclared(settled, tools);
    // Which variables are secrets is known only now. A value that was inserted may be anywhere in the problems, also in part or
    // escaped, so everything is read again without it. Such manifests have an error, and later loads add nothing.
    if (!withholdsMore(settled, tools)) return resultOf(settled, declared, tools);
  }
}

/** What is known before an object is read. */
interface SettledManifests {
  readonly ignoreLists: IgnoreListTexts;
  readonly parsed: readonly ParsedFile[];
  readonly documents: readonly ManifestDocument[];
  /** Absent if no manifest declares or uses a variable. */
  readonly variableTable: VariableTable | undefined;
  readonly secrets: SecretVariables;
  readonly settings: Settings;
  readonly planRules: PlanRules | undefined;
  readonly statePlace: DeclaredPlace | undefined;
  /** Whether the emulator of the application stays in the folder. */
  readonly staysInside: boolean;
  /** Whether a part of the manifests could not be read, so that objects may be missing. */
  readonly isPartial: boolean;
}

/** Each pass takes the results of those before it, so that a wrong order does not compile. */
async function readSettled(paths: readonly string[], tools: LoadTools): Promise<SettledManifests> {
  const { options, problems } = tools;
  const files = await findFiles(paths, tools);
  const givenValues = readGivenValues(tools);
  const isFoundInPart = problems.count > 0;
  const { parsed, isPartial: isReadInPart } = await withBases(await readFiles(files, tools), tools);
  const variableTable = declareVariables(parsed, givenValues, tools);
  const context = { ...tools, variableTable };
  const documents = parsed.flatMap((file) => file.documents.map((document) => readDocument(file, document, context)));
  const settings = await withSigners(readSettings(documents, options.rules, tools), documents, tools);
  const planRules = await compileRules(settings, documents, tools);
  const staysInside = await checkEmulators({ ...tools, documents });
  const secrets = new SecretVariables(documents, variableTable, problems);
  // A place has one problem. That a base URL contains a secret matters more than its form.
  secrets.refuseToken(tools.isSecret);
  checkServers({ documents, problems });
  const statePlace = await readStatePlace(documents, tools);
  const isPartial = isFoundInPart || isReadInPart || documents.some((document) => document.isPartial);
  const { ignoreLists } = files;
  return {
    ignoreLists,
    parsed,
    documents,
    variableTable,
    secrets,
    settings,
    planRules,
    statePlace,
    staysInside,
    isPartial,
  };
}

function isEnough({ settings, documents, variableTable }: SettledManifests, options: LoadOptions): boolean {
  if (options.isForSettings === true) return true;
  const usesVariables = variableTable !== undefined || documents.some(({ variables }) => variables.length > 0);
  return options.isForApplication === true && settings.application !== undefined && !usesVariables;
}

/** The declared objects. */
interface LoadedObjects {
  readonly resources: Series<Resource>;
  readonly removed: readonly RemovedEntry[];
  readonly empty: readonly EmptySection[];
  readonly crowded: readonly CrowdedUser[];
  /** About all objects together. */
  readonly warnings: readonly Diagnostic[];
  /** The number of objects by shown file name and kind. */
  readonly counts: ReadonlyMap<string, LoadedFile['counts']>;
}

const nothing: LoadedObjects = {
  resources: [],
  removed: [],
  empty: [],
  crowded: [],
  warnings: [],
  counts: new Map(),
};

async function readDeclared(settled: SettledManifests, tools: LoadTools): Promise<LoadedObjects> {
  const { documents, settings, secrets, variableTable, parsed } = settled;
  const { kinds, problems, withheld, collect } = tools;
  const context = { ...tools, variableTable };

  const removals = readRemoved(documents, context);
  checkDefaults(documents, { ...context, secrets });
  const defaults = defaultsByFile(documents, problems);
  const hasSources = documents.some(({ outline }) => outline.sources !== undefined);
  const rows = hasSources
    ? await (await import('./rows/read-sources.ts')).openSources(documents, defaults, context)
    : { lists: [], isPartial: false };
  const { sections, empty, isPartial: isListedInPart } = await sectionLists(documents, defaults, context);
  const lists: DeclaredLists = { sections, sources: rows.lists };
  const isPartial = settled.isPartial || rows.isPartial || isListedInPart;

  const files = isPartial ? undefined : [...parsed, ...lists.sources].map(({ file }) => file);
  const restrictions = restrict(settings, { documents, removals, files }, tools);
  const overlays = isLayered(parsed)
    ? await (await import('./passes/layers.ts')).layOverlays(lists, documents, { ...context, restrictions })
    : undefined;
  const declarations = new Declarations(collect);
  const around: RelationContext = {
    declarations,
    removed: removals,
    external: settings.external,
    isUnread: ({ kinds: named, key }) =>
      isPartial || lists.sources.some((source) => named.includes(source.kind.name) && source.mayHold(key)),
  };
  const children: ChildDeclaration[] = [];
  const lookalikes = new Lookalikes();
  await readBlocks(lists, {
    ...context,
    declarations,
    around,
    restrictions,
    secrets,
    lookalikes,
    overlays,
    personalData: settings.rules.personal_data === 'warn' ? 'warning' : 'error',
    allowedHosts: tools.options.allowedHosts ?? [],
    fileAttributes: new FileAttributes(tools.cwd, tools.files),
    isNoSecret: noSecretsIn(settings.rules.diagnostics),
    onChild: (child) => void children.push(child),
  });
  adviseSources(sections, declarations, problems);
  lookalikes.end({ kinds, declarations, problems });

  const historyFiles =
    children.length > 0 || hasSources
      ? await (await import('./passes/history-files.ts')).readHistoryFiles(
          { documents, children, around, restrictions },
          settings,
          context,
        )
      : [];
  variableTable?.end();
  secrets.refuseWithheld(withheld);
  const resources = declarations.resources(kinds, new Map([['messages', historyFiles]]));
  const crowded = declarations.sizeOf('group_channel') >= channelsOfUser.many ? crowdedUsers(resources) : [];
  return {
    resources,
    removed: withoutDeclared(removals, declarations, context).sort((left, right) =>
      compareText(left.address, right.address),
    ),
    empty,
    crowded,
    warnings: [...crowdWarnings(crowded), ...adoptWarnings(settings.policy, resources)],
    counts: countByFile(lists, declarations),
  };
}

function countByFile({ sections, sources }: DeclaredLists, declarations: Declarations): LoadedObjects['counts'] {
  const byFile = new Map<string, Record<string, number>>();
  for (const list of [...sections, ...sources]) {
    const counts = byFile.get(list.file.name) ?? {};
    const count = declarations.countOf(list);
    if (count > 0) counts[list.kind.name] = (counts[list.kind.name] ?? 0) + count;
    byFile.set(list.file.name, counts);
  }
  return byFile;
}

function resultOf(settled: SettledManifests, declared: LoadedObjects, { problems }: LoadTools): LoadedManifest {
  const { settings, documents, secrets, statePlace, planRules, parsed, ignoreLists } = settled;
  const { resources, removed, empty, crowded, warnings, counts } = declared;
  const { application, policy } = settings;
  const isSafe = settled.staysInside && !(secrets.areUsed && problems.errors > 0);
  const byFile = new Map(parsed.map(({ file: { name } }) => [name, {}]));
  return {
    resources,
    removed,
    ...(application === undefined || !isSafe ? {} : { application }),
    ...(statePlace === undefined ? {} : { statePlace }),
    variables: secrets.names,
    policy,
    positions: { application: positionsOf('application', documents), policy: positionsOf('policy', documents) },
    ...(planRules === undefined ? {} : { planRules }),
    diagnostics: [...adjusted([...problems.sorted(), ...warnings], settings.rules.diagnostics)].sort(
      compareDiagnostics,
    ),
    crowded,
    files: Array.from(new Map([...byFile, ...counts]), ([file, found]) => ({ file, counts: found })),
    empty,
    ignoreLists,
  };
}
