// Checks `policy.restrictions` offline and against a plan.
import { posix } from 'node:path';
import { isList, isObject, type JsonObject, type JsonValue, ownValue } from '../../../lib/json.ts';
import { globMatcher } from '../../../lib/patterns/glob.ts';
import { type LinearPattern, linearPattern } from '../../../lib/patterns/linear-pattern.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { type Address, addressOf, keyOf, kindOf } from '../../model/address.ts';
import type { Change } from '../../model/change.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Restriction, Verb } from '../../model/policy.ts';
import { printPosition } from '../../model/source.ts';
import type { BlockValue } from '../document/block.ts';
import { spotOfKey, spotOfPath } from '../document/block-spots.ts';
import type { BlockList } from '../document/declared-block.ts';
import { type ManifestDocument, spotIn } from '../document/document.ts';
import type { Problems, Spot } from '../problems/problems.ts';
import { oneOf } from '../problems/wording.ts';

/** A block of a list. It has positions only if its parts come from several files. */
interface RestrictedBlock extends BlockValue {
  readonly list: Pick<BlockList, 'file'>;
  readonly hasPlaces: boolean;
}

/** What a line of a file does to an object. Without fields it takes the object away. */
interface FileEffect {
  readonly file: string;
  readonly address: Address;
  readonly fields?: readonly string[];
}

/** Why a declaration is not allowed. `field` is set if only one attribute is not. */
interface Objection {
  readonly detail: string;
  readonly field?: string;
}

/** The restrictions of a policy, with patterns and globs compiled. */
export class PolicyRestrictions {
  readonly #entries: readonly CompiledRestriction[];
  readonly #kinds: ReadonlyMap<string, KindDefinition>;
  readonly #byFile = new Map<string, CompiledRestriction | undefined>();

  constructor(list: readonly Restriction[], kinds: readonly KindDefinition[]) {
    this.#entries = list.map(compiled);
    this.#kinds = new Map(kinds.map((kind) => [kind.name, kind]));
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** Returns every reason why the file may not declare this object with these attributes. */
  judge(file: string, address: Address, fields: Iterable<string>): readonly Objection[] {
    const entry = this.#entryFor(file);
    const kind = this.#kinds.get(kindOf(address));
    if (entry === undefined || kind === undefined) return [];
    const key = keyObjection(entry, kind, address, file);
    if (key !== undefined) return [{ detail: key }];
    const allowed = entry.restriction.fields?.[kind.section];
    if (allowed === undefined) return [];
    const may = allowed.length === 0 ? 'no attribute' : allowed.join(', ');
    // Another spelling is the attribute, too.
    const refused = [...fields].filter(
      (field) => !allowed.includes(ownValue(kind.spellings ?? {}, field)?.use ?? field),
    );
    return refused.map((field) => ({
      detail: `${placed(file, entry)}, which lets its ${kind.section} declare ${may}, not ${field}. Leave it out, or declare the object in another file.`,
      field,
    }));
  }

  /** Returns why the file may not take the object away, by an entry of `removed` or by a null in an overlay. */
  judgeRemoval(file: string, address: Address): Objection | undefined {
    const entry = this.#entryFor(file);
    const kind = this.#kinds.get(kindOf(address));
    if (entry === undefined || kind === undefined) return undefined;
    const key = keyObjection(entry, kind, address, file);
    if (key !== undefined) return { detail: key };
    if (allows(entry, 'remove')) return undefined;
    const detail = `${placed(file, entry)}, which lets it ${verbsOf(entry)}, not remove. Leave the line out, or remove the object in another file.`;
    return { detail };
  }

  /**
   * Yields changes that their files may not make: a verb, or an object that the file may not declare. The latter happens only
   * if the policy is not the one that the files were loaded with (--base-ref). A removed object is in no file, so the first
   * entry that matches its kind and key applies.
   */
  *refusals(changes: Iterable<Change>): Generator<Diagnostic> {
    if (this.isEmpty) return;
    for (const change of changes) {
      const detail = this.#refusal(change);
      if (detail === undefined) continue;
      const { address, source } = change;
      yield {
        severity: 'error',
        code: 'safety.restricted',
        summary: 'A file may not cause this change',
        detail,
        address,
        ...(source === undefined ? {} : { source }),
      };
    }
  }

  #refusal({ address, actions, source }: Change): string | undefined {
    const [objection] = source === undefined ? [] : this.judge(source.file, address, []);
    if (objection !== undefined) return objection.detail;
    const verb: Verb = source === undefined ? 'remove' : isCreation(actions) ? 'create' : 'update';
    const entry = source === undefined ? this.#ownerOf(address) : this.#entryFor(source.file);
    if (entry === undefined || allows(entry, verb)) return undefined;
    const { files, source: place } = entry.restriction;
    const whose =
      source === undefined
        ? `Its key belongs to the files ${files} (${printPosition(place)})`
        : placed(source.file, entry);
    return `The plan would ${verb} ${address}. ${whose}, which may ${verbsOf(entry)}, not ${verb}. Undo the edit, or ask the owners of the policy to change the restriction.`;
  }

