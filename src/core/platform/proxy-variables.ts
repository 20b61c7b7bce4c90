// Loads the code for proxies if the environment names one.
import type { EnvironmentVariables } from '../../lib/option-values.ts';
import type { ProxyConnector } from './tunnel.ts';

/** In order of precedence, as for curl and npm. HTTP_PROXY is used for https, too, if it is the only one. */
const proxyVariables = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'] as const;

/**
 * Returns the connector for a pool. Undefined if no proxy is named, so that the pool connects by itself. `timeoutMs` limits
 * each of both parts of a connection. `target` is where all connections lead, if that is known. Refused (64) for a variable
 * that cannot be used.
 */
export async function connectorIn(
  env: EnvironmentVariables,
  timeoutMs: number,
  target?: URL,
): Promise<ProxyConnector | undefined> {
  const variable = proxyVariables.find((name) => (env[name] ?? '') !== '');
  if (variable === undefined) return undefined;
  const { connectorThrough, isDirect, placeOf } = await import('./tunnel.ts');
  // An empty variable counts as unset, as in curl.
  const noProxy = env.no_proxy || env.NO_PROXY || '';
  if (target !== undefined && isDirect(placeOf(target), noProxy)) return undefined;
  return connectorThrough({ variable, value: env[variable] ?? '', noProxy }, timeoutMs);
}
