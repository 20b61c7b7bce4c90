// Parts of URLs: hosts and encoded characters.

/** Whether a host, as URLs spell it, is a loopback address or `localhost`. */
export function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d+){3}$/u.test(host);
}

/** Decodes `%20` and the like. Undefined if a percent sign does not begin an encoded character, as in a password `100%`. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
