/** Whether a host, as URLs spell it, is a loopback address or `localhost`. */
export function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d+){3}$/u.test(host);
}
