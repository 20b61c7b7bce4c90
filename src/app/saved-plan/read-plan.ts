// Reads saved plans.
import { constants } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Collect } from '../../lib/series.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { Plan } from '../../model/plan.ts';
import { OtherLayout, PlanFileReader, whyOtherwise } from '../../planner/plan-file/reader.ts';

const pieceBytes = 1 << 20;

/** `collect`: what keeps its steps and changes. Refused (6) when it is no plan, or not as it was saved. */
export async function readPlan(file: string, cwd: string, collect: Collect): Promise<Plan> {
  const path = resolve(cwd, file);
  const reader = new PlanFileReader(file, collect);
  try {
    for await (const piece of createReadStream(path, { encoding: 'utf8', highWaterMark: pieceBytes })) {
      reader.add(piece);
    }
    return reader.end();
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    throw cause instanceof OtherLayout ? whyOtherwise(await shortText(path), file) : await unreadable(file, cause);
  }
}

/** As printPlanFile begins one; whether it is whole is found out by reading it. */
const beginning = '{"format_version":';

export async function beginsAsPlan(file: string, cwd: string): Promise<boolean> {
  const path = resolve(cwd, file);
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true) return false;
  const begun = createReadStream(path, { encoding: 'utf8', end: beginning.length - 1 });
  const pieces: string[] = await begun.toArray().catch(() => []);
  return pieces.join('') === beginning;
}

/** Undefined for a file that is longer than a text may be, and for what cannot be read a second time, as a pipe. */
async function shortText(path: string): Promise<string | undefined> {
  const found = await stat(path);
  return found.isFile() && found.size <= constants.MAX_STRING_LENGTH ? readFile(path, 'utf8') : undefined;
}

async function unreadable(file: string, cause: unknown): Promise<Refusal> {
  const { reasonOf } = await import('../../manifest/discover.ts');
  return new Refusal(
    'plan.unreadable',
    exitCode.conflict,
    `The plan file ${file} cannot be read: ${reasonOf(cause)}.`,
    'Make one with: chatform plan --out FILE',
    { cause },
  );
}
