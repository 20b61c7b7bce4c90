// Shared by the stores with a package of their own: loads the package on demand and classifies its failures.
import { isMissingPackage } from '../../../lib/errors.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import { type StoreScheme, stores } from '../../model/stores/places.ts';
import { type FailedCall, StoreFailure } from '../engine/store.ts';

/** For one call, which is retried after that. */
export const callTimeoutMs = 15_000;
export const connectTimeoutMs = 5_000;

/** Rejects with `state.package-missing` (64), which says how to install the packages of the store. */
export async function loadPackage<T>(scheme: StoreScheme, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if (!isMissingPackage(cause)) throw cause;
    throw new Refusal(
      'state.package-missing',
      exitCode.usage,
      `A state in ${scheme}:// needs a package that is not installed here.`,
      `Run: npm install ${stores[scheme].packages}. Beside chatform, so that your lock file holds its version.`,
      { cause },
    );
  }
}

/** An answer of a store in the vendor's words. */
export interface VendorAnswer {
  /** The HTTP status, or undefined without an answer. */
  readonly status: number | undefined;
  /** The vendor's name for the problem. */
  readonly code: string;
  readonly message: string;
}

/** Words for the messages about a vendor's failures. */
export interface FailureWords {
  /** The rights that the identity needs, for a call that is not allowed. */
  readonly rights: string;
  /** The vendor's word for a bucket. */
  readonly bucket: string;
}

/** Makes one call. Returns undefined for the codes and statuses in `none`. Rejects with a StoreFailure for all others. */
export type Send = <T>(work: () => Promise<T>, none?: readonly (string | number)[]) => Promise<T | undefined>;

/** Makes a `Send` for one vendor. `answerIn` reads the answer out of an error of its client. */
export function sender(answerIn: (error: unknown) => VendorAnswer, words: FailureWords): Send {
  return async (work, none = []) => {
    try {
      return await work();
    } catch (error) {
      const answer = answerIn(error);
      if (none.includes(answer.code) || (answer.status !== undefined && none.includes(answer.status))) return undefined;
      throw failureOf(answer, words, error);
    }
  };
}

function failureOf(
  { status, code, message }: VendorAnswer,
  { rights, bucket }: FailureWords,
  cause: unknown,
): StoreFailure {
  const said = `${code}${message === '' || message === code ? '' : `: ${message}`}`;
  const make = (kind: FailedCall['kind'], what: string, advice: string, code?: string) =>
    new StoreFailure({ kind, what, advice, ...(code === undefined ? {} : { code }) }, { cause });
  if (
    /credential|could not load|unable to (?:find|load)|AuthenticationRequired/iu.test(`${code} ${message}`) &&
    status === undefined
  )
    return make(
      'denied',
      `there are no credentials for it (${said})`,
      `Set them as for any tool of this vendor. ${rights}`,
    );
  if (status === undefined && /region is missing/iu.test(message))
    return make('refused', 'nothing says in which region it is', 'Set AWS_REGION, or write ?region=… in --state.');
  if (status === undefined)
    return make('away', `it did not answer (${said})`, 'Check the endpoint, and that this machine may reach it.');
  if (status === 501)
    return make(
      'refused',
      `it does not support this call (501 ${said})`,
      'State needs conditional writes. Keep it in another store, in a database, or in a folder that is kept.',
      'state.store-unsafe',
    );
  if (
    status === 429 ||
    status >= 500 ||
    code === 'SlowDown' ||
    code === 'RequestTimeout' ||
    status === 408 ||
    status === 409
  )
    return make('busy', `it answered ${status} (${said})`, 'Check the status page of the store.');
  if (status === 401 || status === 403) return make('denied', `it does not allow this call (${said})`, rights);
  if (/NoSuchBucket|ContainerNotFound|notFound/u.test(code))
    return make('refused', `the ${bucket} does not exist`, `Check its name in --state, or create the ${bucket}.`);
  return make('refused', `it answered ${status} (${said})`, 'Check --state and the settings of the store.');
}

/** Returns the milliseconds since an object was written, less a second, because stores tell times to the second. */
export function ageOf(writtenMs = 0, nowMs = 0): number {
  return nowMs - writtenMs - 1_000;
}

/** Runs `work` on all items, at most `atOnce` at the same time. */
export async function eachOf<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const lane = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}
