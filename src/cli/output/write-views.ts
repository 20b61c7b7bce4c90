// Writes the files of --write.
import { dirname, relative, resolve, sep } from 'node:path';
import { saveOutput } from '../../core/app/context/output-files.ts';
import { usage } from '../../core/model/errors.ts';
import type { Plan } from '../../core/model/plan.ts';
import { type PlanFormatName, planFormatNames, printPlan } from '../../core/view/index.ts';
import type { ViewOptions } from '../../core/view/text/options.ts';
import type { CommandInput } from '../flags/command-input.ts';
import { kindOfView } from '../flags/outputs.ts';
import { shareOf } from '../flags/view-options.ts';
import type { CommandEnvironment } from '../process/environment.ts';

interface ViewFile {
  readonly format: PlanFormatName;
  readonly file: string;
}

/** The width of text in files, which have no terminal. */
const fileWidth = 120;

/** Refused (64), before anything is written, when a value is not FORMAT=FILE. */
export function viewFilesOf(input: CommandInput): readonly ViewFile[] {
  return input.list('write').map((text) => {
    const [name, ...rest] = text.split('=');
    const format = planFormatNames.find((known) => known === name);
    const file = rest.join('=');
    if (format !== undefined && file !== '') return { format, file };
    throw usage(
      `--write has the value "${text}", which is not FORMAT=FILE.`,
      `For example: --write markdown=plan.md html=plan.html. The formats are ${planFormatNames.join(', ')}. Put paths of manifests before --write.`,
    );
  });
}

/** Only the owner may read the files, because they contain names and metadata unless redacted. */
export async function writeViews(
  files: readonly ViewFile[],
  plan: Plan,
  options: ViewOptions,
  input: CommandInput,
  environment: CommandEnvironment,
): Promise<void> {
  for (const { format, file } of files) {
    const forFile = {
      ...options,
      ...linking(input, environment, dirname(file)),
      ...shareOf(input, format),
      color: false,
      width: fileWidth,
    };
    const pieces = await printPlan(format, plan, { ...forFile, whole: true });
    await saveOutput(kindOfView(format), environment.cwd, file, pieces);
  }
}

/** The address of --state-page for a page in `folder`. */
export function linking(
  input: CommandInput,
  { cwd }: CommandEnvironment,
  folder: string,
): Pick<ViewOptions, 'statePage'> {
  const page = input.text('state-page');
  if (page === undefined) return {};
  const path = relative(resolve(cwd, folder), resolve(cwd, page));
  // A colon in the first part would make it a scheme.
  return { statePage: path.split(sep).map(encodeURIComponent).join('/') };
}
