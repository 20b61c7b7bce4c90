// Makes the calls of steps, one attempt each, and reads their answers as far as that needs no knowledge of kinds.
import { answerProblem } from '../../model/calls/answers.ts';
import { Refusal } from '../../model/errors.ts';
import type { Answer } from '../../model/ports.ts';
import type { ApiRequest } from '../../model/request.ts';
import type { Step } from '../../model/step.ts';
import type { RunTally } from '../report/tally.ts';
import type { ApplyPorts } from './options.ts';

export class StepSender {
  readonly #ports: ApplyPorts;
  readonly #tally: RunTally;
  readonly #leaseNeededMs: number;

  constructor(ports: ApplyPorts, tally: RunTally, leaseNeededMs: number) {
    this.#ports = ports;
    this.#tally = tally;
    this.#leaseNeededMs = leaseNeededMs;
  }

  /** Whether the lock on state outlasts another request. */
  hasLease(): boolean {
    return this.#ports.state.leaseLeft() >= this.#leaseNeededMs;
  }

  /**
   * Makes one attempt. A placeholder that cannot be filled counts as a refused answer. The lease is checked again when the
   * bytes leave, because the machine may have slept in between.
   */
  async send(step: Step, request: ApiRequest, takenAt: number, again: boolean): Promise<Answer> {
    const { platform, pacer, clock } = this.#ports;
    const sentAt = clock.now();
    try {
      const mayLeave = () => this.hasLease();
      const answer = await platform.send(request, {
        mayLeave,
        ...(step.sink === undefined ? {} : { sink: step.sink }),
      });
      const leftAt = Math.max(sentAt, answer.leftAt ?? sentAt);
      const now = clock.now();
      this.#tally.answered({ step, request, answer, again, tookMs: now - leftAt }, now);
      pacer.learn(request, { ...answer, leftAt }, takenAt);
      return answer.type === 'ok' ? asDocumented(step, request, answer, again) : answer;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      pacer.learn(request, { type: 'unsent', message: error.message }, takenAt);
      return { type: 'refused', status: 0, code: 0, message: `${error.message} ${error.advice}` };
    }
  }
}

/** An answer that does not show what its call documents proves nothing (semantics §5.1). */
function asDocumented(
  { expect }: Step,
  request: ApiRequest,
  answer: Extract<Answer, { type: 'ok' }>,
  again: boolean,
): Answer {
  const problem = answerProblem(request, answer.body);
  // The spelling is a conflict, and so is another object where the step expects that.
  if (problem === undefined || problem.type === 'spelling') return answer;
  if (problem.type === 'other' && expect !== undefined && request.method !== 'GET') return answer;
  if (problem.type === 'empty' && again) return answer;
  const { body: _body, type: _type, ...summary } = answer;
  return { ...summary, type: 'unknown', status: 200, message: `the answer 200 ${problem.text}`, isUnclear: true };
}
