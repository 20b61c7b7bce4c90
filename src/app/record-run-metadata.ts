// What does a run tell state about itself before its first step?
import type { Plan } from '../model/plan.ts';
import type { StateWriter } from '../model/ports.ts';
import { entryAddress } from '../model/record.ts';

/**
 * What was loaded, and which acknowledgements are made use of: durable before anything is done, so that a run which is
 * interrupted at once is met as what it was by the next one.
 */
export async function recordRunMetadata({ bookkeeping }: Pick<Plan, 'bookkeeping'>, state: StateWriter): Promise<void> {
  for (const entry of bookkeeping ?? []) await state.done(entryAddress(entry), entry);
}
