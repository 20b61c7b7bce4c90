// What commands say that take objects into state.

/** Ownership is not marked on the platform (examples/not-covered.md). */
export const otherManager =
  "Another state may manage these objects too, because the platform does not show who does. Two states would undo each other's changes.";
