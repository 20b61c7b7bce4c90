// How is a run's end told that went wrong? What happened, what it means, what to do next.
import { InternalError, Refusal } from '../model/errors.ts';
import { wrap } from './layout.ts';
import type { ViewOptions } from './options.ts';
import { painter } from './paint.ts';
import { safe, safeJson, safeLines } from './text.ts';

const maxProseColumns = 100;

export function* renderError(error: Error, options: ViewOptions): Generator<string> {
  const paint = painter(options.color);
  const columns = Math.min(options.width, maxProseColumns);
  if (error instanceof Refusal) {
    yield `${paint(['bold', 'red'], `error[${error.code}]`)}${paint('bold', `: ${safe(error.message)}`)}\n`;
    for (const line of wrap(safe(error.advice), columns - 4)) yield `    ${line}\n`;
    return;
  }
  yield `${paint(['bold', 'red'], 'error[internal]')}${paint('bold', ': chatform has met a bug of its own.')}\n`;
  const advice =
    'What was done so far is in the state. Please report this with what follows; look through it first, it may hold names.';
  for (const line of wrap(advice, columns - 4)) yield `    ${line}\n`;
  for (const line of safeLines(error.stack ?? error.message)) yield `    ${paint('dim', line)}\n`;
  const { cause } = error;
  if (cause instanceof Error)
    for (const line of safeLines(`caused by ${cause.stack ?? cause.message}`)) yield `    ${paint('dim', line)}\n`;
}

export function errorAsJson(error: Error): string {
  const told =
    error instanceof Refusal
      ? { code: error.code, message: error.message, advice: error.advice, diagnostics: error.diagnostics }
      : { code: error instanceof InternalError ? 'internal' : 'unexpected', message: error.message, advice: '' };
  return `${safeJson({ error: told })}\n`;
}
