// Writes generated pages as Markdown.

const notice = '<!-- Generated from the code by npm run schema: edit the code. -->';

function page(title: string, opening: string, parts: readonly string[]): string {
  return `${[notice, `# ${title}`, opening, ...parts].join('\n\n')}\n`;
}

/** The pages for looking things up, in reading order. schema/diagnostics.md and schema/glossary.md are written by hand. */
export const referencePages = [
  { file: 'manifest.md', title: 'The manifest' },
  { file: 'reference.md', title: 'Attributes' },
  { file: 'diagnostics.md', title: 'Diagnostics' },
  { file: 'command-line.md', title: 'The command line' },
  { file: 'mapping.md', title: 'Mappings' },
  { file: 'library.md', title: 'The library' },
  { file: 'glossary.md', title: 'Glossary' },
  { file: 'limits.md', title: 'Limits and performance' },
] as const;

export type ReferenceFile = (typeof referencePages)[number]['file'];

/** A generated page with its title and the links at its end. */
export function referencePage(file: ReferenceFile, opening: string, parts: readonly string[]): string {
  const title = referencePages.find((one) => one.file === file)?.title ?? '';
  return page(title, opening, [...parts, turnLinks(file)]);
}

/** Returns the same with a list of its sections below the opening. */
export function listedPage(file: ReferenceFile, opening: string, parts: readonly string[]): string {
  const headings = parts.flatMap((part) => /^## (.+)$/u.exec(part)?.[1] ?? []);
  const links = headings.map((heading) => `[${heading}](#${heading.toLowerCase().replaceAll(' ', '-')})`);
  return referencePage(file, opening, [`Sections: ${links.join(' · ')}`, ...parts]);
}

/** The last line of a page: links to the pages after and before it. */
export function turnLinks(file: ReferenceFile): string {
  const at = referencePages.findIndex((one) => one.file === file);
  const [next, back] = [referencePages[at + 1], referencePages[at - 1]];
  const links = [
    ...(next === undefined ? [] : [`Next: [${next.title}](${next.file})`]),
    back === undefined ? 'Back: [Guides](../examples/README.md)' : `Back: [${back.title}](${back.file})`,
  ];
  return links.join(' · ');
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

export function code(text: string): string {
  return `\`${text}\``;
}
