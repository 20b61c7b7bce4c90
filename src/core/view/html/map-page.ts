// The channels and people of an application as one HTML page that needs no network: tables, and a matrix of who is where.

import { plural, printNumber, printUtc } from '../../../lib/words.ts';
import type { Status } from '../summary/status.ts';
import { writeWithin } from '../text/budget.ts';
import type { ViewOptions } from '../text/options.ts';
import { hiding } from '../text/redact.ts';
import { safe, safeJson } from '../text/text.ts';
import { type Typing, typedText } from '../text/typed-commands.ts';
import type { ApplicationMap, MappedChannel, MappedPerson } from './application-map.ts';
import { pageEnd, pageHead, text } from './frame.ts';
import { mapScript } from './map-script.ts';
import { pagerControls } from './pager.ts';

const maxBytes = 4_194_304;

/** At most 4 MiB: the last channels are left out. People come first, because channels name them by their position. */
export function* mapAsHtml(map: ApplicationMap, options: ViewOptions): Generator<string> {
  const { people, channels } = map;
  const hide = hiding(options);
  const hiddenName = (name: string): string => (name === '' ? '' : safe(hide(name)));
  const idOf = options.redactionKey === undefined ? safe : (id: string) => safe(isPersonal(id) ? hide(id) : id);
  yield* writeWithin(
    {
      head: `${header(map, hide, options)}<main>\n<script type="application/json" id="data">[\n`,
      items: rows(people, channels, hiddenName, idOf),
      separator: ',\n',
      total: people.length + channels.length,
      tail: (leftOut) => `\n]</script>\n${controls(leftOut, options)}</main>\n${pageEnd(mapScript)}`,
    },
    maxBytes,
  );
}

/** An id that looks like an e-mail address or a telephone number. Other ids are shown, as in a plan. */
function isPersonal(id: string): boolean {
  return /@|\+\d[\d ().-]{5,}\d/u.test(id);
}

function statusOf({ changedAt, inDoubt }: ApplicationMap): Status {
  if (inDoubt > 0)
    return { kind: 'awaits', words: `${plural(inDoubt, 'request has', 'requests have')} an unknown outcome` };
  return { kind: 'idle', words: changedAt === undefined ? 'Never applied' : 'As last applied' };
}

function header(map: ApplicationMap, hide: (text: string) => string, typing: Typing): string {
  const { application, state, changedAt, people, channels } = map;
  const unmanaged = people.filter(({ kind }) => kind === 'unmanaged').length;
  const frozen = channels.filter(({ marks }) => marks.includes('frozen')).length;
  const notes = [
    frozen > 0 ? `${printNumber(frozen)} frozen` : '',
    unmanaged > 0 ? `${printNumber(unmanaged)} people not managed` : '',
  ].filter((note) => note !== '');
  const verdict = `${plural(channels.length, 'channel')} and ${plural(people.length, 'person', 'people')}${notes.length === 0 ? '' : `: ${notes.join(', ')}`}.`;
  const shows =
    'what state contains: objects that nobody declares are not in it (chatform drift --unmanaged counts them)';
  return pageHead(
    {
      kind: 'application',
      status: statusOf(map),
      verdict,
      application,
      facts: [
        ['Last run', changedAt === undefined ? undefined : printUtc(changedAt)],
        ['State', hide(state)],
        ['Shows', typedText(shows, typing)],
      ],
      skip: ['#map-title', 'Skip to the channels and people'],
    },
    mapScript,
  );
}

function* rows(
  people: readonly MappedPerson[],
  channels: readonly MappedChannel[],
  hide: (name: string) => string,
  idOf: (id: string) => string,
): Generator<string> {
  for (const { id, name, kind, marks } of people) yield line(['p', idOf(id), hide(name), kind, marks]);
  for (const { address, name, customType, isPublic, marks, people: inside } of channels)
    yield line(['c', safe(address), hide(name), safe(customType), isPublic ? 1 : 0, marks, inside.map(pairOf)]);
}

/** One number or text for each person keeps a page of many memberships small. A banned person or a mere operator has a minus. */
function pairOf([person, isMember, rights]: MappedChannel['people'][number]): number | string {
  return isMember && rights === '' ? person : `${person}${isMember ? '' : '-'}${rights}`;
}

function line(row: readonly unknown[]): string {
  return safeJson(row).replaceAll('<', '\\u003c');
}

function controls(leftOut: number, typing: Typing): string {
  const omitted =
    leftOut === 0
      ? ''
      : `<p><strong>${plural(leftOut, 'channel')} left out</strong>, because the page has 4 MiB at most. ${text(typedText('chatform state show', typing))} prints each.</p>\n`;
  return `<h2 id="map-title" tabindex="-1">Channels and people</h2>
${omitted}<noscript><p>The tables need JavaScript, which this page contains.</p></noscript>
<section aria-labelledby="map-title">
<div class="filters" role="search">
<label>Show<select id="view"><option value="channels">Channels</option><option value="people">People</option><option value="matrix">Matrix of access</option></select></label>
<label class="search">Search names, ids, types<input type="search" id="search" autocomplete="off" spellcheck="false"></label>
<label class="search" id="columns-label" hidden>Channels in the columns<input type="search" id="columns" autocomplete="off" spellcheck="false"></label>
<label>Mark<select id="mark"><option value="">All</option></select></label>
</div>
<p class="key">A member who is not muted reads and writes. In a frozen channel, only operators write. Removed: no longer declared, and kept on the platform. Differs: the platform shows another value than was sent.</p>
<div id="status" role="status"></div>
<div class="matrix"><table class="cards sortable"><thead id="heads"></thead><tbody id="rows"></tbody></table></div>
<p class="nothing" id="nothing" hidden>Nothing matches. Try fewer words or clear a filter.</p>
${pagerControls('objects')}</section>
`;
}
