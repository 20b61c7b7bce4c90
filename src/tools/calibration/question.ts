// A question finds out one reading from the answers to a few calls.
import type { ReadingName, ReadingResult, ReadingValue } from '../../model/readings.ts';
import type { ScratchCall } from './calls.ts';
import type { Laboratory, Reply } from './laboratory.ts';

/** Undefined if the answers fit no known reading. A text says why nothing can be decided. */
export type Decision = ReadingValue | { readonly because: string } | undefined;

export interface Question {
  readonly reading: ReadingName;
  /** Readings without which this one cannot be found out. */
  readonly needs?: Partial<Readonly<Record<ReadingName, readonly ReadingValue[]>>>;
  /** Calls that must succeed first. */
  readonly makes?: readonly ScratchCall[];
  /** Milliseconds to wait before asking, because the platform may store or count with a delay. */
  readonly waitMs?: number;
  readonly asks: readonly ScratchCall[] | ((made: readonly Reply[]) => readonly ScratchCall[]);
  /** A pure function of the answers to `asks`, in their order, and of those to `makes`. */
  readonly decide: (answers: readonly Reply[], made: readonly Reply[]) => Decision;
}

export type Results = Partial<Record<ReadingName, ReadingResult>>;

export async function ask(question: Question, lab: Laboratory, known: Results): Promise<ReadingResult> {
  const { reading, needs = {}, makes = [], waitMs = 0, asks, decide } = question;
  for (const [name, values] of Object.entries(needs)) {
    const value = decidedValue(known, name as ReadingName);
    if (value === undefined) return { undecided: `${name} is not decided` };
    if (!values.includes(value)) return { undecided: `${name} is ${value}` };
  }
  const made: Reply[] = [];
  for (const line of makes) {
    const reply = await lab.call(line);
    // An earlier attempt of a repeated call may have taken effect.
    if (reply.code !== 0 && !reply.isRepeated) return { undecided: `${outcome(reply)}, which should succeed` };
    made.push(reply);
  }
  await lab.rest(waitMs);
  const answers: Reply[] = [];
  for (const line of typeof asks === 'function' ? asks(made) : asks) answers.push(await lab.call(line));
  const evidence = answers.map(outcome).join(', ');
  if (answers.some(({ isRepeated }) => isRepeated)) return { undecided: `a response was lost: ${evidence}` };
  const decision = decide(answers, made);
  if (typeof decision === 'object') return { undecided: decision.because };
  if (decision === undefined) return { undecided: `no known reading of ${reading} fits: ${evidence}` };
  return { value: decision, evidence };
}

/** `POST /users → 400105`. */
function outcome({ route, code, status }: Reply): string {
  return `${route} → ${code === 0 ? status : code}`;
}

export function decidedValue(known: Results, name: ReadingName): ReadingValue | undefined {
  const result = known[name];
  return result !== undefined && 'value' in result ? result.value : undefined;
}

/** Decides by the code of the last answer; 0 stands for a success. */
export function byCode(values: Readonly<Record<number, ReadingValue>>): Question['decide'] {
  return (answers) => values[answers.at(-1)?.code ?? -1];
}

/** A question that the code of its only answer decides. */
export function coded(
  reading: ReadingName,
  values: Readonly<Record<number, ReadingValue>>,
  line: ScratchCall,
): Question {
  return { reading, asks: [line], decide: byCode(values) };
}

/** Decides by the body of the first answer, which must be a success. */
export function byBody(decide: (body: Reply['body']) => Decision): Question['decide'] {
  return ([answer]) => (answer?.code === 0 ? decide(answer.body) : undefined);
}
