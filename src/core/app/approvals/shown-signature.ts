// Who signed a saved plan that is shown, and whether an apply that needs a signature would accept this one (semantics §4.9).
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Refusal } from '../../model/errors.ts';
import type { CheckedSignature } from '../../model/signing/signature.ts';
import type { Ports } from '../context/ports.ts';
import type { JudgingOptions } from '../opening/judging-policy.ts';
import { type SavedPlanFile, sameBytes, signatureOf, signedPlan } from '../signing/signed-file.ts';

/** `application` is the plan's. Undefined without a signature. Whatever is wrong with it is a part of the result, so that the plan can still be shown. */
export async function shownSignature(
  file: SavedPlanFile,
  { approvalsFrom, approvalsRef }: JudgingOptions,
  application: string,
  ports: Ports,
): Promise<CheckedSignature | undefined> {
  const beside = await stat(resolve(ports.cwd, signatureOf(file.name))).catch(() => undefined);
  if (beside?.isFile() !== true) return undefined;
  const [{ demandSigner }, { judgingRules, nobodySigns }] = await Promise.all([
    import('../signing/signers.ts'),
    import('../opening/judging-policy.ts'),
  ]);
  try {
    const { declared } = await judgingRules({ approvalsFrom, approvalsRef }, { application }, ports);
    const approvals = declared?.policy.approvals;
    if (approvals === undefined)
      throw nobodySigns(`${file.name} has a signature.`, { path: approvalsFrom, application }, approvalsRef);
    return {
      counts: true,
      ...(await demandSigner(signedPlan, file.name, await sameBytes(file, ports), approvals, ports)),
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { counts: false, code: error.code, message: error.message };
  }
}
