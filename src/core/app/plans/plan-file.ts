// Reads and writes saved plans: a line that identifies the file, then the compressed text of the plan (planner/plan-file).
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { type BrotliOptions, constants, createBrotliCompress, createBrotliDecompress } from 'node:zlib';
import { RunningDigest } from '../../../lib/digest.ts';
import { InternalError } from '../../../lib/errors.ts';
import { piecesOf } from '../../../lib/path-streams.ts';
import type { Collect } from '../../../lib/series.ts';
import { foreignFormOf } from '../../../lib/tools/foreign-form.ts';
import { chatformCommand, pathArgument } from '../../../lib/tools/pasted-words.ts';
import { Refusal, usage } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { Plan, PlanAsRead } from '../../model/plan.ts';
import { beginsAsPlanText, planFileVersion, planTitle } from '../../planner/plan-file/layout.ts';
import { checksumOf, printPlanFile } from '../../planner/plan-file/print.ts';
import {
  editedPlan,
  notAPlan,
  OtherLayout,
  otherFormat,
  PlanFileReader,
  unprovenPlan,
} from '../../planner/plan-file/reader.ts';
import { provenPlan } from '../../planner/proof.ts';
import { registry } from '../../resources/index.ts';
import { sealBytes, unsealBytes } from '../../state/seal/sealed-stream.ts';
import { isSealed, type Sealer } from '../../state/seal/sealer.ts';
import { noteWords } from '../../view/text/notes.ts';
import { demandReplaceable, saveOutput } from '../context/output-files.ts';
import type { Ports } from '../context/ports.ts';
import { stateSealer } from '../context/state-key.ts';

const pieceBytes = 1 << 20;
const firstLine = `${planTitle}${planFileVersion}\n`;
/** The maximum length of a first line. */
const maxFirstLine = 64;
/** The context that an encrypted plan is bound to. */
const sealedPlace = 'plan';
/** A compression window of 4 MB spans the distance between a change and its step in all but the largest plans. */
const compression: BrotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 22 },
};

/**
 * Saves a plan for `chatform apply FILE`. Only the owner may read the file, because it contains names and metadata. With a
 * key of state it is encrypted. Refused (1) when `signCommand` does not sign the file; then nothing is written.
 */
export async function savePlan(
  plan: Plan,
  file: string,
  ports: Pick<Ports, 'env' | 'cwd'>,
  signCommand?: string,
): Promise<void> {
  const bytes = sealBytes(compressed(printPlanFile(plan)), sealedPlace, await stateSealer(ports));
  if (signCommand === undefined) return saveOutput('plan', ports.cwd, file, bytes);
  const { saveSigned, sign, signedPlan } = await import('../signing/signed-file.ts');
  await demandReplaceable('plan', ports.cwd, file);
  const content = Buffer.concat(await Readable.from(bytes).toArray());
  await saveSigned(signedPlan, ports.cwd, file, content, await sign(signedPlan, signCommand, content, ports));
}

async function* compressed(pieces: Iterable<string>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(firstLine);
  // An error destroys the last stream, whose reader then receives it.
  yield* pipeline(Readable.from(pieces), createBrotliCompress(compression), () => {});
}

/**
 * `collect` keeps the steps and changes. `digest` gets the bytes of the file. Refused (6) when the file is not a plan or was
 * edited.
 */
export async function readPlan(
  file: string,
  ports: Pick<Ports, 'env' | 'cwd'>,
  collect: Collect,
  digest = new RunningDigest(),
): Promise<Plan> {
  const path = resolve(ports.cwd, file);
  const sealer = await stateSealer(ports);
  const reader = new PlanFileReader(file, collect);
  try {
    for await (const piece of textOf(path, file, sealer, digest)) reader.add(piece);
    return proven(reader.end(), file, collect);
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    throw cause instanceof OtherLayout || isOfCompression(cause) ? editedPlan(file) : await unreadable(file, cause);
  }
}

/** Refused (6) unless the registry makes the same work from the origins of the plan. */
export function proven(plan: PlanAsRead, file: string, collect: Collect): Plan {
  try {
    const proven = provenPlan(plan, registry, noteWords, collect);
    if (proven !== undefined) return proven;
  } catch (error) {
    // A kind drafts only what it normalised, and an origin may be anything.
    if (!(error instanceof TypeError || error instanceof RangeError || error instanceof InternalError)) throw error;
  }
  throw unprovenPlan(file);
}

/** The plan as the library returns it, for `copyOfPlan`. */
export function withChecksum(plan: Plan): Plan {
  return { ...plan, checksum: checksumOf(plan) };
}

