// Support: what a terminal shows, as an SVG for pages.

const colours: Readonly<Record<string, string>> = {
  31: '#ff7b72',
  32: '#7ee787',
  33: '#e3b341',
  35: '#d2a8ff',
  36: '#79c0ff',
};
const lineHeight = 18;
/** Of a character of 13 pixels in a monospaced font. */
const columnWidth = 7.85;
const margin = 16;

/** `text` may contain the escape sequences of colours, bold and dim. Lines below `title` are shown as they are. */
export function terminalPicture(title: string, text: string): string {
  const lines = text.trimEnd().split('\n');
  const columns = Math.max(...lines.map((line) => line.replaceAll(/\u001b\[[\d;]*m/gu, '').length));
  const width = Math.ceil(columns * columnWidth) + 2 * margin;
  const height = lines.length * lineHeight + 2 * margin;
  const rows = lines.map((line, row) => {
    const y = margin + (row + 0.75) * lineHeight;
    return line === '' ? '' : `<text x="${margin}" y="${y}" xml:space="preserve">${spansOf(line)}</text>\n`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<title>${escaped(title)}</title>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13" fill="#e6edf3">
${rows.join('')}</g>
</svg>
`;
}

function spansOf(line: string): string {
  let isBold = false;
  let isDim = false;
  let colour: string | undefined;
  return line.replaceAll(/\u001b\[([\d;]*)m|([^\u001b]+)/gu, (_all, codes: string | undefined, words = '') => {
    if (codes === undefined) {
      const style = [
        isBold ? ' font-weight="bold"' : '',
        isDim ? ' opacity="0.65"' : '',
        colour === undefined ? '' : ` fill="${colour}"`,
      ].join('');
      return style === '' ? escaped(words) : `<tspan${style}>${escaped(words)}</tspan>`;
    }
    for (const code of codes.split(';')) {
      if (code === '1') isBold = true;
      else if (code === '2') isDim = true;
      else if (code === '22') [isBold, isDim] = [false, false];
      else if (code === '39') colour = undefined;
      else colour = colours[code] ?? colour;
    }
    return '';
  });
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
