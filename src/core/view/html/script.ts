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

  const classes = { '+': 'added', '-': 'removed', '!': 'altered', '@': 'hunk', ' ': 'same' };
  const diffOf = (lines) =>
    element('pre', { className: 'diff' }, ...lines.map(([sign, text, effect]) =>
      element('span', { className: effect === undefined ? classes[sign] : effect === 'takes' ? 'removed' : 'added', textContent: (sign === '@' ? ' ' : sign) + ' ' + text })));
  const detailOf = (at) => {
    const { s, r, n = [], l = [], o = [], q = [], x = [], i, m } = all[at];
    const lines = [element('p', { textContent: r })];
    const say = (label, value, className = '') =>
      lines.push(element('p', { className }, element('strong', { textContent: label + ' ' }), value));
    if (i) say('Cannot be undone.', '', 'is-danger');
    if (o.length > 0) say(o.length === 1 ? 'Leaves:' : 'Leave:', o.join(', '), 'is-danger');
    if (l.length > 0) say('At stake:', l.join(', '), 'is-danger');
    if (x.length > 0) lines.push(diffOf(x));
    for (const note of n) say('Note:', note);
    if (q.length > 0) say('Calls:', element('span', { className: 'route' }, ...routeOf(q.join(', '))));
    if (s !== undefined) say('Declared at', element('code', { textContent: s }));
    if (m !== undefined) say('As it is:', element('a', { href: m, textContent: 'in the page of the state' }));
    return lines;
  };

  const tone = (change) => (change.t ? ' is-danger' : change.d ? ' is-caution' : '');
  const columns = 4;
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
      element('span', { className: 'sign' + tone(change), textContent: change.y, ariaHidden: 'true' }),
      element('span', { className: 'address' }, ...breakable(change.a)));
    toggle.setAttribute('aria-expanded', String(isOpen));
    toggle.setAttribute('aria-controls', id);
    const detail = element('tr', { className: 'detail', id, hidden: !isOpen }, element('td', { colSpan: columns }));
    if (isOpen) detail.firstChild.append(...detailOf(at));
    const row = element('tr', {},
      element('td', {}, toggle),
      element('td', { className: 'verbs' + tone(change), textContent: change.v.join(', ') }),
      element('td', { className: 'what', textContent: change.w }),
      element('td', { className: 'where place' }, ...breakable(change.s ?? '')));
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
})();
`;
