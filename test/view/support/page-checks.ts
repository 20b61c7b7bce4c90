// Support: expressions, as text, that the browser evaluates in an open page.

/** The elements of a page. */
export interface Found {
  readonly harmed: boolean;
  readonly names: readonly string[];
  readonly scripts: number;
  readonly links: readonly string[];
  /** Attributes that could run something or change how things look. */
  readonly handlers: readonly string[];
  readonly addresses: readonly string[];
}

export const everythingIn = `({
  harmed: 'harmed' in window,
  names: [...new Set([...document.querySelectorAll('body *')].map((one) => one.localName))],
  scripts: document.scripts.length,
  links: [...document.links].map((link) => link.getAttribute('href')),
  handlers: [...document.querySelectorAll('*')].flatMap((one) => one.getAttributeNames()).filter((name) => /^on|style/.test(name)),
  addresses: [...document.querySelectorAll('.toggle .address')].map((one) => one.textContent),
})`;

/** Texts with a contrast of less than 4.5 to 1 (WCAG AA). */
export const poorlyReadable = String.raw`(() => {
  const parse = (color) => (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (color) => {
    const [red, green, blue] = color.map((part) => {
      const share = part / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const groundOf = (element) => {
    if (element === null) return matchMedia('(prefers-color-scheme: dark)').matches ? [0, 0, 0] : [255, 255, 255];
    const color = parse(getComputedStyle(element).backgroundColor);
    return color.length === 4 && color[3] === 0 ? groundOf(element.parentElement) : color.slice(0, 3);
  };
  const poor = new Set();
  for (const element of document.querySelectorAll('body *')) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
    if (!hasText || element.closest('script, noscript, :disabled') !== null) continue;
    const one = luminance(parse(getComputedStyle(element).color).slice(0, 3));
    const two = luminance(groundOf(element));
    const ratio = (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
    if (ratio < 4.5) poor.add(element.localName + '.' + element.className + ' ' + ratio.toFixed(2));
  }
  return [...poor];
})()`;
