// Finds what the package holds beside the program: schemas and examples.

/** `path` is relative to the root of the package: two folders up from here, as from the bundles in dist/parts. */
export function packaged(path: string): URL {
  return new URL(`../../${path}`, import.meta.url);
}
