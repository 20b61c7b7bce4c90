// Pages of a long table: the controls and their script. Both are hidden if there is only one page.

/** `what` are the rows, such as `changes`. */
export function pagerControls(what: string): string {
  return `<nav class="bar-below" id="pager" aria-label="Pages of ${what}" hidden>
<div class="pages"><button type="button" id="previous">Previous</button><span id="page"></span><button type="button" id="next">Next</button></div>
<label>Rows on a page <select id="size"><option>50</option><option selected>100</option><option>500</option><option>1000</option></select></label>
</nav>
`;
}

/**
 * The beginning of every script, in plain JavaScript: helpers that set text and never markup, and `pagerOf(show, top)`, which
 * calls `show` to show another page and scrolls to `top`.
 */
export const scriptHelpers = String.raw`
'use strict';
const byId = (id) => document.getElementById(id);
const element = (name, properties, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};
const number = (value) => value.toLocaleString('en-US');
// Long names may wrap after a separator.
const separators = /(?<=[^\s.:/_\-·][.:/_\-·])(?=[^\s.:/_\-·])/;
const breakable = (text) =>
  text.split(separators).flatMap((part, at) => (at === 0 ? [part] : [element('wbr', {}), part]));
const routeOf = (text) =>
  text.split(/(?<=\S)(?=\/)/).flatMap((part, at) => (at === 0 ? [part] : [element('wbr', {}), part]));
const delayed = (work) => {
  let waiting;
  return () => {
    clearTimeout(waiting);
    waiting = setTimeout(work, 120);
  };
};
const pagerOf = (show, top) => {
  const size = byId('size');
  const smallest = Number(size.options[0].value);
  let page = 0;
  const turn = (by) => {
    page += by;
    show();
    top.scrollIntoView();
  };
  byId('previous').addEventListener('click', () => turn(-1));
  byId('next').addEventListener('click', () => turn(1));
  size.addEventListener('change', () => {
    page = 0;
    show();
  });
  return {
    first(place = 0) {
      page = Math.floor(place / Number(size.value));
    },
    cut(items) {
      const each = Number(size.value);
      const pages = Math.max(1, Math.ceil(items.length / each));
      byId('pager').hidden = items.length <= smallest;
      byId('page').textContent = 'Page ' + number(page + 1) + ' of ' + number(pages);
      byId('previous').disabled = page === 0;
      byId('next').disabled = page + 1 >= pages;
      return items.slice(page * each, (page + 1) * each);
    },
    range(items, all) {
      if (items.length === 0) return 'Nothing found among ' + number(all) + '.';
      const from = page * Number(size.value) + 1;
      const until = Math.min(items.length, from + Number(size.value) - 1);
      const amount = items.length === all ? number(all) : number(items.length) + ' found among ' + number(all);
      return number(from) + ' to ' + number(until) + ' of ' + amount + '.';
    },
  };
};
for (const button of document.querySelectorAll('.copy')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const code = button.previousElementSibling;
    try {
      await navigator.clipboard.writeText(button.value);
      button.firstChild.data = 'Copied';
    } catch {
      // A page from a server without TLS may not write to the clipboard.
      code.textContent = button.value;
      getSelection().selectAllChildren(code);
    }
  });
}
// "/" moves to the search, unless something is being typed.
const searchByKey = (search) =>
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (['INPUT', 'SELECT', 'TEXTAREA'].includes(event.target.tagName)) return;
    event.preventDefault();
    search.focus();
  });
`;
