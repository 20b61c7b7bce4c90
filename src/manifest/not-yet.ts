// Which keys does the language have that this version does not read? Refused by name, never silently ignored.

const inDocument: readonly string[] = [];
const inPolicy: readonly string[] = [];
const inBlock: readonly string[] = [];

/** In the outline of a document, at a path. */
export function notYetInDocument(path: readonly string[]): readonly string[] {
  if (path.length === 0) return inDocument;
  return path.length === 1 && path[0] === 'policy' ? inPolicy : [];
}

/** In a declared object, at a path. */
export function notYetInBlock(path: readonly string[]): readonly string[] {
  return path.length === 0 ? inBlock : [];
}
