// Which steps does a JSON pointer take?

/** The parts of a JSON pointer, as the schema compiler writes them; a leading `#` does not count. */
export function pointer(path: string): string[] {
  return path
    .split('/')
    .slice(1)
    .map((part) => unescaped(part));
}

/** In the path of a schema the parts are escaped for a URL besides. */
function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
