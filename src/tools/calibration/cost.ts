// The price of a calibration: how many calls it sends at most, and about how long they take.
import type { Method } from '../../model/request.ts';
import type { ScratchNames } from './calls.ts';
import { longestWindowS, type PlanLimits } from './limit-probes.ts';
import { foundation } from './object-questions.ts';
import { burstsOfPlanLimits } from './plan-limits-probe.ts';
import { questions } from './probe-table.ts';
import { burstsOfUserScope } from './user-scope-probe.ts';
import { burstsOfWindow } from './window-probe.ts';

/** What the first answer of the platform shows. */
export interface CostBasis {
  readonly limitOf: PlanLimits;
  readonly windowS: number;
  readonly hasHeaders: boolean;
  /** The objects that are removed at the end. */
  readonly objects: number;
}

export interface Cost {
  readonly calls: number;
  readonly seconds: number;
}

/** The rest around a burst, in windows. */
const burstWindows = 3.6;
/** The time of an answer, which calls in a row wait for. */
const answerS = 0.15;

/** An upper bound of the calls, if no response is lost. */
export function costOf(names: ScratchNames, { limitOf, windowS, hasHeaders, objects }: CostBasis): Cost {
  const lines = [
    ...foundation,
    ...questions.flatMap(({ makes = [], asks }) => [...makes, ...(typeof asks === 'function' ? asks([]) : asks)]),
  ];
  const methods = [...lines.map((line) => names.request(line).method), ...Array<Method>(objects).fill('DELETE')];
  const waitsS = questions.reduce((total, { waitMs = 0 }) => total + waitMs / 1000, 0);
  const pacedS = (['GET', 'POST', 'PUT', 'DELETE'] as const).reduce(
    (total, method) => total + (methods.filter((other) => other === method).length * windowS) / limitOf(method),
    0,
  );
  const bursts =
    windowS > longestWindowS
      ? []
      : [
          ...burstsOfWindow(limitOf('PUT'), hasHeaders),
          ...burstsOfPlanLimits(limitOf('PUT'), hasHeaders),
          ...burstsOfUserScope(limitOf('POST'), hasHeaders),
        ];
  const ofBursts = bursts.reduce((total, calls) => total + calls, 0);
  return {
    calls: methods.length + ofBursts,
    seconds: waitsS + Math.max(pacedS, methods.length * answerS) + bursts.length * windowS * burstWindows,
  };
}
