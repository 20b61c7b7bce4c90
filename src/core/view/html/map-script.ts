// The script of an application's page, in plain JavaScript: two tables and a matrix, with search and pages. It sets text, never
// markup.
import { scriptHelpers } from './pager.ts';

export const mapScript = String.raw`${scriptHelpers}
(() => {
  const data = JSON.parse(byId('data').textContent);
  const people = data.filter(([type]) => type === 'p').map(([, id, name, kind, marks]) => ({ id, name, kind, marks, channels: [] }));
  const channels = data.filter(([type]) => type === 'c').map(([, address, name, type, open, marks, inside]) => ({ address, name, type, open, marks, inside }));
  for (const channel of channels) {
    channel.people = channel.inside.map((pair) => {
      const [, at, minus, rights] = /^(\d+)(-?)([a-z]*)$/.exec(String(pair));
      const entry = { channel, person: people[Number(at)], member: minus === '', rights };
      entry.person.channels.push(entry);
      return entry;
    });
    channel.of = new Map(channel.people.map((entry) => [entry.person, entry]));
  }
  const letters = ({ member, rights }) =>
    (member ? 'M' : '') + (rights.includes('o') ? 'O' : '') + (rights.includes('h') ? 'H' : '') + (rights.includes('i') ? 'I' : '') +
    (rights.includes('m') ? 'm' : '') + (rights.includes('b') ? 'b' : '') + (rights.includes('t') ? '*' : '');
  const [view, search, columns, mark] = ['view', 'search', 'columns', 'mark'].map(byId);
  const [heads, body, status] = ['heads', 'rows', 'status'].map(byId);
  const maxColumns = 12;

  const marks = [...new Set([...channels, ...people].flatMap((object) => object.marks))].sort();
  for (const value of marks) mark.append(element('option', { value, textContent: value }));
  mark.closest('label').hidden = marks.length === 0;

  const textOf = (object) =>
    (object.text ??= [object.id ?? object.address, object.name, object.type ?? object.kind, ...object.marks].join('\n').toLowerCase());
  const wordsOf = (input) => input.value.toLowerCase().split(/\s+/).filter((word) => word !== '');
  const matching = (objects, words) => objects.filter((object) => words.every((word) => textOf(object).includes(word)));

  const cell = (label, ...children) => {
    const made = element('td', {}, ...children);
    made.dataset.label = label;
    return made;
  };
  const numberCell = (label, value) => {
    const made = cell(label, number(value));
    made.className = 'number';
    return made;
  };
  const headOf = (name, isNumber) => element('th', { scope: 'col', className: isNumber ? 'number' : '', textContent: name });
  const nameOf = (id, name) => element('th', { scope: 'row' }, ...(name === '' ? [] : [element('strong', {}, ...breakable(name)), element('br', {})]), element('code', {}, ...breakable(id)));
  const marksOf = (object) => element('span', { className: object.marks.length === 0 ? '' : 'is-caution', textContent: object.marks.join(', ') });
  // Lists are made when they are opened, because a channel may have thousands of members.
  const listOf = (entries, wordOf) => {
    if (entries.length === 0) return '';
    const folded = element('details', {}, element('summary', { textContent: number(entries.length) }));
    folded.addEventListener('toggle', () => {
      if (!folded.open || folded.childElementCount > 1) return;
      folded.append(element('ul', {}, ...entries.map((entry) => element('li', {}, letters(entry) + ' ', element('code', {}, ...breakable(wordOf(entry)))))));
    });
    return folded;
  };

  const views = {
    channels: {
      objects: channels,
      heads: () => [headOf('Channel'), headOf('Type'), headOf('Members', true), headOf('Operators', true), headOf('Who'), headOf('Marks')],
      row: (channel) => element('tr', {},
        nameOf(channel.address, channel.name),
        cell('Type', (channel.open ? 'public' : 'private') + (channel.type === '' ? '' : ', ' + channel.type)),
        numberCell('Members', channel.people.filter(({ member }) => member).length),
        numberCell('Operators', channel.people.filter(({ rights }) => rights.includes('o')).length),
        cell('Who', listOf(channel.people, ({ person }) => person.id)),
        cell('Marks', marksOf(channel))),
    },
    people: {
      objects: people,
      heads: () => [headOf('Person'), headOf('Kind'), headOf('Member of', true), headOf('Operates', true), headOf('Where'), headOf('Marks')],
      row: (person) => element('tr', {},
        nameOf(person.id, person.name),
        cell('Kind', person.kind),
        numberCell('Member of', person.channels.filter(({ member }) => member).length),
        numberCell('Operates', person.channels.filter(({ rights }) => rights.includes('o')).length),
        cell('Where', listOf(person.channels, ({ channel }) => channel.address)),
        cell('Marks', marksOf(person))),
    },
    matrix: {
      objects: people,
      heads: () => [headOf('Person'), ...shown.map(({ address }) => headOf(address.slice(address.indexOf('.') + 1)))],
      row: (person) => element('tr', {},
        nameOf(person.id, person.name),
        ...shown.map((channel) => {
          const entry = channel.of.get(person);
          return cell(channel.address, entry === undefined ? '' : letters(entry));
        })),
    },
  };

  let found = channels;
  let shown = [];
  const show = () => {
    const { heads: headsOf, row, objects } = views[view.value];
    heads.replaceChildren(element('tr', {}, ...headsOf()));
    body.replaceChildren(...pager.cut(found).map(row));
    const all = view.value === 'matrix' ? ' Columns: ' + number(shown.length) + ' of ' + number(channels.length) + ' channels, narrowed by their search.' : '';
    status.textContent = pager.range(found, objects.length) + all;
    byId('nothing').hidden = found.length > 0;
  };
  const pager = pagerOf(show, byId('map-title'));
  const apply = () => {
    const isMatrix = view.value === 'matrix';
    byId('columns-label').hidden = !isMatrix;
    const { objects } = views[view.value];
    found = matching(objects, wordsOf(search)).filter((object) => mark.value === '' || object.marks.includes(mark.value));
    if (isMatrix) {
      const wanted = matching(channels, wordsOf(columns));
      shown = wanted.slice(0, maxColumns);
      // With columns chosen, people without any right in them only make the matrix longer.
      if (columns.value.trim() !== '') found = found.filter((person) => shown.some((channel) => channel.of.has(person)));
    }
    pager.first();
    show();
  };
  search.addEventListener('input', delayed(apply));
  columns.addEventListener('input', delayed(apply));
  for (const select of [view, mark]) select.addEventListener('change', apply);
  searchByKey(search);
  addEventListener('beforeprint', () => body.replaceChildren(...found.map(views[view.value].row)));
  addEventListener('afterprint', show);
  // A link can name what to look for, and where: app.html#view=people&find=alice
  const follow = () => {
    const asked = new URLSearchParams(location.hash.slice(1));
    search.value = asked.get('find') ?? '';
    if (Object.hasOwn(views, asked.get('view') ?? '')) view.value = asked.get('view');
    apply();
  };
  addEventListener('hashchange', follow);
  follow();
})();
`;
