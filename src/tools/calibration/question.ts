// A question finds out one behaviour from the answers to a few calls. Each value of the behaviour is a hypothesis that predicts the
// answers. A value is decided if it is the only one whose prediction holds.
import type { BehaviourName, BehaviourResult, BehaviourValue } from '../../core/model/behaviours.ts';
import type { ScratchCall } from './calls.ts';
import type { Laboratory, Reply } from './laboratory.ts';

/** Whether the observation is what a platform with this value shows. */
export type Prediction<Observation> = (observation: Observation) => boolean;

/** The hypotheses of a behaviour by value. `true` and `false` are written as texts. */
export type Hypotheses<Observation> = Readonly<Record<string, Prediction<Observation>>>;

export interface Replies {
  /** The answers to `asks`, in their order. */
  readonly answers: readonly Reply[];
  /** The answers to `makes`. */
  readonly made: readonly Reply[];
}

export interface Question {
  readonly reading: BehaviourName;
  /** Behaviours without which this one cannot be found out. */
  readonly needs?: Partial<Readonly<Record<BehaviourName, readonly BehaviourValue[]>>>;
  /** Calls that must succeed first. */
  readonly makes?: readonly ScratchCall[];
  /** Milliseconds to wait before asking, because the platform may store or count with a delay. */
  readonly waitMs?: number;
  /** A function is asked for the next call after each answer, with the answers so far. */
  readonly asks:
    | readonly ScratchCall[]
    | ((made: readonly Reply[], answers: readonly Reply[]) => Iterable<ScratchCall>);
  /** What each value predicts; for a number, the hypotheses that the answers to `makes` suggest. */
  readonly hypotheses: Hypotheses<Replies> | ((made: readonly Reply[]) => Hypotheses<Replies>);
  /** Why nothing can be decided from these answers, if that is known. */
  readonly obstacle?: (replies: Replies) => string | undefined;
}

export type Results = Partial<Record<BehaviourName, BehaviourResult>>;

export async function ask(question: Question, lab: Laboratory, known: Results): Promise<BehaviourResult> {
  const { reading, needs = {}, makes = [], waitMs = 0, asks, hypotheses, obstacle } = question;
  for (const [name, values] of Object.entries(needs)) {
    const value = decidedValue(known, name as BehaviourName);
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
  for (const line of typeof asks === 'function' ? asks(made, answers) : asks) answers.push(await lab.call(line));
  const evidence = answers.map(outcome).join(', ');
  if (answers.some(({ isRepeated }) => isRepeated)) return { undecided: `a response was lost: ${evidence}` };
  const because = obstacle?.({ answers, made });
  if (because !== undefined) return { undecided: because };
  const predictions = typeof hypotheses === 'function' ? hypotheses(made) : hypotheses;
  return decideAmong(reading, predictions, { answers, made }, evidence);
}

/** Decides for the only hypothesis whose prediction holds. */
export function decideAmong<Observation>(
  reading: BehaviourName,
  hypotheses: Hypotheses<Observation>,
  observation: Observation,
  evidence: string,
): BehaviourResult {
  const [value, ...others] = Object.keys(hypotheses).filter((name) => hypotheses[name]?.(observation) === true);
  if (value === undefined) return { undecided: `no known behaviour of ${reading} fits: ${evidence}` };
  if (others.length > 0) return { undecided: `${[value, ...others].join(' and ')} fit alike: ${evidence}` };
  return { value: namedValue(value), evidence };
}

function namedValue(name: string): BehaviourValue {
  if (name === 'true' || name === 'false') return name === 'true';
  return /^\d+$/u.test(name) ? Number(name) : name;
}

/** `POST /users → 400105`. */
function outcome({ route, code, status }: Reply): string {
  return `${route} → ${code === 0 ? status : code}`;
}

function decidedValue(known: Results, name: BehaviourName): BehaviourValue | undefined {
  const result = known[name];
  return result !== undefined && 'value' in result ? result.value : undefined;
}

/** The last answer has one of these codes; 0 stands for a success. */
export function answeredWith(...codes: readonly number[]): Prediction<Replies> {
  return ({ answers }) => codes.includes(answers.at(-1)?.code ?? -1);
}

/** A question that the code of its only answer decides. */
export function coded(reading: BehaviourName, codes: Readonly<Record<string, number>>, line: ScratchCall): Question {
  return { reading, asks: [line], hypotheses: predictedCodes(codes) };
}

export function predictedCodes(codes: Readonly<Record<string, number>>): Hypotheses<Replies> {
  return Object.fromEntries(Object.entries(codes).map(([value, code]) => [value, answeredWith(code)]));
}

/** The first answer is a success whose body shows this. */
export function shows(test: (body: Reply['body']) => boolean): Prediction<Replies> {
  return ({ answers: [answer] }) => answer?.code === 0 && test(answer.body);
}
