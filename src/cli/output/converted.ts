// Shows what convert has done, and how far it is while it runs.
import { join } from 'node:path';
import type { ConvertProgress } from '../../app/convert.ts';
import type { ConvertResult } from '../../model/conversion.ts';
import { safe, safeJson } from '../../view/text.ts';
import { plural } from '../../view/words.ts';
import type { Environment } from '../environment.ts';

export function convertedAsJson(result: ConvertResult): string {
  return `${safeJson({ format_version: '1.0', ...result }, 2)}\n`;
}

/** `out` is the folder as it was given. */
export function* convertedForPeople(result: ConvertResult, out: string): Generator<string> {
  const { users, channels, messages, outcomes, undecided } = result;
  const objects = `${plural(users, 'user')}, ${plural(channels, 'channel')} and ${plural(messages, 'message')}`;
  yield `Wrote ${objects} to ${safe(out)}\n`;
  yield `Lines of the export: ${outcomes.carried} carried, ${outcomes.changed} changed, ${outcomes.left_out} left out. See ${safe(join(out, 'conversion/report.md'))}\n`;
  for (const { code, count } of undecided) yield `! ${plural(count, 'line')} left out without a decision: ${code}\n`;
  if (undecided.length > 0) yield `Decide in ${safe(join(out, 'conversion/decisions.yaml'))}, and convert again.\n`;
}

const everyMs = { terminal: 500, plain: 10_000 };

/** Redraws one line on a terminal; elsewhere writes a line now and then. */
export function convertProgress({ stderr, clock }: Environment): {
  show(progress: ConvertProgress): void;
  end(): void;
} {
  const started = clock.now();
  let shownAt = started;
  let isShown = false;
  return {
    show: ({ bytes, totalBytes, items }) => {
      const now = clock.now();
      if (now - shownAt < (stderr.isTerminal ? everyMs.terminal : everyMs.plain)) return;
      shownAt = now;
      const seconds = (now - started) / 1000;
      const left = bytes === 0 ? 0 : Math.ceil((seconds * Math.max(0, totalBytes - bytes)) / bytes);
      const share = totalBytes === 0 ? 100 : Math.min(100, Math.floor((100 * bytes) / totalBytes));
      const text = `${share} %, ${plural(items, 'line')}, ${Math.round(items / seconds)}/s, ${left} s left`;
      stderr.write(stderr.isTerminal ? `\r\u001b[K${text}` : `${text}\n`);
      isShown = true;
    },
    end: () => {
      if (isShown && stderr.isTerminal) stderr.write('\r\u001b[K');
    },
  };
}
