// One load of manifests: the values that the passes share, and how they become its result.
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { type Collect, collectInMemory, type Series } from '../../lib/series.ts';
import { Suggestions } from '../../lib/suggestions.ts';
import type { Address } from '../../model/address.ts';
import { adjusted, type Diagnostic } from '../../model/diagnostic.ts';
import type { CrowdedUser } from '../../model/limits.ts';
import type { RemovedEntry, Resource } from '../../model/resource.ts';
import { compareDiagnostics } from '../../model/sorted-diagnostics.ts';
import type { DeclaredPlace } from '../../model/stores/declared-place.ts';
import type { AllowedHosts } from '../checks/callbacks.ts';
import { Declarations } from '../checks/declarations.ts';
import { type NoSecret, noSecretsIn } from '../checks/diagnostic-settings.ts';
import { Lookalikes } from '../checks/lookalikes.ts';
import type { PlanRules } from '../checks/plan-rules.ts';
import type { RelationContext } from '../checks/relations.ts';
import type { RemovalEntry } from '../checks/removals.ts';
import type { PolicyRestrictions } from '../checks/restrictions.ts';
import { SecretVariables } from '../checks/secrets.ts';
import { readSettings, type Settings } from '../checks/settings.ts';
import type { VariableLookup } from '../document/application-variables.ts';
import type { ChildDeclaration } from '../document/block.ts';
import type { SectionList } from '../document/declared-block.ts';
import type { ManifestDocument, ParsedFile } from '../document/document.ts';
import { FileAttributes } from '../document/file-attributes.ts';
import type { ForeignFile } from '../document/foreign-files.ts';
import type { GivenValues, VariableTable } from '../document/variable-table.ts';
import type { WithheldVariables } from '../document/withheld.ts';
import { disk, type FileAccess } from '../files/access.ts';
import type { ManifestFile } from '../files/discover.ts';
import { SectionStore } from '../files/documents.ts';
import type { IgnoreListTexts } from '../files/ignore-lists.ts';
import type { TreeEntry } from '../files/tree.ts';
import type { Overlays } from '../overlays/overlays.ts';
import { Problems } from '../problems/problems.ts';
import type { SourceList } from '../rows/source-list.ts';
import { checksFor } from '../schema/validate.ts';
import type { LoadedFile, LoadedManifest, LoadOptions } from './loaded-manifest.ts';
import type { EmptySection } from './sections.ts';

/** The results of the passes so far. Readers of single parts use narrower interfaces. */
export class ManifestLoad {
  readonly paths: readonly string[];
  readonly options: LoadOptions;
  readonly kinds: readonly KindDefinition[];
  readonly cwd: string;
  readonly files: FileAccess;
  readonly variables: VariableLookup;
  readonly missingVariables: 'error' | 'warn';
  readonly allowedHosts: AllowedHosts;
  readonly collect: Collect;
  readonly sectionStore: SectionStore;
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
  readonly ignoreLists: IgnoreListTexts = new Map();
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
    this.sectionStore = new SectionStore(this.collect);
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

/** The result of the passes that ran. */
export function resultOf(load: ManifestLoad): LoadedManifest {
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
    ignoreLists: load.ignoreLists,
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
