// The address of a state in object storage: `s3://BUCKET/PREFIX?endpoint=…`, and the same for azblob:// and gs://.
import { isThisMachine, percentDecoded } from '../../../lib/url-parts.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import { bucketParts } from '../../model/stores/places.ts';

export interface ObjectAddress {
  /** For messages: the address without its parameters, except the endpoint. */
  readonly name: string;
  /** The bucket, or the container. */
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Looks up a variable of the environment. */
export type VariableReader = (name: string) => string | undefined;

/** `known` are the parameters of this kind of store. Throws `state.usage` (64). */
export function parseObjectAddress(spec: string, known: readonly string[]): ObjectAddress {
  const parts = bucketParts(spec);
  const example = `It looks like ${schemeOf(spec)}://BUCKET/PREFIX`;
  // A text with @ or : may contain credentials, so it is not repeated.
  if (parts === undefined) throw usage(schemeOf(spec), 'cannot be read', `${example}, and holds no credentials.`);
  const { scheme, bucket, path, parameters } = parts;
  const prefix = percentDecoded(path)?.replaceAll(/^\/+|\/+$/gu, '');
  if (prefix === undefined)
    throw usage(scheme, 'has a prefix that is not percent-encoded', 'Write %25 for a percent sign.');
  if (prefix.split('/').some((part) => part === '..' || part === '.'))
    throw usage(scheme, 'has a prefix with dots', `${example}.`);
  for (const name of parameters.keys()) {
    if (known.includes(name)) continue;
    const shown = /^[a-z_]{1,30}$/u.test(name) ? ` ${name}` : '';
    throw usage(scheme, `has a parameter${shown} that chatform does not know`, `Known are ${known.join(', ')}.`);
  }
  const endpoint = parameters.get('endpoint');
  if (endpoint !== undefined) demandEndpoint(scheme, endpoint, parameters.get('tls'));
  const place = `${scheme}://${bucket}${prefix === '' ? '' : `/${prefix}`}`;
  return {
    name: endpoint === undefined ? place : `${place}?endpoint=${endpoint}`,
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    parameters,
  };
}

export function usage(scheme: string, what: string, advice: string): Refusal {
  return new Refusal('state.usage', exitCode.usage, `The address ${scheme}://… ${what}.`, advice);
}

/** Without TLS anybody on the network could read and change the state. */
function demandEndpoint(scheme: string, endpoint: string, tls: string | undefined): void {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || !/^https?:$/u.test(url.protocol) || url.username !== '' || url.password !== '')
    throw usage(scheme, 'has an endpoint that is not a URL', 'Write endpoint=https://HOST, without credentials.');
  if (url.protocol === 'https:' || tls === 'off' || isThisMachine(url.hostname)) return;
  throw usage(
    scheme,
    'has an endpoint without TLS',
    'Write endpoint=https://HOST. For a network that nobody else can listen to, tls=off allows http.',
  );
}

function schemeOf(spec: string): string {
  return /^[a-z0-9]+/u.exec(spec)?.[0] ?? 's3';
}
