// The flags of every command that shows a plan.
import { planFormats } from '../../view/index.ts';
import type { OptionDefinition } from './command.ts';

export const redactFlag: OptionDefinition = {
  flags: '--redact',
  description: 'show nicknames, names, data, metadata and URLs as a length and a tag',
};

/** For commands that publish their result to the pipeline around them. */
export const summaryFlag: OptionDefinition = {
  flags: '--summary <when>',
  description: 'append Markdown to the file GITHUB_STEP_SUMMARY where that is set',
  choices: ['auto', 'never'],
  default: 'auto',
};

export const viewFlags: readonly OptionDefinition[] = [
  {
    flags: '--format <format>',
    description: 'how the plan is shown',
    choices: Object.keys(planFormats),
    default: 'human',
  },
  { flags: '--write <format=file...>', description: 'also write it to files, as markdown=plan.md html=plan.html' },
  redactFlag,
  { flags: '--max-bytes <bytes>', description: 'the most that an output may take (markdown: 65536)' },
];
