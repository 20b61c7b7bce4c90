// Makes the JSON Schemas of documents from their types. The description of a schema is the comment on its type or member, in which tags
// such as `@minimum 0` are keywords of the schema. Readers ignore unknown keys, so no schema of an object refuses any.
import ts from 'typescript-5.4';
import type { JsonObject, JsonValue } from '../../lib/json.ts';
import { isList, isObject } from '../../lib/json.ts';

/** Keywords that a comment may set. `type` replaces everything that the type says, for example a list of values that later versions may extend. */
const keywords: Readonly<Record<string, (text: string) => JsonValue>> = {
  type: String,
  pattern: String,
  minimum: Number,
  exclusiveMinimum: Number,
  minItems: Number,
  maxItems: Number,
  minLength: Number,
  maxLength: Number,
};

/** A schema of this many characters that occurs more than once is a definition. */
const longest = 400;

/**
 * The schemas of the types that an interface in the file lists, by the names of its members. A schema has the title that the member's
 * tag `@title` says.
 */
export function documentSchemas<Table>(file: string, name: string): Readonly<Record<keyof Table & string, JsonObject>> {
  const { schemas, named } = describedIn(file, name);
  const whole = Object.entries(schemas).map(([key, schema]) => {
    const { schema: short, definitions } = shared({ [key]: schema }, named);
    const hasDefinitions = Object.keys(definitions).length > 0;
    return [key, { ...asObject(short[key]), ...(hasDefinitions ? { $defs: definitions } : {}) }] as const;
  });
  return Object.fromEntries(whole) as Record<keyof Table & string, JsonObject>;
}

/** The same for schemas that are definitions of one file, with the definitions that several of them share. */
export function definitionSchemas(file: string, name: string): JsonObject {
  const { schemas, named } = describedIn(file, name);
  const { schema, definitions } = shared(schemas, named);
  const both = Object.keys(definitions).find((key) => Object.hasOwn(schemas, key));
  if (both !== undefined) throw new Error(`${both} is the name of a document and of a type`);
  return { ...schema, ...definitions };
}

/** `named` has the names of types by their schemas as JSON. */
function describedIn(file: string, name: string): { readonly schemas: JsonObject; readonly named: Names } {
  const program = ts.createProgram([file], {
    strict: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: [],
  });
  const declaration = program
    .getSourceFile(file)
    ?.statements.filter(ts.isInterfaceDeclaration)
    .find((statement) => statement.name.text === name);
  if (declaration === undefined) throw new Error(`${file} has no interface ${name}`);
  const description = new Description(program.getTypeChecker());
  const schemas = declaration.members
    .filter(ts.isPropertySignature)
    .map((member) => [member.name.getText(), description.ofDocument(member)] as const);
  return { schemas: Object.fromEntries(schemas), named: description.named };
}

type Names = ReadonlyMap<string, { readonly name: string; readonly schema: JsonObject }>;

/** Replaces schemas of types that contain themselves or occur more than once by references to definitions. */
function shared(
  schema: JsonObject,
  named: Names,
): { readonly schema: JsonObject; readonly definitions: Readonly<Record<string, JsonObject>> } {
  const counts = new Map<string, number>();
  const count = (value: JsonValue): void => {
    if (isList(value)) value.forEach(count);
    else if (isObject(value)) {
      const key = undescribed(value);
      counts.set(key, (counts.get(key) ?? 0) + 1);
      Object.values(value).forEach(count);
    }
  };
  count(schema);
  const definitions: Record<string, JsonObject> = {};
  const refer = (value: JsonValue, isDefinition = false): JsonValue => {
    if (isList(value)) return value.map((item) => refer(item));
    if (!isObject(value)) return value;
    const { $ref: reference, description } = value;
    const key = undescribed(value);
    const recursive = [...named.values()].find(({ name }) => reference === `#/$defs/${name}`);
    const type = recursive ?? named.get(key);
    const isRepeated = key.length >= longest && (counts.get(key) ?? 0) > 1;
    if (type === undefined || isDefinition || (recursive === undefined && !isRepeated))
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, refer(inner)]));
    if (definitions[type.name] === undefined) {
      definitions[type.name] = {};
      definitions[type.name] = asObject(refer(type.schema, true));
    }
    const isOther = description !== undefined && description !== type.schema.description;
    return { ...(isOther ? { description } : {}), $ref: `#/$defs/${type.name}` };
  };
  return { schema: asObject(refer(schema)), definitions };
}

function undescribed({ description: _description, ...schema }: JsonObject): string {
  return JSON.stringify(schema);
}

