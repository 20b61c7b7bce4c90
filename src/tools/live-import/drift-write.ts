// Edits manifests to match the platform. A value is written only where a plain block declares the object. Everything else is
// listed with its place and value, for people to change.
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { writeOutput } from '../../core/app/context/output-files.ts';
import type { Ports } from '../../core/app/context/ports.ts';
import { type ReadDriftOptions, readDeclaredDrift } from '../../core/app/drift.ts';
import { loadDeclared } from '../../core/app/opening/load-declared.ts';
import type { KindDefinition } from '../../core/kinds/definition/kind.ts';
import { pick, sortedSet } from '../../core/kinds/definition/values.ts';
import { isSecret } from '../../core/manifest/document/declared-block.ts';
import { disk } from '../../core/manifest/files/access.ts';
import { discover } from '../../core/manifest/files/discover.ts';
import { reasonOf } from '../../core/manifest/files/read-failure.ts';
import type { LoadedManifest } from '../../core/manifest/passes/loaded-manifest.ts';
import { Problems } from '../../core/manifest/problems/problems.ts';
import { editBlocks } from '../../core/manifest/write/block-edits.ts';
import type { BlockEdit } from '../../core/manifest/write/whole-edits.ts';
import { type Address, keyOf } from '../../core/model/address.ts';
import type { AttributeChange, Drift } from '../../core/model/change.ts';
import type { Diagnostic } from '../../core/model/diagnostic.ts';
import { Refusal } from '../../core/model/errors.ts';
import { exitCode } from '../../core/model/exit-code.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { Resource } from '../../core/model/resource.ts';
import { differing } from '../../core/planner/live/observed-state.ts';
import { findKind, registry } from '../../core/resources/index.ts';
import { equalJson, isList, isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { demandInside, LeadsOutsideError } from '../../lib/own-files.ts';
import { editedFiles } from '../rehearsal/testing/edited-files.ts';

export interface WrittenDrift {
  /** The drift, as `readDrift` returns it. */
  readonly plan: Plan;
  /** The values that were written, one attribute each. `source` is the place before the edit. */
  readonly written: readonly Drift[];
  /** The values to change by hand. `note` says why. A secret has no values. */
  readonly left: readonly Drift[];
  /** The changed files, relative to the working folder. */
  readonly files: readonly string[];
}

/** A change of one attribute, with the drift that it accepts. */
interface DriftEdit extends BlockEdit {
  readonly address: Address;
  readonly kind: KindDefinition;
  readonly parts: readonly Drift[];
}

interface EditedFile {
  readonly path: string;
  readonly name: string;
  readonly bytes: Buffer;
  /** By address and attribute. */
  readonly edits: Map<string, DriftEdit>;
}

/** The maximum number of loads in which edits are refused. After that, nothing is edited. */
const maxTrials = 4;

/**
 * Writes each file whole, so that a killed command can be run again. The edited manifests are loaded before anything is
 * written: they must be valid, and differ from the former ones in the edited values only. Refused as `readDrift`, (6) when a
 * manifest changes meanwhile, and (1) when a file cannot be written.
 */
export async function writeDrift(options: ReadDriftOptions, ports: Ports): Promise<WrittenDrift> {
  const { plan, manifest } = await readDeclaredDrift(options, ports);
  const writer = new DriftWriter(options.paths, manifest, ports);
  await writer.take(plan.drift ?? []);
  const { written, left, files } = await writer.write();
  return { plan, written, left, files };
}

class DriftWriter {
  readonly #paths: readonly string[];
  readonly #manifest: LoadedManifest;
  readonly #ports: Ports;
  readonly #files = new Map<string, EditedFile>();
  readonly #left: Drift[] = [];

  constructor(paths: readonly string[], manifest: LoadedManifest, ports: Ports) {
    this.#paths = paths;
    this.#manifest = manifest;
    this.#ports = ports;
  }

  /** Sorts the drift into values to write and values to name. */
  async take(drift: Iterable<Drift>): Promise<void> {
    const all = [...drift];
    const wanted = new Set(all.map(({ address }) => address));
    const declared = new Map<Address, Resource>();
    for (const resource of this.#manifest.resources) {
      if (wanted.has(resource.address)) declared.set(resource.address, resource);
    }
    const found = await discover(this.#paths, this.#ports.cwd, disk, new Problems());
    const names = new Set(found.map(({ name }) => name));
    for (const drift of all) {
      const resource = declared.get(drift.address);
      const why = whyNotPlain(drift, resource, names);
      if (why !== undefined) this.#leave(drift, why);
      else if (resource !== undefined) {
        for (const attribute of drift.attributes) await this.#takeAttribute(drift, attribute, resource);
      }
    }
  }

  async write(): Promise<Omit<WrittenDrift, 'plan'>> {
    const texts = await this.#accepted();
    for (const { path, bytes, name } of texts.keys()) {
      const now = await readFile(path).catch(() => undefined);
      if (now?.equals(bytes) !== true) throw fileChanged(name);
    }
    const written: Drift[] = [];
    for (const [{ path, edits }, text] of texts) {
      await writeOutput(path, text, (await stat(path)).mode & 0o7777, 'exactly');
      written.push(...[...edits.values()].flatMap(({ parts }) => parts));
    }
    return { written, left: this.#left, files: Array.from(texts.keys(), ({ name }) => name) };
  }

  async #takeAttribute(drift: Drift, attribute: AttributeChange, resource: Resource): Promise<void> {
    const { source, attributeSources = {} } = resource;
    const [name = ''] = attribute.path;
    const ofAttribute = { ...drift, attributes: [attribute], source: attributeSources[name] ?? source };
    const kind = findKind(drift.address);
    const token = this.#ports.env.CHATFORM_API_TOKEN?.trim() ?? '';
    const holdsToken = token !== '' && JSON.stringify(attribute.after ?? null).includes(token);
    if (kind === undefined || kind.attributes[name]?.remember !== undefined || isSecret(kind, [name]) || holdsToken) {
      this.#leave({ ...ofAttribute, attributes: [{ path: attribute.path, how: attribute.how }] }, secret);
      return;
    }
    const file = await this.#fileOf(source.file);
    const known = typeof file === 'string' ? undefined : file.edits.get(`${drift.address} ${name}`);
    const declared = resource.attributes[name];
    const after = valueAfter(kind, attribute, known === undefined ? declared : known.after);
    if (after === 'same') return;
    if (after === 'pending' || declared === undefined) this.#leave(ofAttribute, notApplied);
    else if (typeof file === 'string') this.#leave(ofAttribute, file);
    else {
      const key = kind.onlyKey === undefined ? keyOf(drift.address) : undefined;
      const values = { section: kind.section, key, attribute: name, before: declared, after: after.value };
      const parts = [...(known?.parts ?? []), ofAttribute];
      file.edits.set(`${drift.address} ${name}`, { ...values, address: drift.address, kind, parts });
    }
  }

  /** Returns the file, or why it cannot be edited. */
  async #fileOf(name: string): Promise<EditedFile | string> {
    const known = this.#files.get(name);
    if (known !== undefined) return known;
    const { cwd } = this.#ports;
    const path = resolve(cwd, name);
    try {
      await demandInside(cwd, path);
      const file = {
        path: await disk.realPath(path),
        name,
        bytes: await readFile(path),
        edits: new Map<string, DriftEdit>(),
      };
      this.#files.set(name, file);
      return file;
    } catch (error) {
      if (error instanceof LeadsOutsideError) return 'The file is a link that leads out of the folder.';
      return `The file cannot be read: ${reasonOf(error)}.`;
    }
  }

  /** Drops edits until the edited manifests differ only in the edited values. */
  async #accepted(): Promise<ReadonlyMap<EditedFile, string>> {
    for (let trial = 0; ; trial += 1) {
      const texts = this.#editedTexts();
      if (texts.size === 0) return texts;
      const edits = new Map(Array.from(texts, ([{ path }, text]) => [path, text]));
      const loaded = await loadDeclared(this.#paths, this.#ports, { files: editedFiles(edits), isEditedDisk: true });
      const faults =
        trial < maxTrials ? this.#faultsOf(loaded) : this.#all().map((edit) => [edit, otherMeaning] as const);
      if (faults.length === 0) return texts;
      for (const [edit, why] of faults) this.#drop(edit, why);
    }
  }

  #editedTexts(): ReadonlyMap<EditedFile, string> {
    const texts = new Map<EditedFile, string>();
    for (const file of this.#files.values()) {
      const hasMark = file.bytes.subarray(0, 3).equals(byteOrderMark);
      const before = new TextDecoder('utf-8').decode(file.bytes);
      const { text, refused } = editBlocks(before, [...file.edits.values()], registry);
      for (const [edit, why] of refused) this.#drop(edit, why);
      if (text !== before) texts.set(file, hasMark ? `\ufeff${text}` : text);
      else for (const edit of [...file.edits.values()]) this.#drop(edit, otherMeaning);
    }
    return texts;
  }

  /** The edits that must not be made, and why. */
  #faultsOf({ diagnostics, resources }: LoadedManifest): (readonly [DriftEdit, string])[] {
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    if (errors.length > 0) {
      return errors.flatMap((error) => {
        const why = `The manifests would not be valid: ${error.detail}`;
        return this.#causesOf(error).map((edit) => [edit, why] as const);
      });
    }
    const edits = new Map<Address, DriftEdit[]>();
    for (const edit of this.#all()) edits.set(edit.address, [...(edits.get(edit.address) ?? []), edit]);
    const before = this.#manifest.resources;
    let faults: DriftEdit[] = before.length === resources.length ? [] : this.#all();
    for (let at = 0; at < before.length && before.length === resources.length; at += 1) {
      const [left, right] = [before.at(at), resources.at(at)];
      const ofObject = left === undefined ? [] : (edits.get(left.address) ?? []);
      if (left === undefined || right === undefined || saysWhatItShould(left, right, ofObject)) continue;
      if (ofObject.length === 0) {
        faults = this.#all();
        break;
      }
      faults.push(...ofObject);
    }
    return faults.map((edit) => [edit, otherMeaning] as const);
  }

  /** The edits that an error concerns: those of its object, otherwise those of its file, otherwise all. */
  #causesOf({ address, source }: Diagnostic): readonly DriftEdit[] {
    const ofObject = this.#all().filter((edit) => edit.address === address);
    const ofFile = [...(this.#files.get(source?.file ?? '')?.edits.values() ?? [])];
    return [ofObject, ofFile, this.#all()].find(({ length }) => length > 0) ?? [];
  }

  #all(): DriftEdit[] {
    return [...this.#files.values()].flatMap(({ edits }) => [...edits.values()]);
  }

  #drop(edit: DriftEdit, why: string): void {
    for (const { edits } of this.#files.values()) {
      if (edits.delete(`${edit.address} ${edit.attribute}`)) for (const part of edit.parts) this.#leave(part, why);
    }
  }

  #leave(drift: Drift, why: string): void {
    const { note_codes: _codes, ...rest } = drift;
    this.#left.push({ ...rest, note: why });
  }
}

