// Checks whether a migration is ready for its last window, estimates the window, and certifies the migration.
import { posix, resolve } from 'node:path';
import type { ApprovalOptions } from '../../app/approvals/declared-approvals.ts';
import { stateBeside } from '../../app/context/default-state.ts';
import type { Ports } from '../../app/context/ports.ts';
import { loadDeclared } from '../../app/opening/load-declared.ts';
import { signedCertificate } from '../../app/signing/signed-file.ts';
import type { Certificate, CutoverCheck, CutoverState, RehearsedPhase } from '../../model/migration/cutover.ts';
import {
  type CheckedCertificate,
  certificateFile,
  checkCertificate,
  notReady,
  writeCertificate,
} from './cutover/certificate.ts';
import { type CutoverOptions, type ReadFacts, readFacts } from './cutover/facts.ts';
import { checksOf } from './cutover/readiness.ts';
import { rehearsePhases } from './cutover/rehearsal.ts';
import { visibilityChecks } from './cutover/visibility.ts';
import { estimateWindow } from './cutover/window.ts';

/**
 * The place of the state next to the manifests of the folder. Undefined if they declare a place, if the working folder has a state
 * itself, or neither has.
 */
export async function stateOfFolder(folder: string, ports: Ports): Promise<string | undefined> {
  const { statePlace } = await loadDeclared([folder], ports, { isForSettings: true });
  if (statePlace !== undefined) return undefined;
  const place = stateBeside(folder, ports.cwd);
  return place === undefined ? undefined : `file:${place}`;
}

/** Reads files and state, and of the platform two settings if a token is set or it is an emulator. Refused (8) after an interrupt. */
export async function readCutover(options: CutoverOptions, ports: Ports): Promise<CutoverState> {
  const facts = await readFacts(options, ports);
  const { application, runs, applies } = facts;
  const window = estimateWindow(facts);
  return {
    application,
    runs,
    applies,
    checks: await allChecks(facts, ports),
    ...(window === undefined ? {} : { window }),
  };
}

/** Everything that can block a cutover: `cutover` prints it, and a certificate is written only without its blocking points. */
async function allChecks(facts: ReadFacts, ports: Ports): Promise<CutoverCheck[]> {
  return [...checksOf(facts), ...(await visibilityChecks(facts, ports))];
}

/** Refused when something is missing (5), when the export changed since the conversion (6), or when the signer fails (1). */
export async function certifyCutover(
  { signCommand, ...options }: CutoverOptions & { readonly signCommand?: string | undefined },
  ports: Ports,
): Promise<Certificate> {
  const facts = await readFacts(options, ports);
  return writeCertificate(resolve(ports.cwd, options.folder), facts, await allChecks(facts, ports), signCommand, ports);
}

export interface CheckCutoverOptions extends ApprovalOptions {
  readonly folder: string;
  readonly verifyCommand?: string | undefined;
}

/**
 * Refused (6) when the certificate, or a file that it names, was changed, and with `requireSignature` without the signature of a
 * signer (5, 6). Reads only files.
 */
export async function checkCutover(
  { folder, verifyCommand, requireSignature = false, approvalsFrom, approvalsRef }: CheckCutoverOptions,
  ports: Ports,
): Promise<CheckedCertificate> {
  const checked = await checkCertificate(resolve(ports.cwd, folder), verifyCommand, ports);
  if (!requireSignature) return checked;
  const [{ approvalsIn, nobodySigns }, { demandSigner }] = await Promise.all([
    import('../../app/approvals/declared-approvals.ts'),
    import('../../app/signing/signers.ts'),
  ]);
  const policy = await approvalsIn({ approvalsFrom, approvalsRef }, [folder], ports);
  if (policy === undefined) {
    const need = 'The certificate is to be signed: --require-signature is set.';
    throw nobodySigns(need, [approvalsFrom ?? folder], approvalsRef);
  }
  const file = posix.join(folder, certificateFile);
  const signer = await demandSigner(signedCertificate, file, Buffer.from(checked.text), policy, ports);
  return { ...checked, signature: 'verified', signer };
}

/** Sends and changes nothing, and needs no token. Refused without a series (5). */
export async function rehearseCutover(options: CutoverOptions, ports: Ports): Promise<RehearsedPhase[]> {
  const facts = await readFacts(options, ports);
  if (facts.runs.length === 0) throw notReady(checksOf(facts).slice(0, 1));
  return rehearsePhases(facts.runs, estimateWindow(facts)?.lines.bound ?? 0, options, ports);
}