  #entryFor(file: string): CompiledRestriction | undefined {
    if (!this.#byFile.has(file))
      this.#byFile.set(
        file,
        this.#entries.find(({ matches }) => matches(file)),
      );
    return this.#byFile.get(file);
  }

  #ownerOf(address: Address): CompiledRestriction | undefined {
    const section = this.#kinds.get(kindOf(address))?.section ?? '';
    return this.#entries.find(({ patterns }) => patterns.get(section)?.some((pattern) => pattern.test(keyOf(address))));
  }
}

interface CompiledRestriction {
  readonly restriction: Restriction;
  matches(file: string): boolean;
  /** Patterns by section. An absent section allows no keys. */
  readonly patterns: ReadonlyMap<string, readonly LinearPattern[]>;
}

function compiled(restriction: Restriction): CompiledRestriction {
  return {
    restriction,
    matches: matcherOf(restriction.files, restriction.source.file),
    patterns: new Map(Object.entries(restriction.keys).map(([section, list]) => [section, list.map(linearPattern)])),
  };
}

/**
 * Globs are relative to the folder of the policy's file, but a glob that begins with ** matches anywhere. Throws a SyntaxError for
 * another glob.
 */
function matcherOf(files: string, policy: string): (file: string) => boolean {
  const [outwards, inside] = splitOutwards(files);
  const matches = globMatcher(inside, 'path');
  const folder = posix.dirname(policy);
  const isAnywhere = files.startsWith('**');
  return (file) => {
    const [steps, path] = splitOutwards(posix.relative(folder, file));
    // Only a step that is written leads out of the folder. A star does not.
    return (isAnywhere || steps === outwards) && matches(path);
  };
}

/** Splits `../../a/b` before `a`. */
function splitOutwards(path: string): readonly [steps: string, path: string] {
  const [steps = ''] = /^(?:\.\.\/)*/u.exec(path) ?? [];
  return [steps, path.slice(steps.length)];
}

function keyObjection(
  entry: CompiledRestriction,
  { section, keyName }: KindDefinition,
  address: Address,
  file: string,
) {
  const patterns = entry.patterns.get(section) ?? [];
  if (patterns.some((pattern) => pattern.test(keyOf(address)))) return undefined;
  return patterns.length === 0
    ? `${placed(file, entry)}, which lets it declare no ${section}. Declare ${address} in another file.`
    : `${placed(file, entry)}, which lets it declare ${section} whose ${keyName} matches ${oneOf(patterns.map(({ source }) => source))}. Rename ${address}, or declare it in another file.`;
}

function placed(file: string, { restriction }: CompiledRestriction): string {
  return `${file} comes under the restriction of ${restriction.files} (${printPosition(restriction.source)})`;
}

function allows({ restriction }: CompiledRestriction, verb: Verb): boolean {
  return restriction.verbs?.includes(verb) !== false;
}

function verbsOf({ restriction }: CompiledRestriction): string {
  return restriction.verbs?.length === 0 ? 'change nothing' : (restriction.verbs ?? []).join(' and ');
}

function isCreation(actions: Change['actions']): boolean {
  return actions.some((action) => action === 'create' || action === 'adopt' || action === 'conflict');
}

/** Returns the entries of the policy. An invalid expression is reported and matches nothing. */
export function readRestrictions(
  document: ManifestDocument,
  kinds: readonly KindDefinition[],
  problems: Problems,
): readonly Restriction[] {
  const { policy } = document.outline;
  const list = isObject(policy) && Array.isArray(policy.restrictions) ? policy.restrictions : [];
  return list.flatMap((item, index): Restriction[] => {
    if (!isObject(item) || typeof item.files !== 'string') return [];
    const path = ['policy', 'restrictions', String(index)];
    const { source, offset } = spotIn(document, [...path, 'files']);
    const against = reasonAgainst(() => globMatcher(String(item.files), 'path'));
    if (against !== undefined) {
      problems.add('manifest.bad-pattern', `${against}.`, { source, offset });
      return [];
    }
    const keys = kinds.flatMap(({ section }): [string, string[]][] => {
      const patterns = item[section];
      return isList(patterns) ? [[section, validPatterns(document, [...path, section], patterns, problems)]] : [];
    });
    return [
      {
        files: item.files,
        keys: Object.fromEntries(keys),
        ...(Array.isArray(item.verbs) ? { verbs: item.verbs as Verb[] } : {}),
        ...(isObject(item.fields) ? { fields: fieldsOf(item.fields) } : {}),
        source: source.position(offset),
      },
    ];
  });
}

