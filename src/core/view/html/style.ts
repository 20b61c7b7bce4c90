// The style sheet of every page: light and dark, wide and narrow screens, paper.

export const pageStyle = `
:root {
  color-scheme: light;
  --ground: #ffffff; --panel: #f5f6f8; --line: #d3d7de; --text: #1b1f24; --soft: #545c68;
  --link: #0b57c2; --add: #14632c; --add-ground: #e4f6e8; --remove: #a1141f; --remove-ground: #fdeaea;
  --alter: #7a4300; --alter-ground: #fdf1dd; --place: #0a5a78; --danger: #a1141f; --danger-ground: #fdf0f0;
  --bar: #6f8fc4; --bar-most: #c04a1c;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    color-scheme: dark;
    --ground: #14171c; --panel: #1d2128; --line: #3a414d; --text: #e6e9ee; --soft: #a7b0be;
    --link: #8ab8ff; --add: #8fe0a4; --add-ground: #16301f; --remove: #ffa8a8; --remove-ground: #3a1c1f;
    --alter: #f3c987; --alter-ground: #33270f; --place: #86cfe8; --danger: #ffa8a8; --danger-ground: #2f1a1d;
    --bar: #5d7fba; --bar-most: #e07b4c;
  }
}
* { box-sizing: border-box; }
html { scroll-padding: 7rem 0 1rem; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main, header, footer { max-width: 76rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 1rem; }
footer { padding: 2rem 1.25rem; color: var(--soft); font-size: 0.9rem; }
h1 { font-size: 1rem; margin: 0 0 0.9rem; padding-bottom: 0.5rem; border-bottom: 1px solid var(--line); color: var(--soft); font-weight: 400; }
h1 strong { color: var(--text); }
h2 { font-size: 1.15rem; margin: 2rem 0 0.6rem; }
h3 { font-size: 1rem; margin: 0.75rem 0 0.25rem; }
.pill, .label { display: inline-block; border-radius: 1rem; padding: 0 0.7rem; font-weight: 600; white-space: nowrap; }
.pill { border: 2px solid; margin-right: 0.4rem; }
.label { font: 600 0.78rem/1.35 system-ui, sans-serif; padding: 0 0.5rem; border: 1px solid; vertical-align: 0.05em; text-indent: 0; }
.pill.refused, .label.danger { color: var(--danger); background: var(--danger-ground); }
.pill.awaits, .label.caution { color: var(--alter); background: var(--alter-ground); }
.pill.ready { color: var(--add); background: var(--add-ground); }
.pill.idle { color: var(--soft); background: var(--panel); }
.counts { margin: 0 0 0.9rem; }
.counts span { padding: 0.1rem 0.5rem; border-radius: 4px; white-space: nowrap; }
.counts .added, .sign.added { color: var(--add); }
.counts .removed, .sign.removed { color: var(--remove); }
.counts .changed, .sign.altered { color: var(--alter); }
.counts .added { background: var(--add-ground); }
.counts .removed { background: var(--remove-ground); }
.counts .changed { background: var(--alter-ground); }
.copy { min-height: 0; padding: 0 0.5rem; font-size: 0.8rem; }
.verdict { font-size: 1.45rem; line-height: 1.3; font-weight: 600; margin: 0.2rem 0 0.9rem; text-wrap: pretty; }
.facts { display: flex; flex-wrap: wrap; gap: 0.35rem 1.75rem; margin: 0; }
.facts div { display: flex; gap: 0.5rem; min-width: 0; }
.facts dt { color: var(--soft); white-space: nowrap; }
.facts dd { margin: 0; overflow-wrap: anywhere; }
header .facts { display: grid; grid-template-columns: max-content 1fr max-content 1fr; gap: 0.15rem 1rem; }
header .facts div { display: contents; }
code, pre, .address, .place { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 0.875em; }
code { overflow-wrap: anywhere; }
.route, code.route { overflow-wrap: break-word; word-break: normal; }
.legend { display: grid; grid-template-columns: max-content 1fr max-content 1fr; gap: 0.1rem 0.9rem; margin: 0 0 1rem; }
.legend div { display: contents; }
.legend dt { font-weight: 600; }
.legend dd { margin: 0; color: var(--soft); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--ground); padding: 0.5rem 1rem; z-index: 2; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.dangers { background: var(--danger-ground); border-left: 4px solid var(--danger); padding: 0.25rem 1.1rem 0.75rem; margin-top: 1.25rem; }
.dangers h2 { color: var(--danger); margin: 0.6rem 0 0; }
.dangers ul, .remarks ul { margin: 0; padding-left: 1.2rem; }
.dangers .amount { font-weight: 600; }
.dangers .name { display: inline-block; max-width: 100%; }
.remarks li { margin: 0.4rem 0; }
.remarks p { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; color: var(--soft); padding-bottom: 0.4rem; text-wrap: pretty; }
.changes caption { caption-side: bottom; padding-top: 0.4rem; }
th { text-align: left; font-weight: 600; color: var(--soft); font-size: 0.875rem; }
th, td { padding: 0.35rem 0.75rem 0.35rem 0; vertical-align: top; border-bottom: 1px solid var(--line); }
th.number, td.number { text-align: right; padding-right: 1.5rem; white-space: nowrap; font-variant-numeric: tabular-nums; }
tbody th { font-weight: 400; font-size: 1em; color: var(--text); overflow-wrap: anywhere; }
.cards tbody th { min-width: 12rem; }
.cards td { overflow-wrap: anywhere; }
.figures tbody th, .pairs tbody th { min-width: 0; }
.time { white-space: nowrap; }
code.digest { display: inline-block; overflow-wrap: normal; text-wrap: balance; }
.figures, .pairs { width: auto; min-width: 22rem; }
.schedule .chart { width: 45%; padding-right: 0; }
.axis { display: flex; justify-content: space-between; font-weight: 400; }
.bar { display: block; width: 100%; height: 1.1rem; margin-top: 0.2rem; background: var(--panel); }
.bar rect { fill: var(--bar); }
.bar.most rect { fill: var(--bar-most); }
.bar line { stroke: var(--line); stroke-width: 0.4; }
.filters { position: sticky; top: 0; z-index: 1; background: var(--ground); padding: 0.4rem 0; border-bottom: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: 0.75rem 1rem; align-items: end; margin-bottom: 0.75rem; }
.filters label { display: grid; gap: 0.15rem; font-size: 0.875rem; color: var(--soft); }
.filters .search { flex: 1 1 18rem; }
.filters .check { display: flex; gap: 0.45rem; align-items: center; color: var(--text); min-height: 2.4rem; }
input[type="search"], select, button {
  font: inherit; color: var(--text); background: var(--ground); border: 1px solid var(--soft); border-radius: 4px;
  min-height: 2.4rem; padding: 0.25rem 0.6rem;
}
button { cursor: pointer; }
button:disabled { color: var(--soft); border-color: var(--line); cursor: default; }
.bar-below, .bar-above { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; justify-content: space-between; margin: 0.5rem 0; }
.pages { display: flex; gap: 0.5rem; align-items: center; }
.changes td { padding-top: 0.25rem; padding-bottom: 0.25rem; }
.changes td:first-child { width: 45%; }
.changes .what { color: var(--soft); }
.anchor { color: var(--soft); text-decoration: none; padding: 0 0.4rem; }
.meta .narrow { display: none; }
.changes .toggle {
  border: 0; background: none; padding: 0 0.25rem 0 0; min-height: 0; text-align: left; display: inline-flex; gap: 0.5rem; align-items: start;
  max-width: calc(100% - 2.2rem); vertical-align: top;
}
.changes .toggle:hover .address { text-decoration: underline; }
.address { overflow-wrap: anywhere; }
.sign { font-family: ui-monospace, monospace; flex: none; width: 1.1em; text-align: center; }
.arrow { flex: none; color: var(--soft); width: 0.9em; }
.toggle[aria-expanded="true"] .arrow { transform: rotate(90deg); }
.place { color: var(--soft); overflow-wrap: anywhere; }
.is-danger { color: var(--danger); font-weight: 600; }
.is-caution { color: var(--alter); font-weight: 600; }
.group th { background: var(--panel); color: var(--text); padding: 0.4rem 0.6rem; font-weight: 600; font-size: 0.875rem; }
details summary { cursor: pointer; color: var(--soft); padding: 0.4rem 0; }
.changes .detail td { padding: 0 0 0.5rem 3.4rem; }
.changes tr:has(+ .detail:not([hidden])) td { border-bottom: 0; }
.meta { margin: 0; padding: 0; list-style: none; color: var(--soft); font-size: 0.875rem; overflow-wrap: anywhere; }
.meta li { display: inline; }
.meta li + li::before { content: ' · '; }
.meta strong { color: var(--danger); }
.diff { margin: 0 0 0.15rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.diff span { display: block; padding: 0 0.75rem 0 2.2rem; text-indent: -1.45rem; }
.diff .added { color: var(--add); background: var(--add-ground); }
.diff .removed { color: var(--remove); background: var(--remove-ground); }
.diff .altered { color: var(--alter); background: var(--alter-ground); }
.diff .hunk { color: var(--place); }
.lane { margin: 0 0 1.6rem; }
.series { display: block; width: 100%; height: 5rem; background: var(--panel); }
.series .sent { fill: var(--bar); }
.series .retried { fill: var(--bar-most); }
.series .limited { fill: var(--danger); }
.series .limit { stroke: var(--text); stroke-width: 1.5; stroke-dasharray: 6 4; vector-effect: non-scaling-stroke; }
.lane .axis { margin: 0.1rem 0 0.3rem; color: var(--soft); font-size: 0.875rem; }
.key { color: var(--soft); }
.swatch { display: inline-block; width: 0.9em; height: 0.9em; margin: 0 0.15em 0 0.6em; vertical-align: -0.1em; }
.swatch.sent { background: var(--bar); margin-left: 0; }
.swatch.limited { background: var(--danger); }
.swatch.retried { background: var(--bar-most); }
.swatch.limit { height: 0; border-top: 2px dashed var(--text); vertical-align: 0.25em; }
.nothing { padding: 1.5rem 0; color: var(--soft); }
.signature { display: grid; grid-template-columns: 2fr 2fr 3fr; gap: 2rem; margin: 3.5rem 0 0; }
.signature div { display: flex; flex-direction: column-reverse; }
.signature dt { border-top: 1px solid var(--text); padding-top: 0.25rem; color: var(--soft); font-size: 0.875rem; }
.signature dd { margin: 0; }
.matrix { overflow-x: auto; }
.sort { border: 0; padding: 0; min-height: 1.5rem; background: none; color: inherit; font-weight: 600; text-align: left; }
.sort::after { content: ' ↕'; font-weight: 400; }
[aria-sort="ascending"] .sort::after { content: ' ↑'; }
[aria-sort="descending"] .sort::after { content: ' ↓'; }
.sortable details summary { padding: 0; }
kbd { border: 1px solid var(--line); border-radius: 3px; padding: 0 0.3rem; font-size: 0.85em; }
@media screen and (max-width: 44rem) {
  .changes caption, .changes thead, .changes .where, .calls .what, .calls .where, .schedule .rate { display: none; }
  .changes tr { display: block; border-bottom: 1px solid var(--line); padding: 0.2rem 0; }
  .changes tr:has(+ .detail:not([hidden])) { border: 0; padding-bottom: 0; }
  .changes td, .changes td:first-child { display: block; width: auto; border: 0; padding: 0; }
  .changes .verbs { padding-left: 3.4rem; }
  .changes tbody, .changes { display: block; }
  .legend, header .facts { grid-template-columns: max-content 1fr; }
  .meta .narrow { display: inline; }
  .changes .detail td { padding: 0.1rem 0 0.3rem 1rem; }
  .filters { gap: 0.3rem 0.6rem; }
  .filters .search { flex-basis: 100%; }
  .filters label { flex: 1; min-width: 6rem; }
  .filters select { width: 100%; min-height: 2rem; }
  .filters .check { min-height: 2rem; }
  .schedule .chart { width: 15%; min-width: 2.5rem; }
  .schedule .axis { display: none; }
  .verdict { font-size: 1.2rem; }
  th.number, td.number { padding-right: 0.75rem; }
  .figures, .pairs { min-width: 0; width: 100%; }
  .time { white-space: normal; }
  .cards:not(.figures) thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .cards:not(.figures) tr { display: block; padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
  .cards:not(.figures) tbody th { display: block; border: 0; padding: 0.1rem 0; font-weight: 600; }
  .cards:not(.figures) td { display: grid; grid-template-columns: 7rem 1fr; gap: 0.75rem; border: 0; padding: 0.1rem 0; text-align: left; white-space: normal; }
  .cards:not(.figures) td::before { content: attr(data-label); color: var(--soft); }
  .cards:not(.figures) td:empty { display: none; }
  .signature { grid-template-columns: 1fr; }
  .cards.sortable:not(.figures) thead { position: static; display: block; width: auto; height: auto; clip-path: none; }
  .cards.sortable:not(.figures) thead tr { display: flex; flex-wrap: wrap; gap: 0 1rem; }
  .sortable thead th { border: 0; }
}
@media print {
  @page { size: A4; margin: 15mm 14mm; }
  :root { font-size: 10px; }
  * { print-color-adjust: exact; }
  .filters, .copy, .anchor, .sort::after, .bar-below, .bar-above, .skip, .arrow, .unseen, .changes caption { display: none; }
  main, header, footer { max-width: none; padding: 0; }
  footer { padding: 1rem 0 0; }
  body { font-size: 1rem; }
  h2, h3 { break-after: avoid; }
  th, td { padding-right: 0.75rem; overflow-wrap: anywhere; }
  th.number, td.number { padding-right: 1.25rem; }
  thead { display: table-header-group; }
  thead th { overflow-wrap: normal; }
  details::details-content { content-visibility: visible; display: block; height: auto; }
  details summary { list-style: none; }
  .detail, .changes tr, .cards tr, .calls tr, .lane, .dangers li, .sign-off, .signature { break-inside: avoid; }
  .series { height: 5rem; }
  .signature { margin-top: 8rem; }
}
`;
