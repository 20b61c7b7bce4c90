// The resources: schemas, the reference, the diagnostics and the semantics by section.
import { readFileSync } from 'node:fs';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import { packaged, schemaNames, schemaText } from '../../tools/package-files.ts';

export interface ToolResource {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
  readonly text: () => string;
}

const markdown = 'text/markdown';
const page = (path: string): string => readFileSync(packaged(path), 'utf8');

export function resources(): readonly ToolResource[] {
  const schemas = schemaNames.map((name) => ({
    uri: `chatform://schema/${name}`,
    name: `JSON Schema: ${name}`,
    mimeType: 'application/schema+json',
    text: () => schemaText(name),
  }));
  const pages = ['reference', 'diagnostics'].map((name) => ({
    uri: `chatform://${name}`,
    name: name === 'reference' ? 'Every attribute' : 'Every code of a problem or refusal',
    mimeType: markdown,
    text: () => page(`schema/${name}.md`),
  }));
  return [...schemas, ...pages, ...sections()];
}

/** `## 4. Safety` is chatform://semantics/4. */
function sections(): ToolResource[] {
  const parts = page('src/semantics.md').split(/^(?=## \d+\. )/mu);
  return parts.flatMap((text) => {
    const [, number, title] = /^## (\d+)\. (.+)/u.exec(text) ?? [];
    if (number === undefined) return [];
    const uri = `chatform://semantics/${number}`;
    return [{ uri, name: `Semantics: ${title}`, mimeType: markdown, text: () => text }];
  });
}

/** Refused (64) for another address. */
export function resourceAt(uri: string): ToolResource {
  const found = resources().find((resource) => resource.uri === uri);
  if (found !== undefined) return found;
  throw new Refusal('mcp.unknown', exitCode.usage, 'This resource does not exist.', 'List the resources.');
}
