// A plan as a comment on a pull request: the most important first, details collapsed, within a number of bytes.

import { plural, printNumber } from '../../../lib/words.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import { type CheckedSignature, signersInWords } from '../../model/signing/signature.ts';
import { acknowledgementLead, acknowledgementLines } from '../summary/acknowledgement.ts';
import { amountOf, type Danger, type DangerGroup, namedIn } from '../summary/dangers.ts';
import { equalProblems } from '../summary/equal-problems.ts';
import { surveyOf } from '../summary/groups.ts';
import { legendOf } from '../summary/legend.ts';
import { noticeLines } from '../summary/notices.ts';
import { peopleLines, peopleTitle, restInWords } from '../summary/people.ts';
import { signatureSentence } from '../summary/signature.ts';
import { stageLines } from '../summary/stages.ts';
import { headline } from '../summary/status.ts';
import { listingSentences, type UnmanagedRow, unmanagedRows, unmanagedSentence } from '../summary/unmanaged.ts';
import {
  coverageSentence,
  durationInWords,
  isEmpty,
  newStateSentence,
  sortedWarnings,
  totalRequests,
} from '../summary/verdict.ts';
import { tally } from '../terminal/diagnostics.ts';
import { firstThatFit, utf8Length } from '../text/budget.ts';
import type { ViewOptions } from '../text/options.ts';
import { safe } from '../text/text.ts';
import { typedDetails, typedText } from '../text/typed-commands.ts';
import { compose, type Filled, type MarkdownSection } from './section-fit.ts';
import { diagnosticLines, driftSection, groupSection, groupsSection, loadLines } from './sections.ts';
import { codeSpan, collapsed, fenced, marker } from './text.ts';

/** The maximum size of a GitHub comment. */
const commentBytes = 65_536;
/** No comment has room for more names. */
const maxNamed = 5_000;
const noticeBytes = 400;
/** Enough for a fence and the note on what is left out. */
const fenceBytes = 80;
/** Characters of the application and the bottleneck, so that the head fits into the smallest budget. */
const maxLabel = 120;
const maxSentence = 400;
/** Groups of changes that get their own section. All others share one. */
const maxGroups = 40;

/** Yields one piece: the budget limits its size for any plan. */
export function* planAsMarkdown(plan: Plan, options: ViewOptions): Generator<string> {
  const maxBytes = options.maxBytes ?? commentBytes;
  const head = headOf(plan, options);
  const { text, hidden, dropped } = compose(sectionsOf(plan, options), maxBytes - utf8Length(head) - noticeBytes);
  yield head + text + (hidden + dropped === 0 ? '' : noticeOf(hidden, maxBytes, options));
}

function headOf(plan: Plan, judged: ViewOptions): string {
  const { signature } = judged;
  const total = totalRequests(plan);
  const duration = durationInWords(plan, (limit) => codeSpan(limit.slice(0, maxLabel)));
  const newState = newStateSentence(plan, (place) => codeSpan(place.slice(0, maxLabel)));
  const notice = [newState ?? [], coverageSentence(plan) ?? []]
    .flat()
    .map((sentence) => `${sentence}\n\n`)
    .join('');
  const facts = [
    codeSpan(plan.application.slice(0, maxLabel)),
    ...(plan.state === undefined ? [] : [`state ${codeSpan(plan.state.slice(0, maxLabel))}`]),
    ...(isEmpty(plan) ? [] : [total === 0 ? 'no requests' : plural(total, 'request')]),
    ...(duration === undefined ? [] : [`takes ${duration}`]),
    ...(isEmpty(plan) ? [] : [`plan hash ${codeSpan(plan.hash)}`]),
    ...(signature === undefined ? [] : [signatureFact(signature)]),
  ];
  return `${marker(plan.application.slice(0, maxLabel))}### chatform: ${headline(plan, judged)}\n\n${facts.join(' · ')}\n\n${notice}`;
}

function signatureFact(signature: CheckedSignature): string {
  if (!signature.counts) return `⛔ ${codeSpan(signatureSentence(signature).slice(0, maxSentence))}`;
  return `signed by ${codeSpan(signersInWords(signature).slice(0, maxSentence))}`;
}

