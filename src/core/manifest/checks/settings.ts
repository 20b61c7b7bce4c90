// Reads the settings, which are the blocks `application` and `policy`, each of which may appear once in all files, fills in defaults, and
// checks the base URL: it is one of the platform's API, version 3, or of an emulator that keeps its data inside the working folder.

import { resolve } from 'node:path';
import { isList, isObject, type JsonObject, type JsonValue, ownValue } from '../../../lib/json.ts';
import { isInside, shownPath } from '../../../lib/paths.ts';
import { type LinearPattern, linearPattern } from '../../../lib/patterns/linear-pattern.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { baseUrlAdvice, baseUrlFault } from '../../model/calls/base-url.ts';
import type { MetaArrayLimits } from '../../model/limits.ts';
import { type Policy, policyKeys } from '../../model/policy.ts';
import type { PolicyKey } from '../../model/policy-keys.ts';
import { printPosition, type SourcePosition } from '../../model/source.ts';
import { type ManifestDocument, spotIn } from '../document/document.ts';
import type { LoadContext } from '../document/load-context.ts';
import { type FileAccess, staysInside } from '../files/access.ts';
import type { Problems } from '../problems/problems.ts';
import type { SpecialName } from '../schema/policy-schema.ts';
import { readAdopted } from './adopted.ts';
import { rulesIn } from './declared-rules.ts';
import { readDiagnosticSettings } from './diagnostic-settings.ts';
import { readRestrictions, validPatterns } from './restrictions.ts';
import { signersIn } from './signers.ts';

export interface ApplicationSettings {
  /** Absent if it is not declared or uses a variable that is not set. */
  readonly base_url?: string;
  readonly rate_plan?: string;
  /** Calls per second, by `METHOD` or `METHOD /route`. */
  readonly limits: Readonly<Record<string, number>>;
  readonly messages_per_migration?: number;
  readonly message_length?: number;
  readonly meta_arrays?: MetaArrayLimits;
  readonly rate_share: number;
  /** The variable of the declared base URL that is not set. */
  readonly base_url_lacks?: string;
  readonly source: SourcePosition;
}

/** The types that the outline's schema allows. Every part may be missing. */
interface WrittenApplication {
  readonly base_url?: string;
  readonly rate_plan?: string;
  /** Numbers, and an object for meta_arrays. */
  readonly limits?: JsonObject;
  readonly rate_share?: number;
}
export interface Settings {
  readonly application: ApplicationSettings | undefined;
  readonly policy: Policy;
  /** The policy for checks: that of the base of a request, else `policy`. */
  readonly rules: Policy;
  /** Patterns of keys that are managed elsewhere, by section. */
  readonly external: ReadonlyMap<string, readonly LinearPattern[]>;
}

export function readSettings(
  documents: readonly ManifestDocument[],
  rulesOfBase: Policy | undefined,
  { kinds, problems }: Pick<LoadContext, 'kinds' | 'problems'>,
): Settings {
  const policy = readPolicy({ document: onlyOne('policy', documents, problems), kinds, problems });
  const rules = rulesOfBase ?? policy;
  const external = Object.entries(rules.external).map(([section, list]) => [section, list.map(linearPattern)] as const);
  return { application: readApplicationSettings(documents, problems), policy, rules, external: new Map(external) };
}

function readApplicationSettings(
  documents: readonly ManifestDocument[],
  problems: Problems,
): ApplicationSettings | undefined {
  const document = onlyOne('application', documents, problems);
  if (document === undefined) return undefined;
  const declared = document.outline.application as unknown as WrittenApplication;
  const { meta_arrays, ...numbers } = declared.limits ?? {};
  const { messages_per_migration, message_length, ...limits } = numbers as Readonly<Record<string, number>>;
  const lacking = document.variables.find(({ type, path }) => type === 'missing' && path[1] === 'base_url');
  return {
    ...(declared.base_url === undefined ? {} : { base_url: declared.base_url }),
    ...(declared.rate_plan === undefined ? {} : { rate_plan: declared.rate_plan }),
    limits,
    ...(messages_per_migration === undefined ? {} : { messages_per_migration }),
    ...(message_length === undefined ? {} : { message_length }),
    ...(isObject(meta_arrays) ? { meta_arrays } : {}),
    rate_share: declared.rate_share ?? 1,
    ...(lacking === undefined ? {} : { base_url_lacks: lacking.name }),
    source: positionOf('application', document),
  };
}

interface PolicyReading {
  /** Undefined if no file declares a policy. */
  readonly document: ManifestDocument | undefined;
  readonly kinds: readonly KindDefinition[];
  readonly problems: Problems;
}

/** The readers of values that are checked while they are read. The schema has made sure of their types. */
const readers: {
  readonly [Name in SpecialName]: (declared: JsonValue | undefined, reading: PolicyReading) => unknown;
} = {
  on_remove: (declared, { kinds }) => ({
    ...Object.fromEntries(kinds.flatMap(({ name, removals: [first] }) => (first === undefined ? [] : [[name, first]]))),
    ...(isObject(declared) ? declared : {}),
  }),
  acknowledge: (declared) => (isList(declared) ? declared.filter((item) => item !== null) : []),
  adopt: whenDeclared((declared, document, { problems }) =>
    readAdopted(document, declared as readonly string[], problems),
  ),
  external: (_declared, { document, problems }) => readExternal(document, problems),
  restrictions: (_declared, { document, kinds, problems }) =>
    document === undefined ? [] : readRestrictions(document, kinds, problems),
  'approvals.signers': whenDeclared((_declared, document, { problems }) => signersIn(document, problems)),
  diagnostics: (_declared, { document, problems }) => document && readDiagnosticSettings(document, problems),
  // Conditions are checked later, when they are compiled (checks/plan-rules.ts).
  rules: whenDeclared((_declared, document) => {
    const rules = rulesIn(document);
    return rules.length === 0 ? undefined : rules;
  }),
};

