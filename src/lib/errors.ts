// The error for a bug of ours, as against refusals (model/errors.ts), which tell users what to do.

/** A bug: printed with its stack and a request to report it. */
export class InternalError extends Error {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'InternalError';
  }
}
