// Explains one object: its values and their origin, pending changes and their reasons, and the effect of removing its block.
import { isList, isObject, type JsonValue } from '../../../lib/json.ts';
import { listOf, plural } from '../../../lib/words.ts';
import type { ExplainedAttribute, ObjectExplanation, StepRef } from '../../model/explanation.ts';
import type { Removal } from '../../model/resource.ts';
import { printPosition } from '../../model/source.ts';
import { dangersOf } from '../summary/dangers.ts';
import { reasonInWords } from '../text/change-words.ts';
import { clip } from '../text/clipping.ts';
import { proseColumns, withEnds, wrap } from '../text/layout.ts';
import type { ViewOptions } from '../text/options.ts';
import { type Paint, painter } from '../text/paint.ts';
import { printValue, safe } from '../text/text.ts';
import { attributeLines } from './change-lines.ts';
import { diagnosticsForPeople } from './diagnostics.ts';
import { attributeSentences } from './plain.ts';

const maxColumns = 120;
const maxNamed = 5;

export function* explanationForPeople(shown: ObjectExplanation, options: ViewOptions): Generator<string> {
  const paint = painter(options.color);
  const columns = proseColumns(Math.min(options.width, maxColumns), options.whole);
  yield* withEnds(head(shown, columns, paint));
  yield* withEnds(values(shown, columns, paint));
  yield* withEnds(happenings(shown, options, columns, paint));
  yield* withEnds(removal(shown, columns, paint));
  if (shown.problems.length === 0) return;
  yield '\n';
  yield* diagnosticsForPeople(shown.problems, options);
}

function* head(
  { address, kind, declared_at, in_state, on_platform, marks }: ObjectExplanation,
  columns: number,
  paint: Paint,
) {
  yield paint('bold', safe(address));
  const words = [in_state ? 'in state' : 'not in state', ...marks.map((mark) => markWords[mark] ?? mark)];
  if (declared_at !== undefined) words.unshift(`declared at ${printPosition(declared_at)}`);
  if (on_platform !== undefined) words.push(on_platform ? 'on the platform' : 'not on the platform');
  const lead = declared_at === undefined ? 'not declared. It is ' : '';
  yield* block(`The ${kind} is ${lead}${listOf(words)}.`, '  ', columns);
}

const markWords: Readonly<Record<string, string>> = {
  retired: 'retired: removed from the manifest but kept in state until it is forgotten',
  creating: 'partly created: an earlier run was interrupted',
  bracket: 'temporarily reopened by an earlier run that did not finish',
};

function* values({ attributes, lifecycle }: ObjectExplanation, columns: number, paint: Paint) {
  yield '';
  yield paint('bold', 'Where its values come from');
  if (attributes.length === 0) yield '  No attribute is managed.';
  for (const attribute of attributes) {
    const { name, declared, remembered } = attribute;
    yield `  ${paint('cyan', name)}  ${inShort(declared ?? remembered ?? null, columns - name.length - 4)}`;
    yield* block(originOf(attribute, columns), '    ', columns);
    if (attribute.live !== undefined) {
      yield* block(`on the platform: ${inShort(attribute.live, columns - 30)}`, '    ', columns);
    }
    if (attribute.standing !== 'remembered') yield* block(ruleOf(attribute), '    ', columns);
  }
  if (lifecycle.ignore_changes.length > 0) {
    yield* block(
      `ignore_changes: ${lifecycle.ignore_changes.join(', ')}, set at creation and not changed afterwards.`,
      '  ',
      columns,
    );
  }
}

function originOf({ standing, source, from_defaults, remembered }: ExplainedAttribute, columns: number): string {
  const place = source === undefined ? 'the manifest' : printPosition(source);
  const from = from_defaults === true ? `the defaults at ${place}` : place;
  const before = inShort(remembered ?? null, Math.floor(columns / 2));
  switch (standing) {
    case 'as_applied':
      return `from ${from}, as last applied`;
    case 'to_apply':
      return `from ${from}, not applied yet`;
    case 'edited':
      return `from ${from}; last applied was ${before}`;
    case 'ignored':
      return `from ${from}; last applied was ${before}, which ignore_changes preserves`;
    case 'removed':
      return 'from state, as last applied; its line was removed';
    case 'remembered':
      return 'from state, as last applied';
  }
}

function ruleOf({ standing, can_change, if_removed }: ExplainedAttribute): string {
  if (standing === 'removed') return `As a result, ${endingOf(if_removed)}`;
  const fixed =
    can_change === 'create_only'
      ? 'Fixed at creation. '
      : can_change === 'one_way'
        ? 'Can be set to true but not back to false. '
        : '';
  return `${fixed}Without its line, ${endingOf(if_removed)}`;
}

