// Closes files whose owner was collected as garbage. The one FinalizationRegistry of the program.
//
// It is for series and snapshots that callers keep for as long as they like and never close (library.ts).

const registry = new FinalizationRegistry<() => void>((close) => close());

/** Calls `close` some time after nothing refers to `owner` any more. `close` must not refer to it. */
export function closeWhenForgotten(owner: object, close: () => void): void {
  registry.register(owner, close, owner);
}

/** For an owner that was closed by its user. */
export function doNotCloseAgain(owner: object): void {
  registry.unregister(owner);
}
