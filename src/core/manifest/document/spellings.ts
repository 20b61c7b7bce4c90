// Reads the platform's spellings of attributes.

import { isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { KindDefinition, Spelling } from '../../kinds/definition/kind.ts';
import { readSpelling } from '../../kinds/definition/spellings.ts';
import { mapOf } from '../../kinds/definition/values.ts';
import { printPosition } from '../../model/source.ts';
import { spotOfMeaning, spotOfPath } from './block-spots.ts';
import type { DeclaredBlock } from './declared-block.ts';
import type { LoadContext } from './load-context.ts';

/** Returns the block in the spelling of its kind. Reports deprecated spellings, and attributes in two spellings. */
export function readSpellings(block: DeclaredBlock, declared: JsonObject, { problems }: LoadContext): JsonObject {
  const attributes = inOneSpelling(block.kind, declared);
  for (const [path, first] of spelledTwice(block.kind, declared)) {
    const { source, offset } = spotOfPath(block, first, 'key');
    const detail = `${first.join('.')} (${printPosition(source.position(offset))}) and ${path.join('.')} are two spellings of one attribute. Keep one of them.`;
    problems.add('manifest.declared-twice', detail, spotOfPath(block, path, 'key'));
  }
  for (const [name, { use, isDeprecated, problems: problemsOf }] of Object.entries(block.kind.spellings ?? {})) {
    const value = declared[name];
    if (value === undefined) continue;
    if (isDeprecated === true) {
      const effect =
        attributes[use] === undefined ? 'and as it is written, it does nothing' : `and chatform reads it as ${use}`;
      const detail = `The platform deprecates ${name}, ${effect}. Write ${use} instead.`;
      problems.add('manifest.deprecated', detail, spotOfPath(block, [name], 'key'), 'warning');
    }
    for (const problem of problemsOf?.(value, { ...declared, ...attributes }) ?? []) {
      problems.put(problem, spotOfMeaning(block, problem.path));
    }
  }
  return attributes;
}

/** Replaces other spellings by attributes. The first spelling of a value takes precedence. */
export function inOneSpelling({ spellings = {} }: Pick<KindDefinition, 'spellings'>, declared: JsonObject): JsonObject {
  const block: Record<string, JsonValue> = { ...declared };
  const used = Object.entries(spellings).filter(([name]) => declared[name] !== undefined);
  for (const [name, { use, form }] of used) {
    const meant = readSpelling(form, use, declared[name] ?? null, block);
    if (meant === undefined) continue;
    if (isPart(form)) block[use] = withParts(mapOf(block, use), meant);
    else block[use] ??= meant;
  }
  for (const [name] of used) delete block[name];
  return block;
}

/** Returns the paths of values that the block spells in two ways, the second path first. */
function spelledTwice({ spellings = {} }: KindDefinition, declared: JsonObject): [string[], string[]][] {
  const firsts = new Map<string, [name: string, form: Spelling['form']]>();
  const twice: [string[], string[]][] = [];
  for (const [name, { use, form }] of Object.entries(spellings)) {
    const value = declared[name];
    if (value === undefined) continue;
    if (isPart(form)) {
      const lines = mapOf(declared, use);
      for (const id of Object.keys(isObject(value) ? value : {})) {
        if (mapOf(lines, id)[form.part] !== undefined)
          twice.push([
            [name, id],
            [use, id, form.part],
          ]);
      }
      continue;
    }
    const [first, formOfFirst] = declared[use] === undefined ? (firsts.get(use) ?? []) : [use];
    if (first === undefined) firsts.set(use, [name, form]);
    // Fields with a form of their own fill in one value together.
    else if (!(hasOwnForm(form) && formOfFirst !== undefined && hasOwnForm(formOfFirst))) twice.push([[name], [first]]);
  }
  return twice;
}

function withParts(lines: JsonObject, parts: JsonValue): JsonObject {
  const added = Object.entries(isObject(parts) ? parts : {});
  return {
    ...lines,
    ...Object.fromEntries(added.map(([id, part]) => [id, { ...(part as JsonObject), ...mapOf(lines, id) }])),
  };
}

function isPart(form: Spelling['form']): form is { readonly part: string } {
  return typeof form === 'object' && 'part' in form;
}

function hasOwnForm(form: Spelling['form']): boolean {
  return typeof form === 'object' && 'read' in form;
}
