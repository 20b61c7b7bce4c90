// Bursts: many calls at once that show how the platform counts calls.
//
// An admitted call proves that there was room, whatever other clients do. A refused call proves less: another client may have used
// the room, or the plan may be smaller than declared. So a refusal counts as evidence only where headers name the limit that
// refused it, or where the number of admitted calls is exactly the predicted one, several times, and calls that only another cause
// would refuse are admitted.
import type { ScratchCall } from './calls.ts';
import type { Laboratory, Shot } from './laboratory.ts';

/** A larger limit is not exceeded. */
export const mostExceeded = 20;

/** How often a burst is sent again after a response was lost. */
const mostRepeats = 3;

export interface Burst {
  readonly startedAt: number;
  readonly sent: number;
  readonly admitted: number;
  readonly shots: readonly Shot[];
}

/** Undefined if a response was lost each time, so that it is unknown how many calls were admitted. */
export async function sendBurst(
  lab: Laboratory,
  lines: readonly ScratchCall[],
  phase: number,
): Promise<Burst | undefined> {
  for (let repeats = 0; repeats < mostRepeats; repeats += 1) {
    const shots = await lab.burst(lines, phase);
    if (shots.some(isLost)) continue;
    const admitted = shots.filter(isAdmitted).length;
    return { startedAt: shots[0]?.sentAt ?? 0, sent: shots.length, admitted, shots };
  }
  return undefined;
}

/** Sends a burst several times, at different phases of the window. */
export async function sendBursts(
  lab: Laboratory,
  lines: readonly ScratchCall[],
  times: number,
): Promise<readonly Burst[] | undefined> {
  const bursts: Burst[] = [];
  while (bursts.length < times) {
    const burst = await sendBurst(lab, lines, 0.35 * bursts.length);
    if (burst === undefined) return undefined;
    bursts.push(burst);
  }
  return bursts;
}

export const lostResponses = 'responses were lost';

export function isAdmitted({ answer }: Shot): boolean {
  return answer.type !== 'limited';
}

function isLost({ answer }: Shot): boolean {
  return answer.type === 'unknown' || answer.type === 'unsent';
}

/** Whether each burst admitted this many calls. */
export function allAdmit(bursts: readonly Burst[], count: number): boolean {
  return bursts.every(({ admitted }) => admitted === count);
}

/** Whether each burst admitted all of its calls. */
export function allWhole(bursts: readonly Burst[]): boolean {
  return bursts.every(({ admitted, sent }) => admitted === sent);
}

/** Whether answers state limits. */
export function hasHeaders(bursts: readonly Burst[]): boolean {
  return bursts.some(({ shots }) => shots.some(({ answer }) => answer.rate !== undefined));
}

/** Whether a call was refused, and every refusal states this limit. */
export function isRefusedBy(bursts: readonly Burst[], calls: number): boolean {
  const refused = bursts.flatMap(({ shots }) => shots.filter((shot) => !isAdmitted(shot)));
  return refused.length > 0 && refused.every(({ answer }) => answer.rate?.calls === calls);
}

/** `6 × POST …/invite at once → 5 and 5 admitted`. */
export function inWords(what: string, bursts: readonly Burst[]): string {
  const [first] = bursts;
  return `${first?.sent ?? 0} × ${what} at once → ${bursts.map(({ admitted }) => admitted).join(' and ')} admitted`;
}
