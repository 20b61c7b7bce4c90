// Writes generated pages as Markdown.

const notice = '<!-- Generated from the code by npm run schema: edit the code. -->';

export function page(title: string, opening: string, parts: readonly string[]): string {
  return `${[notice, `# ${title}`, opening, ...parts].join('\n\n')}\n`;
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