function endingOf(removed: ExplainedAttribute['if_removed']): string {
  switch (removed.how) {
    case 'reset':
      return `it is set to ${printValue(removed.to)}.`;
    case 'each':
      return 'its entries are removed.';
    case 'release':
      return 'it stays as it is and is no longer managed.';
    case 'keep':
      return 'it stays as it is and remains in state.';
    case 'required':
      return 'the object is invalid.';
  }
}

function* happenings(
  { change, steps, drift, on_platform }: ObjectExplanation,
  { plain }: ViewOptions,
  columns: number,
  paint: Paint,
) {
  yield '';
  yield paint('bold', 'What would happen');
  for (const { note, attributes } of drift) {
    yield* block(
      `Changed on the platform: ${attributes.map(({ path }) => path.join('.')).join(', ')}. ${note}`,
      '  ',
      columns,
    );
  }
  if (change === undefined) {
    yield on_platform === undefined
      ? '  Nothing since the last apply. The platform was not read (--refresh).'
      : '  Nothing. The platform was read, and nothing needs a change.';
    return;
  }
  const { actions, reason, reversibility, dangerous, notes, cause } = change;
  const causes = { request: ', caused by this request', pending: ', pending before this request' } as const;
  yield* block(
    `${actions.join(', ')}: ${reasonInWords(reason)}${cause === undefined ? '' : causes[cause]}`.replace(/\.?$/u, '.'),
    '  ',
    columns,
  );
  if (dangerous)
    yield* block(`Review this change: it ${listOf(dangersOf([change]).map(({ inWords }) => inWords))}.`, '  ', columns);
  yield* block(reversibilityWords[reversibility], '  ', columns);
  for (const note of notes) yield* block(`Note: ${note.replace(/\.$/u, '')}.`, '  ', columns);
  if (plain === true) for (const sentence of attributeSentences(change)) yield `    ${sentence}`;
  else yield* attributeLines(change, { columns, paint });
  for (const [place, { action, request, waits_for, held_by_it }] of steps.entries()) {
    yield `  ${place + 1}. ${safe(request ?? `${action}, in state only`)}`;
    if (waits_for.length > 0) yield* block(`waits for ${refs(waits_for)}`, '     ', columns);
    if (held_by_it.length > 0) yield* block(`before ${refs(held_by_it)}`, '     ', columns);
  }
}

const reversibilityWords = {
  reversible: 'Another apply can undo it.',
  lossy: 'Another apply can undo it, but something is lost.',
  irreversible: 'It cannot be undone.',
} as const;

function refs(all: readonly StepRef[]): string {
  const named = all.slice(0, maxNamed).map(({ id, action }) => `${action} (${id})`);
  return listOf(all.length > maxNamed ? [...named, `${all.length - maxNamed} more`] : named);
}

const removalWords: Readonly<Record<Removal, string>> = {
  deactivate: 'deactivated and kept in state',
  freeze: 'frozen and kept in state',
  retire: 'left on the platform as it is and kept in state',
  delete: 'deleted from the platform, which cannot be undone',
  erase: 'erased by a data request to the platform, which cannot be undone',
  forget: 'forgotten: it stays on the platform as it is and is no longer managed',
};

const fromWords = {
  removed: 'by its entry under removed',
  lifecycle: 'by its own lifecycle',
  state: 'by its lifecycle as last applied',
  policy: "by the policy's on_remove",
  default: 'by default',
} as const;

function* removal({ lifecycle, declared_at, in_state }: ObjectExplanation, columns: number, paint: Paint) {
  yield '';
  yield paint('bold', declared_at === undefined ? 'Now that its block is removed' : 'If its block were removed');
  const { on_remove, on_remove_from } = lifecycle;
  if (!in_state) yield '  Nothing. It is not in state.';
  else if (lifecycle.protected)
    yield* block('The plan is refused: it is protected (lifecycle: {protect: true}).', '  ', columns);
  else yield* block(`It is ${removalWords[on_remove]} (${fromWords[on_remove_from]}).`, '  ', columns);
}

/** A value on one line, with the number of entries if it is large. */
function inShort(value: JsonValue, columns: number): string {
  const size = isList(value) ? value.length : isObject(value) ? Object.keys(value).length : 0;
  const text = printValue(value);
  return text.length <= columns || size === 0
    ? clip(text, columns)
    : `${plural(size, 'entry', 'entries')}: ${clip(text, columns - 16)}`;
}

function* block(text: string, indent: string, columns: number): Generator<string> {
  for (const line of wrap(safe(text), columns - indent.length)) yield indent + line;
}
