// The resources: schemas and their parts, the reference, the diagnostics and the semantics by section.
import { readFileSync } from 'node:fs';
import { Refusal } from '../../core/model/errors.ts';
import { exitCode } from '../../core/model/exit-code.ts';
import { packaged, type SchemaName, schemaNames, schemaText } from '../../tools/package-files.ts';
import { partsOf, schemaPart, wholeSchema } from '../../tools/schema-parts.ts';

export interface ToolResource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
  /** In bytes, so that a client can choose before it reads. */
  readonly size: number;
  readonly text: () => string;
}

export const resourceTemplates = [
  {
    uriTemplate: 'chatform://schema/{name}/{part}',
    name: 'Part of a JSON Schema',
    description:
      'A definition or a key of a schema, such as chatform://schema/manifest/user, with all that it refers to.',
    mimeType: 'application/schema+json',
  },
] as const;

const markdown = 'text/markdown';
const page = (path: string): string => readFileSync(packaged(path), 'utf8');

/** The sentence of the instructions that names where to begin, with sizes. */
export function beginning(): string {
  const sized = (uri: string) => `${uri} (${Math.ceil(resourceAt(uri).size / 1000)} KB)`;
  return `To write a manifest, read ${sized('chatform://semantics/9')} for its format and ${sized('chatform://schema/manifest/user')} for users, or the part of another kind, instead of ${sized('chatform://schema/manifest')}.`;
}

let listed: readonly ToolResource[] | undefined;

export function resources(): readonly ToolResource[] {
  listed ??= [...schemaNames.flatMap(schemasOf), ...pages(), ...sections()];
  return listed;
}

/** A schema, and the parts of that of manifests, which is too long to be read whole. */
function schemasOf(name: SchemaName): ToolResource[] {
  const { description, title } = wholeSchema(name);
  const whole = resource(
    `chatform://schema/${name}`,
    `JSON Schema: ${name}`,
    String(description ?? title ?? name),
    'application/schema+json',
    () => schemaText(name),
  );
  if (name !== 'manifest') return [whole];
  return [...partsOf(name).map((part) => partOf(name, part.name, part.description)), whole];
}

function partOf(name: SchemaName, part: string, description = `The part ${part} of the schema ${name}.`): ToolResource {
  const uri = `chatform://schema/${name}/${part}`;
  const text = () => JSON.stringify(schemaPart(name, part), undefined, 2);
  return resource(uri, `JSON Schema: ${name}, ${part}`, description, 'application/schema+json', text);
}

function pages(): ToolResource[] {
  return [
    resource(
      'chatform://manifest',
      'Every key of a manifest',
      'The keys besides the attributes of objects, such as policy and for_each, with type, default and an example.',
      markdown,
      () => page('schema/manifest.md'),
    ),
    resource(
      'chatform://reference',
      'Every attribute',
      'The attributes of each kind of object in one line each, with type, default and limits.',
      markdown,
      () => page('schema/reference.md'),
    ),
    resource(
      'chatform://diagnostics',
      'Every code of a problem or refusal',
      'What each code means and what to do. A result has the same advice, so this is rarely needed.',
      markdown,
      () => page('schema/diagnostics.md'),
    ),
  ];
}

/** `## 4. Safety` is chatform://semantics/4. */
function sections(): ToolResource[] {
  const parts = page('src/semantics.md').split(/^(?=## \d+\. )/mu);
  return parts.flatMap((text) => {
    const [, number, title] = /^## (\d+)\. (.+)/u.exec(text) ?? [];
    if (number === undefined) return [];
    const description = `What a declaration means, section ${number}: ${title}.`;
    return [resource(`chatform://semantics/${number}`, `Semantics: ${title}`, description, markdown, () => text)];
  });
}

function resource(uri: string, name: string, description: string, mimeType: string, text: () => string): ToolResource {
  return { uri, name, description, mimeType, size: Buffer.byteLength(text()), text };
}

/** Refused (64) for another address. */
export function resourceAt(uri: string): ToolResource {
  const known = resources().find((candidate) => candidate.uri === uri);
  if (known !== undefined) return known;
  const [, schema, part] = /^chatform:\/\/schema\/([a-z]+)\/(\w+)$/u.exec(uri) ?? [];
  const name = schemaNames.find((candidate) => candidate === schema);
  if (name !== undefined && part !== undefined && schemaPart(name, part) !== undefined) return partOf(name, part);
  throw new Refusal('mcp.unknown', exitCode.usage, 'This resource does not exist.', 'List the resources.');
}
