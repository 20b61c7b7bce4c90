// The declared variables with their values in this run (semantics §9.10).
import { isObject } from '../../../lib/json.ts';
import type { Suggestions } from '../../../lib/suggestions.ts';
import { printPosition } from '../../model/source.ts';
import { type MapTree, type ScalarTree, type Tree, type TreeEntry, toJson } from '../files/tree.ts';
import type { ProblemSource, Problems, Spot } from '../problems/problems.ts';
import { oneOf, quoted } from '../problems/wording.ts';
import { variableTypes } from '../schema/variables-schema.ts';
import { environmentName, nameInOtherCase, type VariableLookup } from './application-variables.ts';
import { foldedName, type WithheldReason, type WithheldVariables, whyWithheld } from './withheld.ts';

/** A map of declarations and its source. */
export interface VariablesBlock {
  readonly source: ProblemSource;
  readonly tree: MapTree;
}

/** A file of values, NAME: VALUE. */
export type GivenValues = VariablesBlock;

export interface VariableContext {
  readonly problems: Problems;
  readonly suggestions: Suggestions;
  /** Looks up environment variables by the name without the prefix. */
  readonly variables: VariableLookup;
  /** The names that the environment sets. */
  readonly variableNames: readonly string[];
  readonly withheld: WithheldVariables;
  /** Whether an environment variable contains the API token. */
  readonly isSecret?: (name: string) => boolean;
}

type VariableType = (typeof variableTypes)[number];

const typeNames: Readonly<Record<VariableType, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
};

/** The type and the allowed values of a variable. */
interface Form {
  readonly type: VariableType;
  readonly allowed?: readonly ScalarTree[];
}

interface DeclaredVariable {
  readonly spot: Spot;
  readonly isSecret: boolean;
  /** Absent if there is no value, or a wrong one, which was reported. */
  readonly value?: ScalarTree;
  readonly isMissing: boolean;
  /** Why the value of the environment is not inserted. Absent if it may be. */
  readonly withheld?: WithheldReason;
}

/** The documents of a manifest, with their sources if those differ from the file. */
interface WrittenFile {
  readonly source: ProblemSource;
  readonly documents: readonly { readonly tree: Tree; readonly source?: ProblemSource }[];
}

/** Returns the `variables` of all documents, and reports names that are declared twice, of which one may be marked secret. */
export function variablesBlocks(
  files: readonly WrittenFile[],
  { problems, withheld }: Pick<VariableContext, 'problems' | 'withheld'>,
): readonly VariablesBlock[] {
  const spotOf = new Map<string, Spot>();
  const blocks: VariablesBlock[] = [];
  for (const { source: text, documents } of files) {
    for (const { tree, source = text } of documents) {
      const block = tree.type === 'map' ? tree.entries.get('variables')?.value : undefined;
      if (block?.type !== 'map') continue;
      const entries = [...block.entries].filter(([name, { offset, value }]) => {
        if (isMarkedSecret(value)) withheld.add([name], 'marked');
        const first = spotOf.get(name);
        const spot = { source, offset };
        if (first === undefined) spotOf.set(name, spot);
        else {
          const place = printPosition(first.source.position(first.offset));
          const detail = `The variable ${name} is declared here and at ${place}. Keep one of them.`;
          problems.add('manifest.declared-twice', detail, spot);
        }
        return first === undefined;
      });
      blocks.push({ source, tree: { ...block, entries: new Map(entries) } });
    }
  }
  return blocks;
}

function isMarkedSecret(declaration: Tree): boolean {
  const secret = declaration.type === 'map' ? declaration.entries.get('secret')?.value : undefined;
  return secret?.type === 'scalar' && secret.value === true;
}

export class VariableTable {
  readonly #context: VariableContext;
  readonly #variables = new Map<string, DeclaredVariable>();
  readonly #declared: ReadonlySet<string>;
  readonly #uses = new Map<string, Spot>();
  readonly #named = new Set<string>();
  readonly #envNames = new Set<string>();
  readonly #refused = new Set<string>();

