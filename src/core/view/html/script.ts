// The script of the page, in plain JavaScript: search, filters, pages and details.
//
// It creates every element itself and sets text, never markup, so that a name can only ever be text. A page of the table has
// a few hundred rows, which stays fast with a hundred thousand changes and usable with a screen reader.

import { scriptHelpers } from './pager.ts';

export const pageScript = String.raw`${scriptHelpers}
(() => {
  const all = JSON.parse(byId('data').textContent);
  const search = byId('search');
  const kind = byId('kind');
  const action = byId('action');
  const cause = byId('cause');
  const dangers = byId('only-dangers');
  const status = byId('status');
  const body = byId('rows');
  const expandAll = byId('expand-all');
  const texts = [];
  // Few changes are read as a whole, so their diffs are open at first.
  const few = 12;
  const fewLines = 200;
  const isShort = all.length <= few && all.reduce((sum, { x = [] }) => sum + x.length, 0) <= fewLines;
  const open = new Set(isShort ? all.keys() : []);
  let found = all.map((_, at) => at);
  let rows = [];

  const textOf = (at) => {
    if (texts[at] === undefined) {
      const { a, v, s = '', r, n = [], l = [], x = [] } = all[at];
      const lines = x.map((line) => line[1]);
      texts[at] = [a, v.join(' '), s, r, ...n, ...l, ...lines].join('\n').toLowerCase();
    }
    return texts[at];
  };

  const fill = (select, values) => {
    for (const value of [...new Set(values)].sort()) select.append(element('option', { value, textContent: value }));
    select.closest('label').hidden = select.options.length < 3;
  };
  fill(kind, all.map((change) => change.k));
  fill(action, all.flatMap((change) => change.v));
  const causes = { plan: 'This plan', request: 'This branch', pending: 'Pending before it', drift: 'Drift' };
  const order = Object.keys(causes);
  const present = new Set(all.map((change) => change.c));
  for (const value of order) {
    if (present.has(value)) cause.append(element('option', { value, textContent: causes[value] }));
  }
  const hasCauses = present.size > 1 || !present.has('plan');
  cause.closest('label').hidden = present.size < 2;
  dangers.closest('label').hidden = !all.some((change) => change.d);

  let amounts = {};
  const byCause = () => {
    amounts = {};
    for (const at of found) amounts[all[at].c] = (amounts[all[at].c] ?? 0) + 1;
    found.sort((left, right) => order.indexOf(all[left].c) - order.indexOf(all[right].c) || left - right);
  };
  const apply = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter((word) => word !== '');
    found = [];
    for (let at = 0; at < all.length; at += 1) {
      const change = all[at];
      if (kind.value !== '' && change.k !== kind.value) continue;
      if (action.value !== '' && !change.v.includes(action.value)) continue;
      if (cause.value !== '' && change.c !== cause.value) continue;
      if (dangers.checked && !change.d) continue;
      if (words.every((word) => textOf(at).includes(word))) found.push(at);
    }
    byCause();
    pager.first();
    show();
  };

  const tag = (words) => element('strong', { className: 'label danger', textContent: words });
  // Paths of a checkout lead to their lines. A path out of it has no address there.
  const { files } = document.querySelector('main').dataset;
  const placeOf = (place) => {
    const [, path = '', line] = /^([^:]+):(\d+):/.exec(place) ?? [];
    if (files === undefined || line === undefined || path.startsWith('/') || path.split('/').includes('..')) return breakable(place);
    const href = files + path.split('/').map(encodeURIComponent).join('/') + '#L' + line;
    return [element('a', { href }, ...breakable(place))];
  };
  const classes = { '+': 'added', '-': 'removed', '!': 'altered', '@': 'hunk', ' ': 'same' };
  const diffOf = (lines) =>
    element('pre', { className: 'diff' }, ...lines.map(([sign, text, takes]) =>
      element('span', { className: classes[sign] }, (sign === '@' ? ' ' : sign) + ' ' + text, ...(takes ? [' ', tag('danger')] : []))));
  const detailOf = (at) => {
    const { s, r, n = [], l = [], q = [], x = [], m } = all[at];
    const place = s === undefined ? undefined : placeOf(s);
    const parts = [[r]];
    if (l.length > 0) parts.unshift([element('strong', { textContent: 'At stake: ' + l.join(', ') })]);
    for (const note of n) parts.push([note]);
    if (q.length > 0) parts.push([element('span', { className: 'route' }, ...routeOf(q.join(', ')))]);
    if (place !== undefined) parts.push(place);
    if (m !== undefined) parts.push([element('a', { href: m, textContent: 'in the page of the state' })]);
    const meta = element('ul', { className: 'meta' }, ...parts.map((part) => element('li', {}, ...part)));
    // A wide screen has a column of places.
    if (place !== undefined) meta.children[parts.indexOf(place)].className = 'narrow place';
    return x.length > 0 ? [diffOf(x), meta] : [meta];
  };

  const columns = 3;
  const headingOf = (cause) => {
    const amount = amounts[cause];
    const words = causes[cause] + ': ' + number(amount) + (amount === 1 ? ' object' : ' objects');
    return element('tr', { className: 'group' }, element('th', { colSpan: columns, scope: 'rowgroup', textContent: words }));
  };
  const rowsOf = (list, opens) =>
    list.flatMap((at, place) => {
      const isFirst = hasCauses && (place === 0 || all[list[place - 1]].c !== all[at].c);
      return [...(isFirst ? [headingOf(all[at].c)] : []), ...rowOf(at, opens(at))];
    });
  const rowOf = (at, isOpen) => {
    const change = all[at];
    const id = 'change-' + at;
    const toggle = element('button', { type: 'button', className: 'toggle' },
      element('span', { className: 'arrow', textContent: '▸', ariaHidden: 'true' }),
      element('span', { className: 'sign ' + (classes[change.y] ?? 'altered'), textContent: change.y, ariaHidden: 'true' }),
      element('span', { className: 'address' }, ...breakable(change.a)));
    toggle.setAttribute('aria-expanded', String(isOpen));
    toggle.setAttribute('aria-controls', id);
    const detail = element('tr', { className: 'detail', id, hidden: !isOpen }, element('td', { colSpan: columns }));
    if (isOpen) detail.firstChild.append(...detailOf(at));
    const link = element('a', { className: 'anchor', href: '#change=' + encodeURIComponent(change.a), textContent: '#', ariaLabel: 'Link to ' + change.a });
    const labels = [...(change.d ? [' ', tag('danger')] : []), ...(change.i ? [' ', tag('cannot be undone')] : [])];
    const row = element('tr', {},
      element('td', {}, toggle, link),
      element('td', { className: 'verbs' }, change.v.join(', '), ...labels, element('span', { className: 'what', textContent: ' ' + change.w })),
      element('td', { className: 'where place' }, ...placeOf(change.s ?? '')));
    toggle.addEventListener('click', () => {
      const opens = toggle.getAttribute('aria-expanded') === 'false';
      toggle.setAttribute('aria-expanded', String(opens));
      detail.hidden = !opens;
      if (opens) open.add(at);
      else open.delete(at);
      if (opens && detail.firstChild.childNodes.length === 0) detail.firstChild.append(...detailOf(at));
      label();
    });
    return [row, detail];
  };

  const label = () => {
    expandAll.disabled = rows.length === 0;
    expandAll.textContent = rows.length > 0 && rows.every((at) => open.has(at)) ? 'Close all' : 'Open all on this page';
  };
  const show = () => {
    rows = pager.cut(found);
    body.replaceChildren(...rowsOf(rows, (at) => open.has(at)));
    byId('nothing').hidden = rows.length > 0;
    status.textContent = pager.range(found, all.length);
    label();
  };
  const pager = pagerOf(show, byId('changes-title'));

  search.addEventListener('input', delayed(apply));
  for (const control of [kind, action, cause, dangers]) control.addEventListener('change', apply);
  expandAll.addEventListener('click', () => {
    const closes = rows.every((at) => open.has(at));
    for (const at of rows) {
      if (closes) open.delete(at);
      else open.add(at);
    }
    show();
  });

  searchByKey(search);
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape' && event.target === search && search.value !== '') {
      event.preventDefault();
      search.value = '';
      apply();
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && event.target.classList.contains('toggle')) {
      const toggles = [...body.querySelectorAll('.toggle')];
      const next = toggles[toggles.indexOf(event.target) + (event.key === 'ArrowDown' ? 1 : -1)];
      if (next === undefined) return;
      event.preventDefault();
      next.focus();
    }
  });

  const maxPrinted = 2000;
  addEventListener('beforeprint', () => {
    body.replaceChildren(...rowsOf(found.slice(0, maxPrinted), () => true));
  });
  addEventListener('afterprint', show);
  byCause();
  show();
  // A link can name a change: plan.html#change=user.alice
  const follow = () => {
    const asked = new URLSearchParams(location.hash.slice(1)).get('change');
    const at = all.findIndex((change) => change.a === asked);
    if (at === -1) return;
    for (const control of [search, kind, action, cause]) control.value = '';
    dangers.checked = false;
    open.add(at);
    apply();
    pager.first(found.indexOf(at));
    show();
    const toggle = body.querySelector('[aria-controls="change-' + at + '"]');
    toggle.focus();
    toggle.scrollIntoView({ block: 'center' });
  };
  addEventListener('hashchange', follow);
  follow();
})();
`;