function asObject(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

const everyKey = (): boolean => true;

class Description {
  readonly #checker: ts.TypeChecker;
  /** What the parameters of generic types stand for. */
  readonly #bound = new Map<ts.Symbol, ts.TypeNode>();
  /** The interfaces that are being described. An interface may contain itself. */
  readonly #open: ts.Symbol[] = [];
  readonly #recursive = new Set<ts.Symbol>();
  /** The interfaces that were described. */
  readonly named = new Map<string, { readonly name: string; readonly schema: JsonObject }>();
  /** Whether the object that is being described has the key: Omit and Pick leave some out. */
  #hasKey: (key: string) => boolean = everyKey;

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker;
  }

  ofDocument(member: ts.PropertySignature): JsonObject {
    const comment = commentBefore(member, member.pos);
    const title = /@title (.+?) *(?:\n|\*\/|$)/u.exec(comment)?.[1];
    const { description, ...schema } = described(this.#of(typeOf(member)), comment);
    return {
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      ...schema,
    };
  }

  #of(node: ts.TypeNode): JsonObject {
    if (ts.isParenthesizedTypeNode(node)) return this.#of(node.type);
    if (ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.ReadonlyKeyword) return this.#of(node.type);
    if (ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.KeyOfKeyword) return this.#ofKeys(node.type);
    if (ts.isArrayTypeNode(node)) return listOf(this.#of(node.elementType));
    if (ts.isTupleTypeNode(node)) {
      const items = node.elements.map((element) => this.#of(ts.isNamedTupleMember(element) ? element.type : element));
      return { type: 'array', prefixItems: items, minItems: items.length, maxItems: items.length };
    }
    if (ts.isTypeLiteralNode(node)) return this.#ofMembers(node.members);
    if (ts.isUnionTypeNode(node)) return this.#ofUnion(node);
    if (ts.isIntersectionTypeNode(node)) return node.types.map((type) => this.#of(type)).reduce(merged);
    if (ts.isTypeReferenceNode(node)) return this.#ofReference(node);
    if (ts.isIndexedAccessTypeNode(node)) return this.#ofPart(node);
    return this.#ofType(this.#checker.getTypeFromTypeNode(node), node);
  }

  #ofMembers(members: ts.NodeArray<ts.TypeElement>): JsonObject {
    const properties: Record<string, JsonValue> = {};
    const required: string[] = [];
    let others: JsonObject | undefined;
    const hasKey = this.#hasKey;
    this.#hasKey = everyKey;
    for (const member of members) {
      if (ts.isIndexSignatureDeclaration(member)) {
        others = this.#of(member.type);
        continue;
      }
      if (!ts.isPropertySignature(member)) throw undescribable(member);
      const name = ts.isIdentifier(member.name) || ts.isStringLiteral(member.name) ? member.name.text : '';
      if (!hasKey(name)) continue;
      const type = typeOf(member);
      properties[name] = described(this.#of(type), commentBefore(member, member.pos));
      const mayBeUndefined = ts.isUnionTypeNode(type) && type.types.some(isUndefined);
      if (member.questionToken === undefined && !mayBeUndefined) required.push(name);
    }
    this.#hasKey = hasKey;
    return objectWith(properties, required, others);
  }

  #ofUnion(node: ts.UnionTypeNode): JsonObject {
    const schemas = node.types.flatMap((type, place) => {
      if (isUndefined(type)) return [];
      const schema = this.#of(type);
      const previousEnd = place === 0 ? node.pos : (node.types[place - 1]?.end ?? node.pos);
      // The comment of a single value is for programmers: a list of values has no room for it.
      return [valuesOf(schema) === undefined ? described(schema, commentBefore(type, previousEnd)) : schema];
    });
    return unionOf(schemas);
  }

  #ofReference(node: ts.TypeReferenceNode): JsonObject {
    const name = node.typeName.getText();
    const [first, second] = node.typeArguments ?? [];
    if (first !== undefined && /^(?:Readonly)?Array$|^Series$/u.test(name)) return listOf(this.#of(first));
    if (first !== undefined && name === 'Readonly') return this.#of(first);
    if (first !== undefined && name === 'Partial') {
      const { required: _required, ...schema } = this.#of(first);
      return schema;
    }
    if (first !== undefined && second !== undefined) {
      if (name === 'Record') return recordOf(this.#of(first), this.#of(second));
      if (name === 'Exclude') return without(this.#of(first), this.#of(second));
      if (name === 'Omit' || name === 'Pick') return this.#ofSome(first, second, name === 'Pick');
    }
    if (name === 'JsonValue') return {};
    if (name === 'JsonObject') return { type: 'object' };
    return this.#ofNamed(this.#named(node.typeName), node);
  }

  #ofSome(whole: ts.TypeNode, keys: ts.TypeNode, arePicked: boolean): JsonObject {
    const names = valuesOf(this.#ofType(this.#checker.getTypeFromTypeNode(keys), keys)) ?? [];
    const hasKey = this.#hasKey;
    this.#hasKey = (key) => hasKey(key) && names.includes(key) === arePicked;
    const schema = this.#of(whole);
    this.#hasKey = hasKey;
    return schema;
  }

  #named(name: ts.Node): ts.Symbol {
    const symbol = this.#checker.getSymbolAtLocation(name);
    if (symbol === undefined) throw new Error(`${name.getText()} is unknown`);
    return symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
  }

  #ofNamed(symbol: ts.Symbol, node: ts.NodeWithTypeArguments): JsonObject {
    const argument = this.#bound.get(symbol);
    if (argument !== undefined) return this.#of(argument);
    const declaration = symbol.declarations?.[0];
    if (declaration === undefined) throw new Error(`${symbol.name} is not declared`);
    if (ts.isTypeAliasDeclaration(declaration)) {
      this.#bind(declaration.typeParameters, node.typeArguments);
      return described(this.#of(declaration.type), commentBefore(declaration, declaration.pos));
    }
    if (!ts.isInterfaceDeclaration(declaration)) throw new Error(`${symbol.name} cannot be described as a document`);
    const name = symbol.name.replaceAll(/(?<=[a-z])[A-Z]/gu, (letter) => `_${letter}`).toLowerCase();
    const reference = { $ref: `#/$defs/${name}` };
    if (this.#open.includes(symbol)) {
      this.#recursive.add(symbol);
      return reference;
    }
    this.#open.push(symbol);
    this.#bind(declaration.typeParameters, node.typeArguments);
    const bases = (declaration.heritageClauses ?? []).flatMap((clause) => clause.types);
    const schema = [...bases.map((base) => this.#ofBase(base)), this.#ofMembers(declaration.members)].reduce(merged);
    this.#open.pop();
    const whole = described(schema, commentBefore(declaration, declaration.pos));
    if (this.#hasKey === everyKey) this.named.set(undescribed(whole), { name, schema: whole });
    return this.#recursive.has(symbol) ? reference : whole;
  }

  #bind(
    parameters: readonly ts.TypeParameterDeclaration[] = [],
    typeArguments: readonly ts.TypeNode[] | undefined = [],
  ): void {
    for (const [place, parameter] of parameters.entries()) {
      const argument = typeArguments[place] ?? parameter.default;
      if (argument !== undefined) this.#bound.set(this.#named(parameter.name), argument);
    }
  }

  /** The base of an interface is written as an expression. */
  #ofBase(base: ts.ExpressionWithTypeArguments): JsonObject {
    const name = base.expression as ts.Identifier;
    const reference = ts.factory.createTypeReferenceNode(name, base.typeArguments);
    Object.assign(reference.typeName, { getText: () => name.text });
    // A base is described for itself.
    const { description: _description, ...schema } = this.#ofReference(reference);
    return schema;
  }

  #ofKeys(whole: ts.TypeNode): JsonObject {
    const members = this.#checker.getPropertiesOfType(this.#checker.getTypeFromTypeNode(whole));
    return unionOf(members.map(({ name }) => ({ const: name })));
  }

  /** `Plan['summary']`, and `(typeof actions)[number]` in the order of the list. */
  #ofPart(node: ts.IndexedAccessTypeNode): JsonObject {
    const whole = this.#checker.getTypeFromTypeNode(node.objectType);
    if (this.#checker.isTupleType(whole)) {
      return unionOf(this.#checker.getTypeArguments(whole as ts.TypeReference).map((type) => this.#ofType(type, node)));
    }
    const key = this.#checker.getTypeFromTypeNode(node.indexType);
    const member = key.isStringLiteral()
      ? this.#checker.getPropertyOfType(whole, key.value)?.valueDeclaration
      : undefined;
    if (member !== undefined && ts.isPropertySignature(member)) return this.#of(typeOf(member));
    return this.#ofType(this.#checker.getTypeFromTypeNode(node), node);
  }

  #ofType(type: ts.Type, node: ts.Node): JsonObject {
    const is = (flags: ts.TypeFlags): boolean => (type.flags & flags) !== 0;
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
    if (is(ts.TypeFlags.BooleanLiteral)) return { const: this.#checker.typeToString(type) === 'true' };
    if (is(ts.TypeFlags.Boolean)) return { type: 'boolean' };
    if (is(ts.TypeFlags.Null)) return { type: 'null' };
    if (is(ts.TypeFlags.StringLike)) return { type: 'string' };
    if (is(ts.TypeFlags.NumberLike)) return { type: 'number' };
    if (is(ts.TypeFlags.Unknown)) return {};
    if (is(ts.TypeFlags.NonPrimitive)) return { type: 'object' };
    if (type.isUnion()) return unionOf(type.types.map((part) => this.#ofType(part, node)));
    throw undescribable(node);
  }
}

function typeOf(member: ts.PropertySignature): ts.TypeNode {
  if (member.type === undefined) throw new Error(`${member.getText()} has no type`);
  return member.type;
}

function undescribable(node: ts.Node): Error {
  return new Error(`${node.getSourceFile().fileName}: no schema can be made of ${node.getText()}`);
}

function isUndefined(type: ts.TypeNode): boolean {
  return type.kind === ts.SyntaxKind.UndefinedKeyword;
}

/** The last comment between the place and the node. */
function commentBefore(node: ts.Node, from: number): string {
  const text = node.getSourceFile().text.slice(from, node.getStart());
  return text.match(/\/\*\*.*?\*\//gsu)?.at(-1) ?? '';
}

function described(schema: JsonObject, comment: string): JsonObject {
  const text = comment.replaceAll(/^\/\*\*|\*\/$|^\s*\*(?: |$)/gmu, '').replaceAll('`', '');
  const [words = '', ...tags] = text.split(/(?:^|\s)@(?=[a-zA-Z]+ )/u);
  const set = tags.flatMap((tag) => {
    const [name = '', ...value] = tag.trim().split(' ');
    const read = keywords[name];
    return read === undefined ? [] : [[name, read(value.join(' '))] as const];
  });
  const description = words.replaceAll(/\s+/gu, ' ').trim();
  const { description: inner, ...others } = schema;
  return {
    ...(description === '' ? (inner === undefined ? {} : { description: inner }) : { description }),
    ...(set.some(([name]) => name === 'type') ? {} : others),
    ...Object.fromEntries(set),
  };
}

function listOf(items: JsonObject): JsonObject {
  return { type: 'array', items };
}

function objectWith(properties: JsonObject, required: readonly string[], others?: JsonObject): JsonObject {
  return {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(others === undefined ? {} : { additionalProperties: others }),
  };
}

function recordOf(keys: JsonObject, value: JsonObject): JsonObject {
  const names = valuesOf(keys)?.map(String);
  if (names === undefined) return objectWith({}, [], value);
  return objectWith(Object.fromEntries(names.map((name) => [name, value])), names);
}

function valuesOf(schema: JsonObject): readonly JsonValue[] | undefined {
  if ('const' in schema) return [schema.const ?? null];
  return isList(schema.enum) ? schema.enum : undefined;
}

function unionOf(schemas: readonly JsonObject[]): JsonObject {
  const parts = schemas.flatMap((schema) => (isList(schema.anyOf) ? (schema.anyOf as JsonObject[]) : [schema]));
  const values = [...new Set(parts.flatMap((part) => valuesOf(part) ?? []))];
  const isBoolean = values.includes(true) && values.includes(false);
  const listed = values.filter((value) => !isBoolean || typeof value !== 'boolean');
  const others = [
    ...parts.filter((part) => valuesOf(part) === undefined),
    ...(isBoolean ? [{ type: 'boolean' }] : []),
    ...(listed.length === 0 ? [] : [listed.length === 1 ? { const: listed[0] ?? null } : { enum: listed }]),
  ];
  if (others.some((part) => Object.keys(part).length === 0)) return {};
  const isOfTypes = others.length > 1 && others.every((part) => Object.keys(part).join() === 'type');
  if (isOfTypes) return { type: others.map(({ type }) => String(type)) };
  return others.length === 1 ? (others[0] ?? {}) : { anyOf: others };
}

function without(schema: JsonObject, omitted: JsonObject): JsonObject {
  const left = (valuesOf(schema) ?? []).filter((value) => valuesOf(omitted)?.includes(value) !== true);
  return unionOf(left.map((value) => ({ const: value })));
}

/** An object with the keys of both. Where both have a key, the second counts. */
function merged(first: JsonObject, second: JsonObject): JsonObject {
  if (isList(first.anyOf)) return unionOf((first.anyOf as JsonObject[]).map((part) => merged(part, second)));
  if (isList(second.anyOf)) return unionOf((second.anyOf as JsonObject[]).map((part) => merged(first, part)));
  if (second.type !== 'object') return first;
  const keysOf = ({ properties }: JsonObject): JsonObject => (isObject(properties) ? properties : {});
  const requiredOf = ({ required }: JsonObject) => (isList(required) ? required.map(String) : []);
  const properties = { ...keysOf(first), ...keysOf(second) };
  const replaced = Object.keys(keysOf(second));
  const required = [...requiredOf(first).filter((key) => !replaced.includes(key)), ...requiredOf(second)];
  const others = second.additionalProperties ?? first.additionalProperties;
  const description = second.description ?? first.description;
  return {
    ...(description === undefined ? {} : { description }),
    ...objectWith(properties, required, isObject(others) ? others : undefined),
  };
}
