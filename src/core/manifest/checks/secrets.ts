// Checks that the application block uses no secret, because its values are shown and reach name servers.

import { isObject, type JsonValue } from '../../../lib/json.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { printPosition } from '../../model/source.ts';
import { traitsOf } from '../document/block.ts';
import { type ManifestDocument, spotIn } from '../document/document.ts';
import type { VariableTable } from '../document/variable-table.ts';
import { foldedName, type VariableNames, type WithheldVariables, whyWithheld } from '../document/withheld.ts';
import type { Problems, Spot } from '../problems/problems.ts';

interface VariableSpot extends Spot {
  readonly name: string;
}

/** Refuses variables in the application block that are a secret elsewhere (semantics §9.8). */
export class SecretVariables {
  readonly #table: VariableTable | undefined;
  readonly #problems: Problems;
  /** Uses in the application block. */
  readonly #uses = new Map<string, VariableSpot[]>();
  readonly #secrets = new Set<string>();

  constructor(documents: readonly ManifestDocument[], table: VariableTable | undefined, problems: Problems) {
    this.#table = table;
    this.#problems = problems;
    for (const document of documents) {
      for (const { name, path } of document.variables) {
        const spots = this.#uses.get(foldedName(name)) ?? [];
        this.#uses.set(foldedName(name), [...spots, { name, ...spotIn(document, path) }]);
      }
    }
  }

  /** Refuses uses of a variable that contains the API token. */
  refuseToken(isToken: (name: string) => boolean): void {
    for (const { name, ...spot } of [...this.#uses.values()].flat()) {
      if (!isToken(name)) continue;
      this.#problems.add('manifest.secret-variable', `${name} contains the API token. ${whereShown} ${advice}`, spot);
    }
  }

  /** Refuses uses of a variable that is withheld for another reason than a block that reads it as a secret. */
  refuseWithheld(withheld: WithheldVariables): void {
    for (const { name, ...spot } of [...this.#uses.values()].flat()) {
      const reason = withheld.reasonOf(name);
      if (reason === undefined || this.#secrets.has(foldedName(name))) continue;
      const detail = whyWithheld(name, reason, whereShown);
      this.#problems.add('manifest.secret-variable', detail, spot);
    }
  }

  /** Whether the application block uses variables. */
  get areUsed(): boolean {
    return this.#uses.size > 0;
  }

  /** Names in upper case. */
  get names(): VariableNames {
    return {
      application: new Set([...this.#uses.keys(), ...(this.#table?.shown ?? [])]),
      secret: new Set([...this.#secrets, ...(this.#table?.secret ?? [])]),
    };
  }

  /** Must be called with every block and all defaults, including refused ones. `spotOf` returns the position of a path. */
  check(kind: KindDefinition, declared: JsonValue, spotOf: (path: readonly string[]) => Spot): void {
    if (!isObject(declared)) return;
    for (const name of traitsOf(kind).secrets) {
      const value = declared[name];
      const variable = isObject(value) && typeof value.env === 'string' ? value.env : undefined;
      if (variable === undefined) continue;
      this.#secrets.add(foldedName(variable));
      this.#table?.addSecretUse(variable);
      const uses = this.#uses.get(foldedName(variable));
      if (uses === undefined) continue;
      const { source, offset } = spotOf([name, 'env']);
      const place = printPosition(source.position(offset));
      const detail = `${variable} is a secret: ${name} at ${place} reads it. ${whereShown} ${advice}`;
      for (const { name: _use, ...spot } of uses) this.#problems.add('manifest.secret-variable', detail, spot);
    }
  }
}

const whereShown = 'Plans show the application block, and its host goes into DNS queries.';
const advice = 'Use another variable here.';
