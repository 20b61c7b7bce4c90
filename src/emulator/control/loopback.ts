// Tells addresses of this machine from others.

/** The host of a URL: `127.0.0.1`, `[::1]` or `localhost`. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || isLoopbackAddress(host.replace(/^\[|\]$/gu, ''));
}

/** The address of a connection. */
export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\.\d+\.\d+\.\d+$/u.test(address);
}
