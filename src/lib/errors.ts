// Errors that are not refusals (core/model/errors.ts): bugs and system errors.

/** A bug in chatform. It is printed with its stack and a request to report it. */
export class InternalError extends Error {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'InternalError';
  }
}

/** Whether the permission model of Node refused a call. */
export function isDeniedByNode(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_ACCESS_DENIED';
}

const missingCodes: readonly unknown[] = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'];

/** Whether an import failed because a package is not installed. Plug'n'Play of Yarn has the code of `require`. */
export function isMissingPackage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && missingCodes.includes(error.code);
}

/** Returns the code of a system error, such as ENOSPC, or undefined for any other error. EACCES if Node refused the call. */
export function errorCode(error: unknown): string | undefined {
  if (isDeniedByNode(error)) return 'EACCES';
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return /^E[A-Z0-9]+$/.test(error.code) ? error.code : undefined;
}
