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
  const words = { o: 'operator', h: 'hid the channel', i: 'may have to accept', m: 'muted', b: 'banned' };
  const rightsOf = ({ member, rights }) => {
    const parts = [...(member ? ['member'] : []), ...Object.keys(words).flatMap((letter) => (rights.includes(letter) ? [words[letter]] : []))];
    return parts.join(', ') + (rights.includes('t') ? ' by the custom type' : '');
  };
  const isOperator = ({ rights }) => rights.includes('o');
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
  const nameOf = (id, name) => element('th', { scope: 'row' }, ...(name === '' ? [] : [element('strong', {}, ...breakable(name)), element('br', {})]), element('code', {}, ...breakable(id)));
  const marksOf = ({ marks: of }) => (of.length === 0 ? '' : element('span', { className: 'is-caution', textContent: of.join(', ') }));
  // Lists are made when they are opened, because a channel may have thousands of members.
  const listOf = (entries, nameIn) => {
    const amount = number(entries.filter(({ member }) => member).length);
    if (entries.length === 0) return amount;
    const folded = element('details', {}, element('summary', { textContent: amount }));
    folded.addEventListener('toggle', () => {
      if (!folded.open || folded.childElementCount > 1) return;
      folded.append(element('ul', {}, ...entries.map((entry) => element('li', {}, element('code', {}, ...breakable(nameIn(entry))), ' ' + rightsOf(entry)))));
    });
    return folded;
  };

  // Each column: its name, what it sorts by (a number or a text), and what a cell has if that is something else.
  const membersOf = (entries) => entries.filter(({ member }) => member).length;
  const views = {
    channels: {
      objects: channels,
      columns: [
        ['Channel', ({ name, address }) => name || address, ({ address, name }) => nameOf(address, name)],
        ['Access', ({ open }) => (open ? 'public' : 'private')],
        ['Custom type', ({ type }) => type],
        ['Members', ({ people }) => membersOf(people), ({ people }) => listOf(people, ({ person }) => person.id)],
        ['Operators', ({ people }) => people.filter(isOperator).length],
        ['Marks', ({ marks }) => marks.join(', '), marksOf],
      ],
    },
    people: {
      objects: people,
      columns: [
        ['Person', ({ name, id }) => name || id, ({ id, name }) => nameOf(id, name)],
        ['Kind', ({ kind }) => kind],
        ['Member of', ({ channels: of }) => membersOf(of), ({ channels: of }) => listOf(of, ({ channel }) => channel.address)],
        ['Operates', ({ channels: of }) => of.filter(isOperator).length],
        ['Marks', ({ marks }) => marks.join(', '), marksOf],
      ],
    },
    matrix: {
      objects: people,
      get columns() {
        const byChannel = shown.map((channel) => [channel.address.slice(channel.address.indexOf('.') + 1), (person) => {
          const entry = channel.of.get(person);
          return entry === undefined ? '' : rightsOf(entry);
        }]);
        return [views.people.columns[0], ...byChannel];
      },
    },
  };

  // The column to sort by, and 1 or -1.
  let sorted = { at: -1, by: 1 };
  const headOf = ([name], at) => {
    const button = element('button', { type: 'button', className: 'sort', textContent: name });
    button.addEventListener('click', () => {
      sorted = { at, by: sorted.at === at ? -sorted.by : 1 };
      apply();
      heads.querySelectorAll('button')[at].focus();
    });
    const head = element('th', { scope: 'col' }, button);
    if (sorted.at === at) head.ariaSort = sorted.by === 1 ? 'ascending' : 'descending';
    return head;
  };
  const rowIn = (columns) => (object) =>
    element('tr', {}, ...columns.map(([name, keyOf, contentOf = (one) => String(keyOf(one))], at) => {
      const content = contentOf(object);
      return at === 0 ? content : cell(name, content);
    }));
  const sort = (objects, [, keyOf]) => {
    const keyed = objects.map((object) => [keyOf(object), object]);
    keyed.sort(([left], [right]) => sorted.by * (typeof left === 'number' ? left - right : left.localeCompare(right, 'en', { numeric: true })));
    return keyed.map(([, object]) => object);
  };

  let found = channels;
  let shown = [];
  const show = () => {
    const { columns: shownColumns, objects } = views[view.value];
    heads.replaceChildren(element('tr', {}, ...shownColumns.map(headOf)));
    body.replaceChildren(...pager.cut(found).map(rowIn(shownColumns)));
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
    const column = views[view.value].columns[sorted.at];
    if (column !== undefined) found = sort(found, column);
    pager.first();
    show();
  };
  search.addEventListener('input', delayed(apply));
  columns.addEventListener('input', delayed(apply));
  mark.addEventListener('change', apply);
  view.addEventListener('change', () => {
    sorted = { at: -1, by: 1 };
    apply();
  });
  searchByKey(search);
  addEventListener('beforeprint', () => body.replaceChildren(...found.map(rowIn(views[view.value].columns))));
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
