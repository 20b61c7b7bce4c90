// The name of a flag in its several spellings.

/** `--out <file>` → `out`. */
export function longName(flags: string): string {
  return /--([\w-]+)/u.exec(flags)?.[1] ?? '';
}

/** `api-token-file` → `apiTokenFile`, as commander and the library name it. */
export function camel(name: string): string {
  return name.replace(/-(\w)/gu, (_whole, letter: string) => letter.toUpperCase());
}

export function kebab(name: string): string {
  return name.replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
}