/**
 * A copy of a plan that the library returned, or of the JSON of one, so that edits during a run have no effect. Refused (6) when
 * it was edited, or is not complete as the documents of --format json are not.
 */
export function copyOfPlan(plan: Plan, collect: Collect): Plan {
  if (typeof plan.checksum !== 'string')
    throw unusable(
      'The plan cannot be applied: it only shows drift, or is the output of chatform plan --format json.',
      'Nothing was done. Pass the plan that plan() or planUndo() returned.',
    );
  const reader = new PlanFileReader('The plan', collect);
  let copy: Plan | undefined;
  try {
    if (checksumOf(plan, (piece) => reader.add(piece)) === plan.checksum)
      copy = proven(reader.end(), 'The plan', collect);
  } catch (error) {
    // What cannot be printed as a plan, such as a list that became a text, was edited.
    if (!(error instanceof OtherLayout || error instanceof TypeError || error instanceof Refusal)) throw error;
    if (error instanceof Refusal && error.code !== 'plan.unreadable') throw error;
  }
  if (copy !== undefined) return copy;
  throw unusable(
    'The plan does not match its checksum: it was edited, or made by another version of chatform.',
    'Nothing was done. Make the plan again and pass it on unchanged.',
  );
}

function unusable(message: string, advice: string): Refusal {
  return new Refusal('plan.unreadable', exitCode.conflict, message, advice);
}

/** Reads the file once, since it may be a pipe. */
async function* textOf(path: string, file: string, sealer: Sealer, digest: RunningDigest): AsyncGenerator<string> {
  const stored = digested(piecesOf(path, pieceBytes), digest);
  const bytes = unsealBytes(stored, sealedPlace, sealer, `The plan ${file}`);
  const begun = await firstBytes(bytes);
  const beginning = begun.subarray(0, maxFirstLine).toString('latin1');
  if (!beginning.startsWith(firstLine)) throw whyOther(beginning, file);
  const unreadLines = async function* () {
    yield begun.subarray(firstLine.length);
    yield* { [Symbol.asyncIterator]: () => bytes };
  };
  const text = pipeline(Readable.from(unreadLines()), createBrotliDecompress(), () => {});
  text.setEncoding('utf8');
  yield* text;
}

async function* digested(pieces: AsyncIterable<Buffer>, digest: RunningDigest): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    digest.add(piece);
    yield piece;
  }
}

async function firstBytes(pieces: AsyncIterator<Buffer>): Promise<Buffer> {
  let begun = Buffer.alloc(0);
  while (begun.length < maxFirstLine) {
    const piece = await pieces.next();
    if (piece.done === true) break;
    begun = Buffer.concat([begun, piece.value]);
  }
  return begun;
}

function whyOther(beginning: string, file: string): Refusal {
  const [, version] = /^chatform plan (\d+\.\d+)\n/u.exec(beginning) ?? [];
  return version === undefined ? notAPlan(file, foreignFormOf(Buffer.from(beginning))) : otherFormat(version, file);
}

/** Whether the file begins as a saved plan. Only reading it shows whether it is complete. */
export async function beginsAsPlan(file: string, cwd: string): Promise<boolean> {
  const path = resolve(cwd, file);
  const fileInfo = await stat(path).catch(() => undefined);
  if (fileInfo?.isFile() !== true) return false;
  const begun = createReadStream(path, { encoding: 'latin1', end: maxFirstLine - 1 });
  const pieces: string[] = await begun.toArray().catch(() => []);
  const beginning = pieces.join('');
  if (isSealed(Buffer.from(beginning, 'latin1'))) return true;
  return beginsAsPlanText(beginning);
}

/** Refuses a saved plan, which would give an error for every line as a manifest. */
export async function refuseSavedPlans(paths: readonly string[], cwd: string): Promise<void> {
  for (const path of paths) {
    if (!(await beginsAsPlan(path, cwd))) continue;
    throw usage(
      `${path} is a saved plan, not a manifest.`,
      `${chatformCommand('show', pathArgument(path))} shows it and ${chatformCommand('apply', pathArgument(path))} runs it, each without other paths.`,
    );
  }
}

/** Whether the error means that the compressed text is truncated or was edited. */
function isOfCompression(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && /^(?:Z_|ERR_)/u.test(String(cause.code));
}

async function unreadable(file: string, cause: unknown): Promise<Refusal> {
  const { reasonOf } = await import('../../manifest/files/read-failure.ts');
  return new Refusal(
    'plan.unreadable',
    exitCode.conflict,
    `The plan file ${file} cannot be read: ${reasonOf(cause)}.`,
    'Create one with: chatform plan --out plan.chatform',
    { cause },
  );
}
