// Brings declared attributes into one spelling, and the layers of a block before they are merged.
import { isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { KindDefinition, Spelling } from '../../kinds/definition/kind.ts';
import { readSpelling } from '../../kinds/definition/spellings.ts';
import { mapOf } from '../../kinds/definition/values.ts';
import type { MapTree, Tree, TreeEntry } from '../files/tree.ts';
import { absentKey } from '../schema/overlay-schema.ts';

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

function withParts(lines: JsonObject, parts: JsonValue): JsonObject {
  const added = Object.entries(isObject(parts) ? parts : {});
  return {
    ...lines,
    ...Object.fromEntries(added.map(([id, part]) => [id, { ...(part as JsonObject), ...mapOf(lines, id) }])),
  };
}

export function isPart(form: Spelling['form']): form is { readonly part: string } {
  return typeof form === 'object' && 'part' in form;
}

type NamedForm = Extract<Spelling['form'], string>;

/**
 * Returns both layers. An attribute that both declare, in two spellings or as lists of ids for a map, has its own spelling in
 * both. A value of a wrong form, and a layer that spells an attribute twice, stay as written for the checks of the block.
 */
export function inSharedSpelling(kind: Pick<KindDefinition, 'spellings'>, upper: Tree, lower: Tree): [Tree, Tree] {
  if (upper.type !== 'map' || lower.type !== 'map') return [upper, lower];
  let layers: [MapTree, MapTree] = [upper, lower];
  for (const [use, forms] of formsByUse(kind)) {
    const [over, under] = [onlyName(upper, forms), onlyName(lower, forms)];
    if (over === undefined || under === undefined) continue;
    if (!isRespelled(over, under, forms)) continue;
    const [above, below] = [respelled(layers[0], over, use, forms), respelled(layers[1], under, use, forms)];
    if (above !== undefined && below !== undefined) layers = [above, below];
  }
  return layers;
}

/** Returns the names of attributes that `inSharedSpelling` would change in a layer above this one. */
export function namesToRespell(kind: Pick<KindDefinition, 'spellings'>, lower: MapTree): readonly string[] {
  return [...formsByUse(kind).values()].flatMap((forms) => {
    const under = onlyName(lower, forms);
    return under === undefined ? [] : [...forms.keys()].filter((name) => isRespelled(name, under, forms));
  });
}

function isRespelled(over: string, under: string, forms: ReadonlyMap<string, NamedForm>): boolean {
  return over !== under || (forms.get(over) !== 'same' && forms.get(over) !== 'opposite');
}

/** Returns the names of each attribute that has several, with their forms. */
function formsByUse({
  spellings = {},
}: Pick<KindDefinition, 'spellings'>): ReadonlyMap<string, Map<string, NamedForm>> {
  const byUse = new Map<string, Map<string, NamedForm>>();
  for (const [name, { use, form }] of Object.entries(spellings)) {
    if (typeof form === 'string') byUse.set(use, (byUse.get(use) ?? new Map([[use, 'same']])).set(name, form));
  }
  return byUse;
}

function onlyName({ entries }: MapTree, forms: ReadonlyMap<string, NamedForm>): string | undefined {
  const [first, second] = [...forms.keys()].filter((name) => entries.has(name));
  return second === undefined ? first : undefined;
}

/** Returns the layer with the attribute in its own spelling, or undefined if the value does not have the form of its name. */
function respelled(
  layer: MapTree,
  name: string,
  use: string,
  forms: ReadonlyMap<string, NamedForm>,
): MapTree | undefined {
  const entries = new Map<string, TreeEntry>();
  for (const [key, entry] of layer.entries) {
    const value = key === name ? meantBy(forms.get(name) ?? 'same', entry.value) : entry.value;
    if (value === undefined) return undefined;
    entries.set(key === name ? use : key, { offset: entry.offset, value });
  }
  return { ...layer, entries };
}

function meantBy(form: NamedForm, value: Tree): Tree | undefined {
  if (form === 'same' || isRemoval(value)) return value;
  if (form === 'opposite') {
    if (value.type !== 'scalar' || typeof value.value !== 'boolean') return undefined;
    return { ...value, value: !value.value, text: String(!value.value) };
  }
  // An overlay may write a list of ids as a map, to remove some of them.
  if (form === 'ids' && value.type === 'map') return value;
  if (value.type !== 'list') return undefined;
  const entries = new Map<string, TreeEntry>();
  for (const item of value.items) {
    const id = form === 'ids' ? item : onlyUser(item);
    if (id?.type !== 'scalar' || entries.has(id.text)) return undefined;
    entries.set(id.text, { offset: id.offset, value: { type: 'map', offset: id.offset, entries: new Map() } });
  }
  return { type: 'map', offset: value.offset, entries };
}

function isRemoval(value: Tree): boolean {
  return value.type === 'map' && value.entries.size === 1 && value.entries.has(absentKey);
}

function onlyUser(item: Tree): Tree | undefined {
  return item.type === 'map' && item.entries.size === 1 ? item.entries.get('user_id')?.value : undefined;
}
