// How the registered kinds read the answers of the platform, for the applier.
import type { AnswerReader } from '../../applier/step/options.ts';
import { readOfStored, shownValues } from '../../planner/live/stored-values.ts';
import { findKind } from '../../resources/index.ts';
import { usersIn, usersRead } from '../../resources/user/users-read.ts';

export const answerReader: AnswerReader = {
  readOf: (step) => {
    const kind = findKind(step.address);
    return kind === undefined ? undefined : readOfStored(kind, step);
  },
  compare: (step, request, answer) => {
    const kind = findKind(step.address);
    if (kind === undefined) return { entry: step.entry, differing: [], isAsSent: false };
    return shownValues(kind, step, request, answer);
  },
  usersRead,
  usersIn,
};
