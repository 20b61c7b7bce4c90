// The script of a run's page, in plain JavaScript: search among the calls, and their pages. It sets text, never markup.
import { scriptHelpers } from './pager.ts';

export const runScript = String.raw`${scriptHelpers}
(() => {
  const data = byId('data');
  if (data === null) return;
  const all = JSON.parse(data.textContent);
  const search = byId('search');
  const onlyBad = byId('only-bad');
  const body = byId('rows');
  const cell = (className, ...children) => element('td', { className }, ...children);
  const texts = all.map((call) => [call[0], call[1], call[2], call[5]].join('\n').toLowerCase());
  const rowOf = ([address, action, call, at, took, answer]) =>
    element('tr', {},
      cell('address', ...breakable(address)), cell('', action), cell('what route address', ...routeOf(call)),
      cell('number', at.toFixed(1) + ' s'), cell('number where', took + ' ms'),
      cell(answer === 'ok' ? '' : 'is-danger', answer));
  let found = all;
  const show = () => {
    const rows = pager.cut(found);
    body.replaceChildren(...rows.map(rowOf));
    byId('status').textContent = pager.range(found, all.length);
  };
  const pager = pagerOf(show, byId('calls-title'));
  const apply = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter((word) => word !== '');
    found = all.filter((call, at) => (!onlyBad.checked || call[5] !== 'ok') && words.every((word) => texts[at].includes(word)));
    pager.first();
    show();
  };
  search.addEventListener('input', delayed(apply));
  onlyBad.addEventListener('change', apply);
  searchByKey(search);
  addEventListener('beforeprint', () => body.replaceChildren(...found.map(rowOf)));
  addEventListener('afterprint', show);
  show();
})();
`;
