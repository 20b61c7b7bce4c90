// Tests the functions of expressions that mend texts: HTML, UTF-8 that was decoded wrongly, and literal replacements.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of mappings
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainTextOf } from '../../../../../src/migration/convert/sources/table/texts/html.ts';
import { withoutMojibake } from '../../../../../src/migration/convert/sources/table/texts/mojibake.ts';
import { convertTables } from '../../support/converted.ts';

describe('html() returns the text that people see', () => {
  test.for<readonly [string, html: string, text: string]>([
    ['a message of Teams', '<div>Hi <at id="0">Bob</at>&nbsp;&amp; all</div>', 'Hi Bob\u00a0& all'],
    ['a message of Zulip', '<p>Hello <code>a &lt; b</code></p>\n<p>World</p>', 'Hello a < b\nWorld'],
    ['breaks that PHP added', 'one<br />\ntwo<BR>three', 'one\ntwo\nthree'],
    ['an empty line of an editor', 'a<div><br></div><div>b</div>', 'a\n\nb'],
    ['a list', '<ul>\n  <li>a</li>\n  <li>b</li>\n</ul>', 'a\nb'],
    ['a table', '<table><tr><td>Ann</td><td>5</td></tr><tr><td>Bob</td></tr></table>', 'Ann 5\nBob'],
    ['white space as in HTML', '<p>a\n   b <i>c</i>d</p>', 'a b cd'],
    ['lines of code', '<pre>if x:\n  y</pre>z', 'if x:\n  y\nz'],
    ['lines of a text without such a tag', 'one\ntwo <b>bold</b>', 'one\ntwo bold'],
    ['scripts and styles', '<style>p{}</style >a<SCRIPT>if (a<b) "</b>"</script>b', 'ab'],
    ['comments and declarations', '<!doctype html><?xml x?><!-- a > b -->c<![endif]>', 'c'],
    ['a > in quotes', `<a title="x>y" alt = 'z>'>link</a>`, 'link'],
    ['entities once', '&amp;lt;b&amp;gt; &#x1F600; &#39;&eacute;', "&lt;b&gt; 😀 'é"],
    ['a parameter that looks like an entity', '?a=1&copy=2', '?a=1&copy=2'],
    ['no tag', 'a < b > c <3 <', 'a < b > c <3 <'],
    ['a tag without an end', 'a <b c < d <p', 'a <b c < d <p'],
    ['a quote without an end', '<a href="x>hello', 'hello'],
    ['a comment without an end', 'a <!-- b', 'a <!-- b'],
    ['a script without an end', '<script>open', 'open'],
    ['nothing', '', ''],
  ])('%s', ([, html, text]) => {
    expect(plainTextOf(html)).toBe(text);
  });

  // An algorithm with a quadratic time would need minutes for each.
  test.for([
    '<',
    '<a ',
    '<a href="',
    '<a x="<a " x=',
    `<a x='<b y="`,
    '<!-- ',
    '<![',
    '<script>',
    '<script><!--"',
    '="',
    '<p> ',
    '&lt',
  ])('of a megabyte of %s', (piece) => {
    const html = piece.repeat(1_000_000 / piece.length);
    expect(plainTextOf(html).length).toBeLessThanOrEqual(html.length);
  });

  test('whatever the text', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '=',
      '/',
      '!--',
      '-->',
      '&amp;',
      ' ',
      '\n',
      'br',
      'p',
      'pre',
      'script',
      'x',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = plainTextOf(pieces.join(''));
        expect(text.split('x').length).toBeLessThanOrEqual(pieces.join('').split('x').length);
      }),
    );
    fc.assert(fc.property(fc.stringMatching(/^[^<&]*$/u), (text) => plainTextOf(text) === text));
  });
});

