// The report of chatform calibrate: for people, and as Markdown to attach to an issue.

import { listOf, plural, printDuration, printNumber } from '../../../lib/words.ts';
import {
  type BehaviourName,
  type BehaviourResult,
  type BehavioursFile,
  behavioursFileName,
  questionOf,
} from '../../model/behaviours.ts';
import { cell } from '../markdown/text.ts';
import { safe } from '../text/text.ts';

/** The content of a report, apart from the behaviours. */
export interface CalibrationFigures {
  readonly calls: number;
  readonly durationMs: number;
  readonly file: string;
  readonly left: readonly { readonly kind: string; readonly id: string }[];
}

/** The objects that a calibration is about to create, for the prompt. */
export interface CalibrationPlan {
  readonly application: string;
  readonly nameSpace: string;
  readonly objects: Readonly<Record<string, number>>;
  readonly leftovers: number;
  readonly cost: { readonly calls: number; readonly seconds: number };
}

const kinds: Readonly<Record<string, string>> = {
  user: 'user',
  group_channel: 'group channel',
  open_channel: 'open channel',
  settings: 'set of settings of a custom type',
};

export function intentInWords({ application, nameSpace, objects, leftovers, cost }: CalibrationPlan): string {
  const made = Object.entries(objects).map(([kind, count]) =>
    plural(count, kinds[kind] ?? kind, kind === 'settings' ? 'sets of settings of custom types' : undefined),
  );
  const before = leftovers === 0 ? '' : `It first removes ${plural(leftovers, 'object')} left by an interrupted run.\n`;
  return `chatform calibrate will measure ${safe(application)}.
${before}It creates at most ${listOf(made)}.
Their names begin with ${nameSpace}. It removes them at the end.
It needs at most ${plural(cost.calls, 'call')}, and takes about ${printDuration(Math.ceil(cost.seconds / 5) * 5)}, or more if other clients use the application.
It also counts the users of the application, and changes nothing else. Use a test application.
`;
}

export function* calibrationForPeople(
  { application, date, behaviours }: BehavioursFile,
  figures: CalibrationFigures,
): Generator<string> {
  const results = Object.entries(behaviours) as [BehaviourName, BehaviourResult][];
  const undecided = results.flatMap(([name, result]) =>
    'undecided' in result ? [[name, result.undecided] as const] : [],
  );
  yield `\nBehaviour of ${safe(application)}, ${date}\n\n`;
  for (const [name, result] of results)
    if ('value' in result) yield `  ${`${questionOf(name)}:`.padEnd(52)} ${safe(String(result.value))}\n`;
  if (undecided.length > 0) yield '\nNot decided:\n\n';
  for (const [name, because] of undecided) yield `  ${questionOf(name)}: ${safe(because)}\n`;
  yield `\n${printNumber(figures.calls)} calls in ${printDuration(figures.durationMs / 1000)}. Written to ${safe(figures.file)}. ${usesOf(figures.file)}\n`;
  yield* leftInWords(figures);
}

/** Only a file of the usual name is looked for. */
function usesOf(file: string): string {
  const isFound = file.split(/[\\/]/u).at(-1) === behavioursFileName;
  const use = isFound
    ? 'plan, apply and rehearse use it if it is beside the manifests or in their working folder.'
    : `plan, apply and rehearse use only a file named ${behavioursFileName}.`;
  return `${use} chatform emulator --behaviours FILE answers like it.`;
}

export function* calibrationAsMarkdown(file: BehavioursFile, figures: CalibrationFigures): Generator<string> {
  const { application, date, chatform, behaviours } = file;
  yield `# Behaviour of \`${cell(application)}\`\n\n`;
  yield `${date}, chatform ${cell(chatform)}, ${printNumber(figures.calls)} calls.\n\n`;
  yield '| Name | Question | Answer | Evidence |\n|---|---|---|---|\n';
  for (const [name, result] of Object.entries(behaviours)) {
    const [answer, evidence] =
      'value' in result ? [`\`${cell(String(result.value))}\``, result.evidence] : ['not decided', result.undecided];
    yield `| \`${name}\` | ${questionOf(name as BehaviourName)} | ${answer} | ${cell(evidence)} |\n`;
  }
  yield* leftInWords(figures);
}

function* leftInWords({ left }: CalibrationFigures): Generator<string> {
  if (left.length === 0) return;
  yield `\nThe platform refuses to remove ${listOf(left.map(({ kind, id }) => `${kind.replace('_', ' ')} ${safe(id)}`))}. The next run tries again.\n`;
}
