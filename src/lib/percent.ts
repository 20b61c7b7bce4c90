/** Decodes `%20` and the like. Undefined if a percent sign does not begin an encoded character, as in a password `100%`. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
