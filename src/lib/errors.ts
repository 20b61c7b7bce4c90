// The error for a bug of chatform, and the codes of system errors. For refusals see model/errors.ts.

/** A bug: printed with its stack and a request to report it. */
export class InternalError extends Error {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'InternalError';
  }
}

/** The code of an error of the operating system, such as ENOSPC; undefined for any other error. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return /^E[A-Z0-9]+$/.test(error.code) ? error.code : undefined;
}
