// Keeps errors of a caller's listeners out of the work that calls them.
import { Refusal } from '../errors.ts';
import { exitCode } from '../exit-code.ts';

/**
 * Does the work with listeners that cannot throw into it. If one throws or rejects, the work ends as after its signal, and the error is
 * thrown as a Refusal (8). `options` may be anything, because the work checks them.
 */
export async function guarded<Options extends { readonly signal?: AbortSignal | undefined }, Result>(
  options: Options,
  work: (guardedOptions: Options) => Promise<Result>,
): Promise<Result> {
  const listeners = Object.entries<unknown>(options ?? {}).flatMap(([name, value]) =>
    typeof value === 'function' ? [[name, value] as const] : [],
  );
  if (listeners.length === 0) return work(options);
  const { signal } = options;
  const stop = new AbortController();
  const end = (): void => stop.abort();
  let failure: Refusal | undefined;
  const fail = (name: string, cause: unknown): void => {
    failure ??= listenerFailed(name, cause);
    end();
  };
  const guards = listeners.map(([name, listener]) => {
    const guard = (...given: unknown[]): void => {
      if (failure !== undefined) return;
      try {
        Promise.resolve(listener(...given)).catch((cause: unknown) => fail(name, cause));
      } catch (cause) {
        fail(name, cause);
      }
    };
    return [name, guard];
  });
  const isSignal = signal instanceof AbortSignal;
  if (isSignal && signal.aborted) end();
  if (isSignal) signal.addEventListener('abort', end, { once: true });
  const ended = isSignal || signal === undefined ? { signal: stop.signal } : {};
  try {
    const result = await work({ ...options, ...Object.fromEntries(guards), ...ended });
    if (failure === undefined) return result;
  } catch (error) {
    if (failure === undefined) throw error;
  } finally {
    if (isSignal) signal.removeEventListener('abort', end);
  }
  throw failure;
}

function listenerFailed(name: string, cause: unknown): Refusal {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new Refusal(
    'library.listener-failed',
    exitCode.interrupted,
    `${name} threw an error: ${why}`,
    'The call ended as after an abort of its signal: completed steps are saved. The same call continues.',
    { cause },
  );
}
