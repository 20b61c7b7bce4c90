// The script of a run's page, in plain JavaScript: search among the calls. It sets text, never markup.

export const runScript = String.raw`
'use strict';
(() => {
  const data = document.getElementById('data');
  if (data === null) return;
  const all = JSON.parse(data.textContent);
  const search = document.getElementById('search');
  const onlyBad = document.getElementById('only-bad');
  const body = document.getElementById('rows');
  const status = document.getElementById('status');
  const cell = (text, className = '') => {
    const made = document.createElement('td');
    made.className = className;
    made.textContent = text;
    return made;
  };
  // Long names may wrap after a separator.
  const named = (text, className) => {
    const made = cell('', className);
    made.append(...text.split(/(?<=[^\s.:/_\-·][.:/_\-·])(?=[^\s.:/_\-·])/).flatMap((part, at) =>
      (at === 0 ? [part] : [document.createElement('wbr'), part])));
    return made;
  };
  const texts = all.map((call) => [call[0], call[1], call[2], call[5]].join('\n').toLowerCase());
  const apply = () => {
    const isAsked = search.value.trim() !== '' || onlyBad.checked;
    const most = isAsked ? 200 : 20;
    const words = search.value.toLowerCase().split(/\s+/).filter((word) => word !== '');
    const found = all.filter((call, at) => (!onlyBad.checked || call[5] !== 'ok') && words.every((word) => texts[at].includes(word)));
    body.replaceChildren(...found.slice(0, most).map(([address, action, call, at, took, answer]) => {
      const row = document.createElement('tr');
      row.append(named(address, 'address'), cell(action), named(call, 'what address'), cell(at.toFixed(1) + ' s', 'number'),
        cell(took + ' ms', 'number where'), cell(answer, answer === 'ok' ? '' : 'is-danger'));
      return row;
    }));
    const number = (value) => value.toLocaleString('en-US');
    status.textContent = found.length === 0 ? 'Nothing found among ' + number(all.length) + '.'
      : number(Math.min(most, found.length)) + ' of ' + number(found.length) + ' shown.';
  };
  let waiting;
  search.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(apply, 120);
  });
  onlyBad.addEventListener('change', apply);
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target === search) return;
    event.preventDefault();
    search.focus();
  });
  apply();
})();
`;
