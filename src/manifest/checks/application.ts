// Checks that the application block names no secret and no file elsewhere: its values are shown, and reach name servers.
import { basename, dirname, resolve } from 'node:path';
import { isObject, type JsonValue } from '../../lib/json.ts';
import { printPosition } from '../../model/source.ts';
import type { KindDefinition } from '../../resources/define.ts';
import { isSecret } from '../blocks/declared-block.ts';
import { type ManifestDocument, spotIn } from '../blocks/document.ts';
import { isInside, shownPath } from '../discover.ts';
import type { FileAccess } from '../files.ts';
import type { Problems, Spot } from './problems.ts';

/** What the application block shows, and what blocks read as secrets. */
export interface VariableNames {
  readonly application: ReadonlySet<string>;
  readonly secret: ReadonlySet<string>;
}

/** Refuses variables of the application block that are a secret anywhere else (semantics §9.8). */
export class SecretVariables {
  readonly #problems: Problems;
  readonly #uses = new Map<string, Spot[]>();
  readonly #secrets = new Set<string>();
  readonly #names = new WeakMap<KindDefinition, readonly string[]>();

  /** `isSecret`: whether a variable holds the API token. */
  constructor(documents: readonly ManifestDocument[], problems: Problems, isSecret = (_name: string) => false) {
    this.#problems = problems;
    for (const document of documents) {
      for (const { name, path } of document.variables) {
        const spots = this.#uses.get(foldedName(name)) ?? [];
        const spot = spotIn(document, path);
        this.#uses.set(foldedName(name), [...spots, spot]);
        if (isSecret(name))
          problems.add('manifest.secret-variable', `${name} holds the API token. ${whyNotShown}`, spot);
      }
    }
  }

  /** Whether the application block uses variables. */
  get areUsed(): boolean {
    return this.#uses.size > 0;
  }

  /** Names in upper case. */
  get names(): VariableNames {
    return { application: new Set(this.#uses.keys()), secret: this.#secrets };
  }

  /** To be called with every block and with all defaults, refused ones included. `spotOf` gives the place of a path. */
  check(kind: KindDefinition, declared: JsonValue, spotOf: (path: readonly string[]) => Spot): void {
    if (!isObject(declared)) return;
    for (const name of this.#secretsOf(kind)) {
      const value = declared[name];
      const variable = isObject(value) && typeof value.env === 'string' ? value.env : undefined;
      if (variable === undefined) continue;
      this.#secrets.add(foldedName(variable));
      const uses = this.#uses.get(foldedName(variable));
      if (uses === undefined) continue;
      const { source, offset } = spotOf([name, 'env']);
      const place = printPosition(source.position(offset));
      const detail = `${variable} is a secret: ${name} at ${place} reads it. ${whyNotShown}`;
      for (const spot of uses) this.#problems.add('manifest.secret-variable', detail, spot);
    }
  }

  #secretsOf(kind: KindDefinition): readonly string[] {
    const known = this.#names.get(kind);
    if (known !== undefined) return known;
    const names = Object.keys(kind.attributes).filter((name) => isSecret(kind, [name]));
    this.#names.set(kind, names);
    return names;
  }
}

const whyNotShown =
  'The application block is shown in plans, and its host is looked up in the DNS. Use another variable here.';

/** Windows does not tell the case of environment variables apart. */
function foldedName(name: string): string {
  return name.toUpperCase();
}

const emulatorPrefix = 'emulator:';

interface EmulatorContext {
  readonly cwd: string;
  readonly files: FileAccess;
  readonly problems: Problems;
}

/** False, and a problem, when a manifest has the emulator write outside of the working folder and of its own folder. */
export async function checkEmulatorPath(
  documents: readonly ManifestDocument[],
  { cwd, files, problems }: EmulatorContext,
): Promise<boolean> {
  let isInsideAll = true;
  for (const document of documents) {
    const { application } = document.outline;
    const url = isObject(application) ? application.base_url : undefined;
    if (typeof url !== 'string' || !url.startsWith(emulatorPrefix) || url === emulatorPrefix) continue;
    const named = url.slice(emulatorPrefix.length);
    const path = resolve(cwd, named);
    const { root } = document.file;
    if ((await staysInside(path, cwd, files)) || (await staysInside(path, root, files))) continue;
    isInsideAll = false;
    // The value may hold variables; the excerpt shows the line as written.
    const folder = isInside(cwd, root) ? 'the working folder' : `the working folder and ${shownPath(cwd, root)}`;
    const detail = `The emulator would keep its data outside of ${folder}: paths are relative to the working folder, and links are followed. Name a file inside; an address outside can be given with --base-url instead.`;
    problems.add('manifest.leaves-folder', detail, spotIn(document, ['application', 'base_url']));
  }
  return isInsideAll;
}

/** Whether a path, which need not exist, stays inside of a folder with every link followed. */
export async function staysInside(path: string, folder: string, files: FileAccess): Promise<boolean> {
  if (!isInside(folder, path)) return false;
  const root = await files.realPath(folder).catch(() => folder);
  for (let here = path; here !== folder; here = dirname(here)) {
    const real = await files.realPath(here).catch(() => undefined);
    if (real !== undefined) return isInside(root, real);
    // A link that leads nowhere yet is followed when the file is written.
    const entries = await files.listFolder(dirname(here)).catch(() => []);
    if (entries.some(({ name, type }) => name === basename(here) && type === 'link')) return false;
  }
  return true;
}
