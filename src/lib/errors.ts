// Errors that are not refusals (model/errors.ts): bugs and system errors.

/** A bug in chatform. It is printed with its stack and a request to report it. */
export class InternalError extends Error {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'InternalError';
  }
}

/** Returns the code of a system error, such as ENOSPC, or undefined for any other error. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return /^E[A-Z0-9]+$/.test(error.code) ? error.code : undefined;
}
