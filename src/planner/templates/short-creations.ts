// Makes the step, the change and the record of a creation again from its short text: a template's number and the texts that
// fill it.
import { digestText } from '../../lib/digest.ts';
import { InternalError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json.ts';
import { shortMark } from '../../lib/series.ts';
import { type Address, addressOf } from '../../model/address.ts';
import type { Change } from '../../model/change.ts';
import type { PlanTemplate } from '../../model/plan.ts';
import { digestOfRecord } from '../../model/record.ts';
import type { Phase, Step } from '../../model/step.ts';
import { TextTemplate } from './text-template.ts';
import { textOf, ValueTemplate } from './value-template.ts';

/** Separates the texts of a creation; none of them contains it, because JSON escapes control characters. */
const separator = '\t';
const noRecord = digestOfRecord(undefined);

interface Template {
  readonly kind: string;
  readonly phase: Phase;
  readonly step: ValueTemplate;
  readonly stepText: TextTemplate;
  readonly change: ValueTemplate;
  readonly record: TextTemplate;
}

/** `texts`: the key of the object comes first. They stand as in JSON, between the quotes. */
export function shortText(template: number, texts: readonly string[]): string {
  let text = shortMark + template;
  for (let place = 0; place < texts.length; place += 1) text += separator + texts[place];
  return text;
}

export class ShortCreations {
  readonly #templates: Template[] = [];

  /** Short texts count templates in the order in which they are added. */
  add({ kind, step, change, record }: PlanTemplate): void {
    this.#templates.push({
      kind,
      phase: (JSON.parse(step) as JsonObject).phase as Phase,
      step: new ValueTemplate(step),
      stepText: new TextTemplate(step),
      change: new ValueTemplate(change),
      record: new TextTemplate(record),
    });
  }

  readonly stepOf = (short: string): Step => this.#templateOf(short).step.filled(textsIn(short)) as unknown as Step;

  readonly changeOf = (short: string): Change =>
    this.#templateOf(short).change.filled(textsIn(short)) as unknown as Change;

  /** The digests of the record before and after the creation. */
  readonly preconditionOf = (short: string): readonly [Address, readonly string[]] => [
    this.#addressOf(short),
    [noRecord, digestText(this.#templateOf(short).record.filled(textsIn(short)))],
  ];

  stepTextOf(short: string): string {
    return this.#templateOf(short).stepText.filled(textsIn(short));
  }

  /** Where the step stands in a plan. */
  placeOf(short: string): Pick<Step, 'id' | 'address' | 'phase'> {
    const address = this.#addressOf(short);
    return { id: `${address}#1`, address, phase: this.#templateOf(short).phase };
  }

  kindOf(short: string): string {
    return this.#templateOf(short).kind;
  }

  /** Whether it is a short text of a known template: a plan file may hold anything. */
  isOne(text: string): boolean {
    return /^@\d{1,9}\t/u.test(text) && this.#templates[numberOf(text)] !== undefined;
  }

  #addressOf(short: string): Address {
    const start = short.indexOf(separator) + 1;
    const end = short.indexOf(separator, start);
    return addressOf(this.#templateOf(short).kind, textOf(short.slice(start, end === -1 ? undefined : end)));
  }

  #templateOf(short: string): Template {
    const template = this.#templates[numberOf(short)];
    if (template === undefined) throw new InternalError('a creation is without its template');
    return template;
  }
}

/** In half the time that `split` takes. */
function textsIn(short: string): readonly string[] {
  const texts: string[] = [];
  let start = short.indexOf(separator) + 1;
  for (;;) {
    const end = short.indexOf(separator, start);
    if (end === -1) break;
    texts.push(short.slice(start, end));
    start = end + 1;
  }
  texts.push(short.slice(start));
  return texts;
}

function numberOf(short: string): number {
  return Number(short.slice(shortMark.length, short.indexOf(separator)));
}