/** Warns about entries that match no file, because a folder was renamed or the pattern has a typo. */
export function checkRestrictionFiles(
  documents: readonly ManifestDocument[],
  files: readonly { readonly name: string }[],
  problems: Problems,
): void {
  const document = documents.find(({ outline }) => outline.policy !== undefined);
  const policy = document?.outline.policy;
  const list = isObject(policy) && Array.isArray(policy.restrictions) ? policy.restrictions : [];
  for (const [index, item] of list.entries()) {
    if (document === undefined || !isObject(item) || typeof item.files !== 'string') continue;
    const spot = spotIn(document, ['policy', 'restrictions', String(index), 'files']);
    const policyFile = spot.source.position(spot.offset).file;
    let matches: (file: string) => boolean;
    try {
      matches = matcherOf(item.files, policyFile);
    } catch {
      // It is reported when the policy is read.
      continue;
    }
    if (files.some(({ name }) => matches(name))) continue;
    const detail = `No loaded file matches ${item.files}, so the entry has no effect. Patterns are relative to the folder of ${policyFile}. Correct the pattern, or remove the entry.`;
    problems.add('manifest.restriction-unused', detail, spot, 'warning');
  }
}

/** Why a pattern or a glob is not valid. */
function reasonAgainst(compile: () => unknown): string | undefined {
  try {
    compile();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'It is not valid';
  }
}

function fieldsOf(fields: JsonObject): Record<string, readonly string[]> {
  return Object.fromEntries(
    Object.entries(fields).map(([section, names]) => [section, Array.isArray(names) ? names.map(String) : []]),
  );
}

/** Returns the valid regular expressions of a list at a path, and reports the others. */
export function validPatterns(
  document: ManifestDocument,
  path: readonly string[],
  patterns: JsonValue,
  problems: Problems,
): string[] {
  return (isList(patterns) ? patterns : []).filter((pattern, at): pattern is string => {
    if (typeof pattern !== 'string') return false;
    const against = reasonAgainst(() => linearPattern(pattern));
    const meant = expressionForGlob(pattern);
    if (against === undefined && meant === undefined) return true;
    const spot = spotIn(document, [...path, String(at)]);
    const advice = `These are regular expressions, which are searched in the id, not globs. Write ${JSON.stringify(meant)}.`;
    if (against === undefined) {
      const detail = `${JSON.stringify(pattern)} looks like a glob. ${advice}`;
      problems.add('manifest.bad-pattern', detail, spot, 'warning');
      return true;
    }
    problems.add('manifest.bad-pattern', meant === undefined ? `${against}.` : `${against}. ${advice}`, spot);
    return false;
  });
}

/** Reports problems at the object's own line. */
export function checkRestricted(block: RestrictedBlock, restrictions: PolicyRestrictions, problems: Problems): void {
  const { kind, key, value, list, hasPlaces, blockOf } = block;
  const address = addressOf(kind.name, key);
  const whole = { file: list.file, names: isObject(value) ? Object.keys(value) : [] };
  const { parts = [whole] } = hasPlaces ? blockOf().document : {};
  for (const { file, names } of parts) {
    for (const { detail, field } of restrictions.judge(file.name, address, names)) {
      const spot = field === undefined ? spotOfKey(blockOf()) : spotOfPath(blockOf(), [field], 'key');
      problems.add('manifest.restricted', detail, spot);
    }
  }
}

/** Reports why a file may not have the effect, at the spot of the line that has it. */
export function checkRestrictedEffect(
  { file, address, fields }: FileEffect,
  restrictions: PolicyRestrictions,
  problems: Problems,
  spot: Spot,
): void {
  const removal = fields === undefined ? restrictions.judgeRemoval(file, address) : undefined;
  const objections =
    fields === undefined ? (removal === undefined ? [] : [removal]) : restrictions.judge(file, address, fields);
  for (const { detail } of objections) problems.add('manifest.restricted', detail, spot);
}

/** Letters that ids have, and the signs of a glob. A dot before a star is an expression: `.*`. */
const globForm = /^(?!.*\.\*)[\w@:.-]*\*[\w@:.*-]*$/u;

/**
 * Returns the regular expression that means the same, or undefined if the pattern does not look like a glob, which --target and
 * `restrictions.files` have.
 */
function expressionForGlob(pattern: string): string | undefined {
  if (!globForm.test(pattern)) return undefined;
  const parts = pattern.split(/\*+/u).map((part) => part.replaceAll('.', '\\.'));
  const [first = ''] = parts;
  const last = parts.at(-1) ?? '';
  const inner = parts.join('.*');
  // Expressions are searched, so a star at an end needs nothing.
  const start = first === '' ? inner.replace(/^\.\*/u, '') : `^${inner}`;
  const whole = last === '' ? start.replace(/\.\*$/u, '') : `${start}$`;
  return whole === '' ? '.' : whole;
}