const byteOrderMark = Buffer.from('\ufeff');
const otherMeaning = 'After the edit, the manifests would still differ from the platform.';

function whyNotPlain(
  { type, source }: Drift,
  resource: Resource | undefined,
  files: ReadonlySet<string>,
): string | undefined {
  if (type === 'missing') {
    return source === undefined
      ? 'It is neither declared nor on the platform. The next apply removes it from state.'
      : 'It no longer exists on the platform. Delete its block to accept that; otherwise the next apply creates it again.';
  }
  if (type === 'made_anew') return 'It was made anew, which no manifest says. The next apply takes it into state.';
  if (resource === undefined)
    return 'The object is not declared any more. The next apply removes it according to its on_remove.';
  const { row, over, file } = resource.source;
  if (row !== undefined || !/\.ya?ml$/iu.test(file)) return 'It is declared by a row, not by a block of its own.';
  if (over !== undefined || Object.values(resource.attributeSources ?? {}).some((part) => part.over !== undefined)) {
    return 'It is declared in a base and an overlay.';
  }
  return files.has(file) ? undefined : 'It is declared in a base, which other environments may share.';
}

const secret = 'The value is a secret, which no manifest may contain.';
const notApplied = 'The manifest has a change here that is not applied yet.';

/** Returns the attribute with the live value, `same` if it has that already, and `pending` if it was edited since the apply. */
function valueAfter(
  kind: KindDefinition,
  { path: [name = '', key], before, after }: AttributeChange,
  declared: JsonValue | undefined,
): { readonly value: JsonValue | undefined } | 'same' | 'pending' {
  const shape = kind.attributes[name]?.shape;
  if (shape === 'set') {
    const [known, live, ours] = [before, after, declared].map((value) => (isList(value) ? value.map(String) : []));
    const value = sortedSet([
      ...(ours ?? []).filter((id) => live?.includes(id) === true || known?.includes(id) !== true),
      ...(live ?? []).filter((id) => known?.includes(id) !== true),
    ]);
    return equalJson(value, ours) ? 'same' : { value };
  }
  if (shape === 'map' && key !== undefined) {
    const { [key]: ours, ...others } = isObject(declared) ? declared : {};
    if (equalJson(ours, after)) return 'same';
    if (!equalJson(ours, before)) return 'pending';
    return { value: after === undefined ? others : { ...others, [key]: after } };
  }
  const is = (value: JsonValue | undefined) =>
    differing(kind, { [name]: declared ?? null }, { [name]: value ?? null }).length === 0;
  if (is(after)) return 'same';
  return is(before) ? { value: after } : 'pending';
}

/** Whether the edited object differs from the former one in the edited values only. */
function saysWhatItShould(before: Resource, after: Resource, edits: readonly DriftEdit[]): boolean {
  const wanted = Object.fromEntries(edits.map((edit) => [edit.attribute, edit.after ?? null]));
  const others = ({ attributes }: Resource) =>
    Object.fromEntries(Object.entries(attributes).filter(([name]) => !Object.hasOwn(wanted, name)));
  return (
    before.address === after.address &&
    equalJson(before.lifecycle as JsonObject, after.lifecycle as JsonObject) &&
    equalJson(others(before), others(after)) &&
    edits.every(
      ({ kind, attribute }) =>
        differing(kind, pick(wanted, [attribute]), pick(after.attributes, [attribute])).length === 0,
    )
  );
}

function fileChanged(name: string): Refusal {
  return new Refusal(
    'drift.file-changed',
    exitCode.conflict,
    `${name} was changed while the drift was read.`,
    'No file was written. Run the command again.',
  );
}
