// Determines colour, width and redaction of an output stream.
import { randomBytes } from 'node:crypto';
import { isAbsolute, relative, sep } from 'node:path';
import { jobFact } from '../../core/model/ci-systems.ts';
import { usage } from '../../core/model/errors.ts';
import { impersonalAttributes } from '../../core/resources/index.ts';
import { planFormats } from '../../core/view/index.ts';
import type { ViewOptions } from '../../core/view/text/options.ts';
import { type CommandEnvironment, type Output, usesColour } from '../process/environment.ts';
import type { OptionDefinition } from './command.ts';
import type { CommandInput } from './command-input.ts';
import { writesView } from './outputs.ts';

/** Less is too small for the parts that cannot be omitted. */
const leastBytes = 8_192;

/** One random key per run, so that equal values have equal tags within the run only. */
const keys = new WeakMap<CommandInput, string>();

export function viewOptions(input: CommandInput, environment: CommandEnvironment, output: Output): ViewOptions {
  return {
    ...(input.flag('plain') ? { plain: true } : {}),
    color: !input.flag('plain') && usesColour(environment, output, input.text('color') ?? 'auto'),
    width: output.width,
    typed: environment.typed,
    folder() {
      const folder = folderIn(environment);
      return folder === '' ? undefined : folder;
    },
    ...(output.isTerminal ? {} : { whole: true }),
    ...(input.flag('redact') ? { redactionKey: keyOf(input), impersonal: impersonalAttributes } : {}),
  };
}

/** CI systems set the folder of the checkout; the command may run below it. Empty for its root, undefined outside of it. */
export function folderIn({ env, cwd }: CommandEnvironment): string | undefined {
  const root = jobFact('checkout', env);
  if (root === undefined || !isAbsolute(root)) return undefined;
  const folder = relative(root, cwd).split(sep).join('/');
  return folder === '..' || folder.startsWith('../') || isAbsolute(folder) ? undefined : folder;
}

/** `viewOptions` for a plan. Refused (64) when --max-bytes is too small. */
export function planViewOptions(input: CommandInput, environment: CommandEnvironment, output: Output): ViewOptions {
  const maxBytes = maxBytesOf(input);
  return {
    ...viewOptions(input, environment, output),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  };
}

/** Undefined without the flag, and infinite for 0. Refused (64) when it is too small. */
export function maxBytesOf(input: CommandInput): number | undefined {
  const maxBytes = input.count('max-bytes');
  if (maxBytes === 0) return Number.POSITIVE_INFINITY;
  if (maxBytes !== undefined && maxBytes < leastBytes)
    throw usage(`--max-bytes is ${maxBytes}.`, `Use at least ${leastBytes}, or 0 for no limit.`);
  return maxBytes;
}

/** The share of one folder in a comment on several, by the command that joins them. It limits Markdown only. */
export function shareOf(input: CommandInput, format: string): Pick<ViewOptions, 'maxBytes'> {
  const maxBytes = format === 'markdown' ? input.count('markdown-share') : undefined;
  return maxBytes === undefined ? {} : { maxBytes };
}

function keyOf(input: CommandInput): string {
  const key = keys.get(input) ?? randomBytes(32).toString('hex');
  keys.set(input, key);
  return key;
}

export const redactFlag: OptionDefinition = {
  flags: '--redact',
  description: 'replace nicknames, names, data, metadata and URLs by a length and a tag',
};

/** For commands that publish their result to the pipeline around them. */
export const summaryFlag: OptionDefinition = {
  flags: '--summary <when>',
  description: 'append Markdown to the file in GITHUB_STEP_SUMMARY, if it is set',
  choices: ['auto', 'never'],
  default: 'auto',
};

export const viewFlags: readonly OptionDefinition[] = [
  {
    flags: '--format <format>',
    description: 'output format of the plan',
    choices: Object.keys(planFormats),
    default: 'human',
  },
  {
    flags: '--write <format=file...>',
    description: 'also write the plan to files, for example markdown=plan.md html=plan.html',
    writes: writesView,
  },
  {
    flags: '--state-page <file>',
    description: 'the page of chatform state html, to which HTML pages of the plan link',
  },
  redactFlag,
  { flags: '--max-bytes <bytes>', description: 'maximum size of an output (0: no limit; default for markdown: 65536)' },
];

/** Refused (64) when a plan is to be signed that is not saved. A variable may be set for other commands of a job. */
export function demandOutToSign(input: CommandInput): void {
  const isTyped = input.text('sign-command') !== undefined && input.variableOf('sign-command') === undefined;
  if (isTyped && input.text('out') === undefined)
    throw usage('--sign-command needs --out.', 'Add --out FILE, or remove --sign-command.');
}