  /** Reports problems of declarations and values. The schema of the blocks is checked with their documents. */
  constructor(blocks: readonly VariablesBlock[], values: GivenValues | undefined, context: VariableContext) {
    this.#context = context;
    this.#declared = new Set(blocks.flatMap(({ tree }) => [...tree.entries.keys()]));
    for (const block of blocks)
      for (const [name, entry] of block.tree.entries) this.#declare(name, entry, block, values);
    for (const [name, { offset }] of values?.tree.entries ?? []) {
      if (values === undefined || this.#variables.has(name)) continue;
      const detail = `No manifest declares the variable ${quoted(name)}.${this.#advice(name)}`;
      context.problems.add('manifest.unknown-variable', detail, { source: values.source, offset }, 'warning');
    }
  }

  /** Names, in upper case, of variables that texts show and that must not be secrets. */
  get shown(): ReadonlySet<string> {
    return new Set(Array.from(this.#uses.keys(), foldedName));
  }

  /** Names, in upper case, of variables whose value in the environment was refused, which a problem says. */
  get refused(): ReadonlySet<string> {
    return this.#refused;
  }

  /** Names, in upper case, of variables that are marked as secret. */
  get secret(): ReadonlySet<string> {
    const names = [...this.#variables].filter(([, { isSecret }]) => isSecret).map(([name]) => foldedName(name));
    return new Set(names);
  }

  /** Returns the value for `${var.NAME}` at a position, or reports a problem and returns undefined. */
  valueOf(name: string, spot: Spot): ScalarTree | undefined {
    const { problems } = this.#context;
    const variable = this.#variables.get(name);
    if (variable === undefined) {
      const detail = `No manifest declares the variable ${quoted(name)}.${this.#advice(name)} For the literal text, write $\${var.`;
      problems.add('manifest.unknown-variable', detail, spot);
      return undefined;
    }
    if (!this.#uses.has(name)) this.#uses.set(name, spot);
    if (variable.isSecret) {
      const detail = `${name} is marked secret at ${placeOf(variable.spot)}, but plans and the platform show this value. Use another variable. An access_code names its secret with env.`;
      problems.add('manifest.secret-variable', detail, spot);
      return undefined;
    }
    if (variable.withheld !== undefined) {
      problems.add('manifest.secret-variable', whyWithheld(name, variable.withheld, whereShown), spot);
      return undefined;
    }
    if (variable.isMissing) {
      const detail = `${name}, declared at ${placeOf(variable.spot)}, has no value. Set ${environmentName(name)}, add it to the --variables file, or declare a default.`;
      problems.add('manifest.missing-variable', detail, spot);
    }
    return variable.value;
  }

  /** Notes a use in a text that makes no block, such as a template without rows. */
  noteUse(name: string): void {
    this.#named.add(name);
  }

  /** Notes that an attribute reads the environment variable as a secret. */
  addSecretUse(name: string): void {
    this.#envNames.add(foldedName(name));
  }

  /** Must be called after every block was read. */
  end(): void {
    const { problems } = this.#context;
    for (const [name, { spot }] of this.#variables) {
      if (this.#uses.has(name) || this.#named.has(name) || this.#envNames.has(foldedName(name))) continue;
      const detail = `Variable ${name} is declared but not used. Use it as \${var.${name}}, or remove the declaration.`;
      problems.add('manifest.unused-variable', detail, spot, 'warning');
    }
  }

  #advice(name: string): string {
    const declaredNames = [...this.#variables.keys()];
    const suggestion = this.#context.suggestions.sentence(name, declaredNames);
    if (suggestion !== '') return suggestion;
    return declaredNames.length === 0
      ? ' Declare it under variables.'
      : ` The declared ${declaredNames.length === 1 ? 'variable is' : 'variables are'} ${declaredNames.join(', ')}.`;
  }

  #declare(name: string, entry: TreeEntry, { source }: VariablesBlock, values: GivenValues | undefined): void {
    const spot: Spot = { source, offset: entry.offset };
    const declared = toJson(entry.value);
    // A wrong type is reported with the document.
    if (!isObject(declared) || entry.value.type !== 'map') return;
    const { entries } = entry.value;
    const type = variableTypes.find((candidate) => candidate === declared.type) ?? 'string';
    const isSecret = declared.secret === true;
    const fallback = entries.get('default');
    const choices = entries.get('allowed')?.value;
    const allowed = (choices?.type === 'list' ? choices.items : []).flatMap(
      (item) => this.#typed(item, { type }, `An allowed value of ${name}`, { source, offset: item.offset }) ?? [],
    );
    const form: Form = choices === undefined ? { type } : { type, allowed };
    const withheld = this.#context.withheld.reasonOf(name);
    const value = isSecret || withheld !== undefined ? undefined : this.#given(name, form, spot, values);
    if (isSecret) this.#refuseSecret(name, spot, fallback, values);
    const at = { source, offset: fallback?.value.offset ?? entry.offset };
    const fallbackValue =
      fallback === undefined ? undefined : this.#typed(fallback.value, form, `The default of ${name}`, at);
    const isMissing = value === undefined && fallback === undefined;
    const usable = value === 'refused' ? undefined : (value ?? fallbackValue);
    this.#variables.set(name, {
      spot,
      isSecret,
      isMissing,
      ...(withheld === undefined ? {} : { withheld }),
      ...(usable === undefined ? {} : { value: usable }),
    });
  }

  /** Returns the value from the --variables file or else from the environment, if there is one. */
  #given(name: string, form: Form, spot: Spot, values: GivenValues | undefined): ScalarTree | 'refused' | undefined {
    const inFile = values?.tree.entries.get(name);
    if (values !== undefined && inFile !== undefined) {
      const at = { source: values.source, offset: inFile.value.offset };
      return this.#typed(inFile.value, form, name, at) ?? 'refused';
    }
    if (this.#context.isSecret?.(name) === true) {
      const detail = `${environmentName(name)} contains the API token, and the values of variables are shown. Use another variable.`;
      this.#context.problems.add('manifest.secret-variable', detail, spot);
      return 'refused';
    }
    const text = this.#context.variables(name);
    // CI systems set an empty text for variables that a fork may not read.
    if (text === undefined || text === '') {
      this.#warnOfOtherCase(name, spot);
      return undefined;
    }
    const tree: ScalarTree = { type: 'scalar', offset: 0, value: plainValue(text, form.type), text };
    const typed = this.#typed(tree, form, `The value of ${environmentName(name)}`, spot);
    if (typed === undefined) this.#refused.add(foldedName(name));
    return typed ?? 'refused';
  }

  /** Names of the environment that other manifests declare are not compared, because several folders may share one environment. */
  #warnOfOtherCase(name: string, spot: Spot): void {
    const { problems, variableNames } = this.#context;
    const other = nameInOtherCase(name, variableNames);
    if (other === undefined || this.#declared.has(other)) return;
    const detail = `${environmentName(other)} is set but not used, because ${name} reads ${environmentName(name)}: upper and lower case differ. Rename one of them.`;
    problems.add('manifest.unknown-variable', detail, spot, 'warning');
  }

  /** Checks a value. A text is used as written, like ids. Reports a problem and returns undefined if the value is not valid. */
  #typed(tree: Tree, { type, allowed }: Form, what: string, spot: Spot): ScalarTree | undefined {
    const value = tree.type === 'scalar' ? withType(tree, type) : undefined;
    if (value === undefined) {
      const printedValue = tree.type === 'scalar' ? quoted(tree.text) : `a ${tree.type}`;
      const detail = `${what} is ${printedValue}, but its type is ${type}. Write ${typeNames[type]}.`;
      this.#context.problems.add('manifest.wrong-type', detail, spot);
      return undefined;
    }
    if (allowed === undefined || allowed.some((allowed) => allowed.value === value.value)) return value;
    const expected = oneOf(allowed.map(({ text }) => text));
    const detail = `${what} is ${quoted(value.text)}: expected ${expected}.`;
    this.#context.problems.add('manifest.wrong-value', detail, spot);
    return undefined;
  }

  #refuseSecret(
    name: string,
    { source }: Spot,
    fallback: TreeEntry | undefined,
    values: GivenValues | undefined,
  ): void {
    const { problems } = this.#context;
    const advice = `Set ${environmentName(name)} instead.`;
    if (fallback !== undefined) {
      const detail = `${name} is marked secret, so its value must not be in a manifest. ${advice}`;
      problems.add('manifest.secret-variable', detail, { source, offset: fallback.offset, secret: true });
    }
    const entry = values?.tree.entries.get(name);
    if (values === undefined || entry === undefined) return;
    const detail = `${name} is marked secret, so its value must not be in a file of values. ${advice}`;
    problems.add('manifest.secret-variable', detail, { source: values.source, offset: entry.offset, secret: true });
  }
}

const whereShown = 'Plans and the platform show this value.';

/** White space at the end of a text is left out, as it is of the environment, whose values often end with a line end. */
function withType(tree: ScalarTree, type: VariableType): ScalarTree | undefined {
  if (tree.value === null) return undefined;
  const text = tree.text.trimEnd();
  if (type === 'string') return { ...tree, value: text, text };
  return type === typeof tree.value || (type === 'integer' && Number.isSafeInteger(tree.value)) ? tree : undefined;
}

function plainValue(text: string, type: VariableType): string | number | boolean {
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  const isNumber = (type === 'integer' || type === 'number') && /^-?\d+(?:\.\d+)?$/u.test(text);
  return isNumber ? Number(text) : text;
}

function placeOf({ source, offset }: Spot): string {
  return printPosition(source.position(offset));
}