describe('mojibake()', () => {
  const latin1 = (text: string) => Buffer.from(text).toString('latin1');

  test.for<readonly [string, text: string, mended: string]>([
    ['Meta’s JSON', latin1('rêve'), 'rêve'],
    ['a name', latin1('Paweł Żółć'), 'Paweł Żółć'],
    ['Cyrillic', latin1('Привет'), 'Привет'],
    ['an emoji', latin1('ok 😀'), 'ok 😀'],
    ['Windows-1252', 'Itâ€™s Â£5', 'It’s £5'],
    ['one letter before a sign', 'sÄ… tu', 'są tu'],
  ])('decodes %s', ([, text, mended]) => {
    expect(withoutMojibake(text)).toBe(mended);
  });

  test.for(['', 'plain', 'rêve', '« voilà »', 'CAFÉ…', 'OÙ — là', 'NÃO', '你好', 'rÃªve 😀', 'Ã'])(
    'keeps %o',
    (text) => {
      expect(withoutMojibake(text)).toBe(text);
    },
  );

  test('decodes whatever text was read as Latin-1', () => {
    // A single letter before a sign may also be as it was written.
    const text = fc.string({ unit: 'grapheme', minLength: 3 }).map((drawn) => `é${drawn}`);
    fc.assert(fc.property(text, (drawn) => withoutMojibake(latin1(drawn)) === drawn));
  });
});

const base = {
  'users.csv': 'id,name\n1,Ann\n',
  'rooms.csv': 'id,name,members\n7,Desk,1\n',
};
const mappingWith = (text: string) => `version: 1
name: own
tables: { users: { files: users.csv }, rooms: { files: rooms.csv }, messages: { files: messages.ndjson } }
users: { from: users, id: "\${id}", name: "\${name}" }
channels: { from: rooms, id: "\${id}", name: "\${name}", members: "\${members}" }
messages: { from: messages, id: "\${id}", channel: "7", sender: "1", time: "2024-01-01T00:00:00Z", text: ${text} }
`;
const messages = (...bodies: readonly string[]) =>
  bodies.map((body, place) => `${JSON.stringify({ id: String(place), body })}\n`).join('');

test.for<readonly [string, cel: string, body: string, text: string | undefined]>([
  ['html()', 'row.body.html()', '<p>a &amp; b</p>', 'a & b'],
  ['mojibake()', 'row.body.mojibake().html()', 'rÃªve<br>x', 'rêve\nx'],
  ['replace() of all occurrences', 'row.body.replace("$&", "$1$$")', '$& and $&', '$1$$ and $1$$'],
  ['replace() of nothing', 'row.body.replace("", "x")', 'abc', 'abc'],
])('a mapping calls %s', async ([, cel, body, text]) => {
  const { facts } = await convertTables(
    { ...base, 'messages.ndjson': messages(body) },
    mappingWith(`{ cel: '${cel}' }`),
  );
  expect(facts.map((message) => message.text)).toEqual([text]);
});

test('replace() does not build a text without bounds', async () => {
  const { ledger } = await convertTables(
    { ...base, 'messages.ndjson': messages('a'.repeat(50_000), 'b') },
    mappingWith(`{ cel: 'row.body.replace("a", row.body)' }`),
  );
  expect(ledger.find(({ reason }) => reason === 'row.costly')).toMatchObject({ at: 'messages.ndjson#1' });
});

const rows = ['{"id":"1","name":"<Ann>"}', '{"id":"2","name":"JosÃ©"}'];
const htmlNote =
  '2 of 3 values of messages.text look like HTML: the first is at messages.ndjson#2. To send plain text, compute it: { cel: row.COLUMN.html() }.';
const nameNote =
  '1 of 2 values of users.name look like UTF-8 that was read as Latin-1 or Windows-1252: the first is at users.ndjson#2. To decode it again, compute it: { cel: row.COLUMN.mojibake() }.';

test.for<readonly [string, mapping: string, notes: readonly string[]]>([
  ['are counted', mappingWith('"${body}"'), [nameNote, htmlNote]],
  ['are not counted where the mapping mends them', mappingWith("{ cel: 'row.body.html()' }"), [nameNote]],
  [
    'are not counted where a computed column mends them',
    mappingWith('"${plain}"').replace(
      'messages.ndjson }',
      'messages.ndjson, computed: { plain: { cel: row.body.html() } } }',
    ),
    [nameNote],
  ],
])('texts that look wrong %s', async ([, mapping, notes]) => {
  const { folder } = await convertTables(
    { ...base, 'users.ndjson': `${rows.join('\n')}\n`, 'messages.ndjson': messages('a < b', '<p>x</p>', '&lt;b&gt;') },
    mapping.replace('users.csv', 'users.ndjson'),
  );
  const report = await readFile(join(folder, 'conversion/report.md'), 'utf8');
  expect(report.split('\n').filter((line) => line.includes('look like'))).toEqual(notes);
});
