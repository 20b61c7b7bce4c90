// The questions of chatform init on a terminal. A mistyped answer is asked for again, and the others are kept.
import { resolve } from 'node:path';
import { resolveApplication } from '../../core/app/context/application.ts';
import { readToken } from '../../core/app/context/token.ts';
import { Refusal, usage } from '../../core/model/errors.ts';
import { ratePlans } from '../../core/model/limits.ts';
import { stateForms } from '../../core/model/stores/places.ts';
import { safe } from '../../core/view/text/text.ts';
import { demandState, type InitializeOptions } from '../../tools/init/init.ts';
import type { CommandEnvironment } from '../process/environment.ts';

/** Asks for the values that no flag sets. Never asks for the token, because typing would show it. */
export async function askFor(options: InitializeOptions, environment: CommandEnvironment): Promise<InitializeOptions> {
  const { env, cwd, stderr } = environment;
  /** Undefined if nothing is typed. `check` refuses what cannot be the answer. */
  const ask = async (question: string, check: (answer: string) => unknown): Promise<string | undefined> => {
    for (;;) {
      const answer = (await environment.ask(question)).trim();
      if (answer === '') return undefined;
      try {
        await check(answer);
        return answer;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        stderr.write(`${safe(error.message)} ${safe(error.advice)}\n`);
      }
    }
  };
  const addressQuestion =
    'Application address, such as https://api-APP_ID.sendbird.com/v3 (Enter: the built-in emulator): ';
  const baseUrl =
    options.baseUrl ??
    (await ask(addressQuestion, (answer) => resolveApplication({ baseUrl: answer }, environment, undefined)));
  if (baseUrl === undefined) return options;
  const ratePlan =
    options.ratePlan ?? (await ask(`Rate plan: ${ratePlans.join(', ')} (Enter: free_trial): `, demandRatePlan));
  const needsToken = !baseUrl.startsWith('emulator:') && (env.CHATFORM_API_TOKEN ?? '') === '';
  const file =
    needsToken && options.apiTokenFile === undefined
      ? await ask('File with its API token (Enter: none): ', (answer) =>
          readToken({ type: 'server', url: new URL(baseUrl), tokenFile: answer }, environment),
        )
      : undefined;
  const state = options.state ?? (await ask(`State: ${stateForms} (Enter: file:.chatform/state): `, demandState));
  return {
    ...options,
    baseUrl,
    ratePlan,
    state,
    apiTokenFile: options.apiTokenFile ?? (file === undefined ? undefined : resolve(cwd, file)),
  };
}

/** Refused (64) for another word. */
function demandRatePlan(ratePlan: string): void {
  if ((ratePlans as readonly string[]).includes(ratePlan)) return;
  throw usage(`${ratePlan} is not a rate plan.`, `Use one of ${ratePlans.join(', ')}.`);
}
