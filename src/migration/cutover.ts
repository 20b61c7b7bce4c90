// Checks whether a migration is ready for its last window, estimates the window, and certifies the migration.
import { posix, resolve } from 'node:path';
import type { ApprovalOptions } from '../core/app/approvals/approval.ts';
import { reachOf } from '../core/app/context/connect.ts';
import { stateBeside } from '../core/app/context/default-state.ts';
import type { Ports } from '../core/app/context/ports.ts';
import { loadDeclared } from '../core/app/opening/load-declared.ts';
import { signedCertificate } from '../core/app/signing/signed-file.ts';
import { checkVisibility, notKnown } from '../core/app/visibility/visibility.ts';
import type { Certificate, CutoverCheck, CutoverState, RehearsedPhase } from '../core/model/migration/cutover.ts';
import {
  type CheckedCertificate,
  certificateFile,
  checkCertificate,
  notReady,
  writeCertificate,
} from './cutover/certificate.ts';
import { type CutoverOptions, type ReadFacts, readFacts } from './cutover/facts.ts';
import { moveOf } from './cutover/move.ts';
import { blocking, type CutoverFacts, checksOf } from './cutover/readiness.ts';
import { rehearsePhases } from './cutover/rehearsal.ts';
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
  const facts = await readWithVisibility(options, ports);
  const { application, runs, applies } = facts;
  const window = estimateWindow(facts);
  const move = await moveOf(resolve(ports.cwd, options.folder), facts);
  return {
    application,
    runs,
    applies,
    checks: checksOf(facts),
    ...(move === undefined ? {} : { move }),
    ...(window === undefined ? {} : { window }),
  };
}

async function readWithVisibility(options: CutoverOptions, ports: Ports): Promise<ReadFacts> {
  const facts = await readFacts(options, ports);
  return { ...facts, visibility: await readVisibility(facts, ports) };
}

/** Refused when a point blocks (5), or when the signer fails (1). */
export async function certifyCutover(
  { signCommand, ...options }: CutoverOptions & { readonly signCommand?: string | undefined },
  ports: Ports,
): Promise<Certificate> {
  const facts = await readWithVisibility(options, ports);
  return writeCertificate(resolve(ports.cwd, options.folder), facts, checksOf(facts), signCommand, ports);
}

export interface CheckCutoverOptions extends ApprovalOptions, CutoverOptions {
  readonly verifyCommand?: string | undefined;
}

/**
 * Refused (6) when the certificate, or a file that it names, was changed, and with `requireSignature` without the signature of a
 * signer (5, 6). Reads only files: `checks` names the points that need more.
 */
export async function checkCutover(
  { verifyCommand, requireSignature = false, approvalsFrom, approvalsRef, ...options }: CheckCutoverOptions,
  ports: Ports,
): Promise<CheckedCertificate & { readonly checks: readonly CutoverCheck[] }> {
  const { folder } = options;
  const certified = await checkCertificate(resolve(ports.cwd, folder), verifyCommand, ports);
  const checked = { ...certified, checks: checksOf(await readFacts(options, ports, true)) };
  if (!requireSignature) return checked;
  const [{ judgingRules, nobodySigns }, { demandSigner }] = await Promise.all([
    import('../core/app/opening/judging-policy.ts'),
    import('../core/app/signing/signers.ts'),
  ]);
  const { declared } = await judgingRules({ approvalsFrom, approvalsRef }, { paths: [folder] }, ports);
  const approvals = declared?.policy.approvals;
  if (approvals === undefined) {
    const need = 'The certificate is to be signed: --require-signature is set.';
    throw nobodySigns(need, { path: approvalsFrom ?? folder }, approvalsRef);
  }
  const file = posix.join(folder, certificateFile);
  const signer = await demandSigner(signedCertificate, file, Buffer.from(checked.text), approvals, ports);
  return { ...checked, signature: 'verified', signer };
}

/** Sends and changes nothing, and needs no token. Refused without a series (5). */
export async function rehearseCutover(options: CutoverOptions, ports: Ports): Promise<RehearsedPhase[]> {
  const facts = await readFacts(options, ports);
  if (facts.runs.length === 0) throw notReady(blocking(checksOf(facts)).slice(0, 1));
  return rehearsePhases(facts.runs, estimateWindow(facts)?.lines.bound ?? 0, options, ports);
}

/** Refused (8) after an interrupt. */
async function readVisibility(
  { platform, resources, snapshot: state }: ReadFacts,
  ports: Ports,
): Promise<NonNullable<CutoverFacts['visibility']>> {
  const check = { resources, state, isWhole: true, behaviours: platform.decided, now: ports.clock.date() };
  return reachOf(platform, ports)(
    (ask) => checkVisibility(check, ask),
    (reason) => notKnown(check, reason),
  );
}
