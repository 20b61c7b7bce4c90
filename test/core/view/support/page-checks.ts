// Support: expressions, as text, that the browser evaluates in an open page.

/** The elements of a page. */
export interface Found {
  readonly harmed: boolean;
  readonly names: readonly string[];
  readonly scripts: number;
  readonly links: readonly string[];
  /** Attributes that could run code or change the appearance. */
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

/** Cells that end outside the page, hidden columns, and closed details. */
export const hiddenOnPaper = `[
  ...[...document.querySelectorAll('th, td')]
    .filter((cell) => cell.closest('.without-causes') === null || !cell.classList.contains('cause'))
    .filter((cell) => cell.getBoundingClientRect().right > innerWidth + 0.5 || (cell.closest('[hidden]') === null && cell.offsetWidth === 0))
    .map((cell) => cell.textContent),
  ...[...document.querySelectorAll('details > :not(summary)')]
    .filter((part) => part.offsetHeight === 0)
    .map((part) => part.textContent),
]`;
