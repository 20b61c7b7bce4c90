// Is this file a plan, and which one?
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Refusal } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';
import type { Plan } from '../model/plan.ts';
import { readPlanFile } from '../planner/plan-file.ts';

export async function readPlan(file: string, cwd: string): Promise<Plan> {
  let text: string;
  try {
    text = await readFile(resolve(cwd, file), 'utf8');
  } catch (cause) {
    throw new Refusal(
      'plan.unreadable',
      exitCode.conflict,
      `The plan file ${file} cannot be read.`,
      'Make one with: chatform plan --out FILE',
      { cause },
    );
  }
  return readPlanFile(text, file);
}
