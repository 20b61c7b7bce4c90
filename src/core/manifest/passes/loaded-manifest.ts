// What a load of manifests takes, and what it gives.

import type { Collect, Series } from '../../../lib/series.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { CrowdedUser } from '../../model/limits.ts';
import type { Policy } from '../../model/policy.ts';
import type { RemovedEntry, Resource } from '../../model/resource.ts';
import type { SourcePosition } from '../../model/source.ts';
import type { DeclaredPlace } from '../../model/stores/declared-place.ts';
import type { AllowedHosts } from '../checks/callbacks.ts';
import type { PlanRules } from '../checks/plan-rules.ts';
import type { ApplicationSettings } from '../checks/settings.ts';
import type { VariableLookup } from '../document/application-variables.ts';
import type { VariableNames } from '../document/withheld.ts';
import type { FileAccess } from '../files/access.ts';
import type { KnownHistoryFiles } from '../history-files/history-files.ts';
import type { EmptySection } from './sections.ts';

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
  /** The cache of history files. */
  readonly knownHistoryFiles?: KnownHistoryFiles;
  /** Stores the declared objects, of which there may be a million. In memory by default. */
  readonly collect?: Collect;
  /** Stores the history files, which are few but large. In memory by default. */
  readonly collectHistoryFiles?: Collect;
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
  /** Where each block is declared. A second declaration is an error, and the first one is in `application` or `policy`. */
  readonly positions: Readonly<Record<'application' | 'policy', readonly SourcePosition[]>>;
  /** The rules of the policy. Absent if the policy has none. */
  readonly planRules?: PlanRules;
  /** Sorted: errors first, then by place. */
  readonly diagnostics: readonly Diagnostic[];
  /** Users in many group channels, sorted by id. */
  readonly crowded: readonly CrowdedUser[];
  readonly files: readonly LoadedFile[];
  /** Sections that are declared empty: `users: {}`. */
  readonly empty: readonly EmptySection[];
  /** The text of each `.chatformignore` that the search read, by absolute path. */
  readonly ignoreLists: ReadonlyMap<string, string>;
}

export interface LoadedFile {
  /** Relative to the working folder, with `/`. */
  readonly file: string;
  /** The number of declared objects by kind, without zeros. */
  readonly counts: Readonly<Record<string, number>>;
}