function noticeOf(hidden: number, maxBytes: number, options: ViewOptions): string {
  const what = hidden === 0 ? 'Parts' : `The details of ${plural(hidden, 'object')}`;
  return `> **Shortened to ${printNumber(maxBytes)} bytes.** ${what} are omitted here. The complete plan is in this run's artifacts, if the pipeline keeps them (\`--write html=FILE\`), or in the output of \`${typedText('chatform show PLANFILE', options)}\`.\n`;
}

function sectionsOf(plan: Plan, options: ViewOptions): MarkdownSection[] {
  const { dangers, requested: requestedGroups, pending } = surveyOf(plan.changes);
  const hasBase = pending.length > 0 || plan.changes.at(0)?.cause !== undefined;
  const requested = requestedGroups.reduce((sum, { positions }) => sum + positions.length, 0);
  const { losses, first, others } = sortedWarnings(typedDetails(plan.warnings, options));
  const sections = [
    ...refusalSections(options),
    ...[...losses, ...first].flatMap(baseSection),
    ...dangerSections(plan, dangers),
    ...peopleSections(plan),
    ...stagesSection(plan),
    ...(requested === 0
      ? []
      : [
          plain(
            `#### ${hasBase ? `This request changes ${plural(requested, 'object')}` : plural(requested, 'change')}\n\n`,
          ),
        ]),
    ...requestedGroups.slice(0, maxGroups).map((group) => groupSection(plan, group)),
    ...(requestedGroups.length > maxGroups
      ? [groupsSection(plan, requestedGroups.slice(maxGroups), 'Further changes')]
      : []),
    ...(pending.length === 0 ? [] : [groupsSection(plan, pending, 'Pending before this request')]),
    ...(plan.drift === undefined || plan.drift.length === 0 ? [] : [driftSection(plan.drift)]),
    ...unmanagedSections(plan),
    ...warningSections(others),
    ...legendSection(plan),
  ];
  const loads = loadLines(plan);
  return loads.length === 0 ? sections : [...sections, optional('Requests', fenced('text', loads))];
}

function refusalSections(options: ViewOptions): MarkdownSection[] {
  const refusals = typedDetails(options.refusals ?? [], options);
  if (refusals.length === 0) return [];
  const title = '#### ⛔ Refused by a safety rule: this plan cannot be applied\n\n';
  return [
    {
      short: `${title}${plural(refusals.length, 'reason')}.\n\n`,
      hiddenWhenShort: 0,
      full: (maxBytes) => {
        const lines = diagnosticsWithin(refusals, maxBytes - utf8Length(title));
        return bounded(`${title}${fenced('text', lines)}\n`, maxBytes);
      },
    },
    ...acknowledgementSection(refusals),
  ];
}

/** Never shortened: there are only a few effects. */
function acknowledgementSection(refusals: readonly Diagnostic[]): MarkdownSection[] {
  const wanted = acknowledgementLines(refusals);
  return wanted.lines.length === 0
    ? []
    : [plain(`${acknowledgementLead(wanted)}\n\n${fenced('yaml', wanted.lines)}\n`)];
}

function dangerSections(plan: Plan, groups: readonly DangerGroup[]): MarkdownSection[] {
  return groups.flatMap(({ title, dangers }) => [
    plain(`#### ⚠️ ${title}\n\n`),
    ...dangers.map((danger) => dangerSection(plan, danger)),
    plain('\n'),
  ]);
}

/** One danger with as many names as fit. */
function dangerSection({ changes }: Plan, danger: Danger): MarkdownSection {
  const count = danger.positions.length;
  const lead = `- **${danger.label}** ${amountOf(danger)}`;
  return {
    short: `${lead}\n`,
    hiddenWhenShort: 0,
    full: (maxBytes) => {
      const spans = Array.from(namedIn(danger, changes, maxNamed), ({ address, inside }) => {
        return [codeSpan(address), ...(inside.length === 0 ? [] : [`(${inside.map(codeSpan).join(', ')})`])].join(' ');
      });
      const shown = firstThatFit(spans, maxBytes - utf8Length(lead) - 40, 2);
      if (shown.length === 0) return undefined;
      const more = count - shown.length;
      const rest = more === 0 ? '' : `, … and ${printNumber(more)} more`;
      return { text: `${lead}: ${shown.join(', ')}${rest}\n`, hidden: 0 };
    },
  };
}