function whenDeclared(read: (declared: JsonValue, document: ManifestDocument, reading: PolicyReading) => unknown) {
  return (declared: JsonValue | undefined, reading: PolicyReading): unknown =>
    declared === undefined || reading.document === undefined ? undefined : read(declared, reading.document, reading);
}

function readPolicy(reading: PolicyReading): Policy {
  const { document } = reading;
  const read = (path: string, key: PolicyKey, declared: JsonValue | undefined): unknown => {
    if (key.type === 'special') return readers[path as SpecialName](declared, reading);
    if (key.isOptional === true && declared === undefined) return undefined;
    if (key.type === 'value') return declared ?? key.default;
    return valuesIn(key.parts, isObject(declared) ? declared : {}, `${path}.`);
  };
  const valuesIn = (keys: Readonly<Record<string, PolicyKey>>, declared: JsonObject, before: string): object => {
    const values = Object.entries(keys).map(
      ([name, key]) => [name, read(before + name, key, ownValue(declared, name))] as const,
    );
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
  };
  const declared = document?.outline.policy;
  const values = valuesIn(policyKeys, isObject(declared) ? declared : {}, '') as Policy;
  return document === undefined ? values : { ...values, source: positionOf('policy', document) };
}

/** Returns the valid regular expressions of `policy.external` by section. */
function readExternal(document: ManifestDocument | undefined, problems: Problems): Policy['external'] {
  const policy = document?.outline.policy;
  const external = isObject(policy) ? policy.external : undefined;
  if (document === undefined || !isObject(external)) return {};
  const sections = Object.entries(external).map(([section, patterns]): [string, string[]] => [
    section,
    validPatterns(document, ['policy', 'external', section], patterns, problems),
  ]);
  return Object.fromEntries(sections);
}

/** The settings with another policy, which also counts for checks unless that of a base does. */
export function withPolicy(settings: Settings, policy: Policy): Settings {
  return { ...settings, policy, rules: settings.rules === settings.policy ? policy : settings.rules };
}

/** Returns the first document with the block and reports further ones. */
function onlyOne(
  block: string,
  documents: readonly ManifestDocument[],
  problems: Problems,
): ManifestDocument | undefined {
  const [first, ...others] = documentsWith(block, documents);
  if (first === undefined) return undefined;
  for (const other of others) {
    const detail = `${block} is declared here and at ${printPosition(positionOf(block, first))}. It may be declared only once in all files. Merge the two.`;
    problems.add('manifest.declared-twice', detail, spotIn(other, [block], 'key'));
  }
  return first;
}

/** All declarations of a block, also those that `onlyOne` reports. */
export function positionsOf(block: string, documents: readonly ManifestDocument[]): SourcePosition[] {
  return documentsWith(block, documents).map((document) => positionOf(block, document));
}

function documentsWith(block: string, documents: readonly ManifestDocument[]): ManifestDocument[] {
  return documents.filter(({ outline }) => outline[block] !== undefined);
}

function positionOf(block: string, document: ManifestDocument): SourcePosition {
  const { source, offset } = spotIn(document, [block], 'key');
  return source.position(offset);
}

const emulatorPrefix = 'emulator:';

interface ServerContext {
  readonly documents: readonly ManifestDocument[];
  readonly problems: Problems;
}

interface EmulatorContext extends ServerContext {
  readonly cwd: string;
  readonly files: FileAccess;
}

/** A base URL with a variable that is not set is checked when it is known. */
function baseUrlOf({ outline: { application } }: ManifestDocument): string {
  const url = isObject(application) ? application.base_url : undefined;
  return typeof url === 'string' ? url : '';
}

function isServer(document: ManifestDocument): boolean {
  return /^https?:/iu.test(baseUrlOf(document));
}

/** Whether the document names an emulator with a path. */
function isEmulator(document: ManifestDocument): boolean {
  const url = baseUrlOf(document);
  return url.startsWith(emulatorPrefix) && url !== emulatorPrefix;
}

/** Checks the documents that name a server. */
export function checkServers({ documents, problems }: ServerContext): void {
  for (const document of documents.filter(isServer)) {
    const fault = baseUrlFault(baseUrlOf(document));
    if (fault === undefined) continue;
    const detail = `base_url ${fault}. ${baseUrlAdvice}`;
    problems.add('manifest.base-url', detail, spotIn(document, ['application', 'base_url']));
  }
}

/**
 * Checks the documents that name an emulator. Returns false and reports a problem if it would write outside the working folder and the
 * manifest's folder.
 */
export async function checkEmulators({ documents, cwd, files, problems }: EmulatorContext): Promise<boolean> {
  let isInsideAll = true;
  for (const document of documents.filter(isEmulator)) {
    const path = resolve(cwd, baseUrlOf(document).slice(emulatorPrefix.length));
    const { root } = document.file;
    if ((await staysInside(path, cwd, files)) || (await staysInside(path, root, files))) continue;
    isInsideAll = false;
    // The value may contain variables. The excerpt shows the line as written.
    const folder = isInside(cwd, root) ? 'the working folder' : `the working folder and ${shownPath(cwd, root)}`;
    const detail = `The emulator would keep its data outside ${folder}. Paths are relative to the working folder, and links are followed. Name a file inside it, or pass the address with --base-url instead.`;
    problems.add('manifest.leaves-folder', detail, spotIn(document, ['application', 'base_url']));
  }
  return isInsideAll;
}