function peopleSections(plan: Plan): MarkdownSection[] {
  const { people, notices } = plan;
  if (people === undefined && notices === undefined) return [];
  const access = (people?.effects ?? []).flatMap((effect) =>
    Array.from(peopleLines(effect), ({ text, names, more }) => {
      const all = [...names, ...restInWords(more)];
      return safe(`${text}${all.length === 0 ? '' : `: ${all.join(', ')}`}`);
    }),
  );
  const lines = [...access, ...(notices === undefined ? [] : noticeLines(notices))];
  const title = `#### ${peopleTitle(plan)}\n\n`;
  return [
    {
      short: `${title}${plural(lines.length, 'effect')} on people.\n\n`,
      hiddenWhenShort: 0,
      full: (maxBytes) => {
        const shown = firstThatFit(lines, maxBytes - utf8Length(title) - fenceBytes, 1);
        if (shown.length === 0) return undefined;
        const rest = restInWords(lines.length - shown.length);
        return bounded(`${title}${fenced('text', [...shown, ...rest])}\n`, maxBytes);
      },
    },
  ];
}

function stagesSection({ stages = [] }: Plan): MarkdownSection[] {
  if (stages.length === 0) return [];
  return [plain(`#### Stages\n\n${fenced('text', stageLines(stages).map(safe))}\n`)];
}

/** The count is never shortened. */
function unmanagedSections({ unmanaged }: Plan): MarkdownSection[] {
  if (unmanaged === undefined) return [];
  const line = ({ objects, name, lastActivity }: UnmanagedRow, indent: string): string => {
    const activity = lastActivity === undefined ? '' : `, last activity ${lastActivity}`;
    return `${indent}${printNumber(objects)} ${name}${activity}`;
  };
  const lines = unmanagedRows(unmanaged).flatMap((row) => [
    line(row, ''),
    ...row.types.map((type) => line(type, '  ')),
  ]);
  return [
    plain(`**${unmanagedSentence(unmanaged)}** ${listingSentences(unmanaged)}\n\n`),
    ...(lines.length === 0 ? [] : [optional('What is not managed', fenced('text', lines))]),
  ];
}

function legendSection(plan: Plan): MarkdownSection[] {
  const lines = legendOf(plan).map(({ verb, words }) => `- **${verb}**: ${words}\n`);
  return lines.length === 0 ? [] : [optional('What each action means for users', lines.join(''))];
}

function baseSection(warning: Diagnostic): MarkdownSection[] {
  const title = `#### ⚠️ ${warning.summary}\n\n`;
  return [
    {
      short: title,
      hiddenWhenShort: 0,
      full: (maxBytes) => bounded(`${title}${fenced('text', diagnosticsWithin([warning], maxBytes))}\n`, maxBytes),
    },
  ];
}

function warningSections(warnings: readonly Diagnostic[]): MarkdownSection[] {
  if (warnings.length === 0) return [];
  const summary = tally(warnings);
  return [
    {
      short: `${summary}.\n\n`,
      hiddenWhenShort: 0,
      full: (maxBytes) => {
        const lines = diagnosticsWithin(warnings, maxBytes - utf8Length(collapsed(summary, '')));
        return bounded(collapsed(summary, fenced('text', lines)), maxBytes);
      },
    },
  ];
}

/** The lines of as many whole diagnostics as fit into a fence. */
function diagnosticsWithin(diagnostics: readonly Diagnostic[], maxBytes: number): string[] {
  const groups = equalProblems(diagnostics);
  const texts = groups.map((group) => diagnosticLines(group).join('\n'));
  const shown = firstThatFit(texts, maxBytes - fenceBytes, 1);
  const more = groups.slice(shown.length).flat().length;
  return [...shown.flatMap((text) => text.split('\n')), ...(more === 0 ? [] : [`… and ${printNumber(more)} more`])];
}

function plain(text: string): MarkdownSection {
  return { short: text, hiddenWhenShort: 0, full: () => undefined };
}

function optional(summary: string, body: string): MarkdownSection {
  return { short: '', hiddenWhenShort: 0, full: (maxBytes) => bounded(collapsed(summary, body), maxBytes) };
}

function bounded(text: string, maxBytes: number): Filled | undefined {
  return utf8Length(text) <= maxBytes ? { text, hidden: 0 } : undefined;
}
