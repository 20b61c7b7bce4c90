// Removes tokens from URLs, because an archive in git must not give access to files.
import { isList, isObject, type JsonValue } from '../../lib/json.ts';

/** Query parameters that give access without a login. */
const tokenNames = /^(?:token|access_token|auth|api_?key|sig|signature|policy|key-pair-id|x-(?:amz|goog|oss)-.+)$/iu;
/** Signatures of Discord's file servers. */
const discordNames = /^(?:ex|is|hm)$/u;
const discordHost = /(?:^|\.)discordapp\.(?:com|net)$/u;
/** Parameters of a signature. They differ in every export. */
const besideSignature = /^(?:expires|googleaccessid|awsaccesskeyid)$/iu;
/** The same for Azure, whose signature is `sig`. */
const besideSig = /^(?:s[eprtv]|spr|sdd|sip|sk(?:oid|tid|t|e|s|v))$/iu;
const tokenValue = /xox[a-z]-|xapp-\d|^ey[\w-]+\.ey/iu;

/** The URL without tokens. Undefined if it is not a web address. */
export function withoutToken(url: string): { readonly url: string; readonly hadToken: boolean } | undefined {
  const parsed = parsedUrl(url);
  if (parsed === undefined || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')) return undefined;
  if (parsed.username === '' && parsed.password === '' && parsed.search === '' && !tokenValue.test(url)) {
    return { url, hadToken: false };
  }
  let hadToken = parsed.username !== '' || parsed.password !== '';
  parsed.username = '';
  parsed.password = '';
  for (const [name, value] of [...parsed.searchParams]) {
    const isSigned = discordNames.test(name) && discordHost.test(parsed.hostname);
    if (!isSigned && !tokenNames.test(name) && !tokenValue.test(value)) continue;
    parsed.searchParams.delete(name);
    hadToken = true;
  }
  if (hadToken) {
    const isAzure = /[?&]sig=/iu.test(url);
    for (const name of [...parsed.searchParams.keys()])
      if (besideSignature.test(name) || (isAzure && besideSig.test(name))) parsed.searchParams.delete(name);
  }
  if (tokenValue.test(parsed.hash)) {
    parsed.hash = '';
    hadToken = true;
  }
  if (tokenValue.test(parsed.href)) return undefined;
  return { url: hadToken ? parsed.href : url, hadToken };
}

const slackToken = /xox[a-z]-|xapp-\d/iu;
/** `https://name:password@host`. */
const password = /:\/\/[^\s/@:]{1,256}:[^\s/@]{1,256}@/u;
/** The end of a text that ends with an equals sign. */
const tokenParameter =
  /[?&;](?:token|access_token|auth|api_?key|sig|signature|policy|key-pair-id|hm|x-(?:amz|goog|oss)-[^=]{1,40})=$/iu;
/** The maximum length of such a parameter name. */
const maxParameter = 64;
const urlInText = /https?:\/\/[^\s<>|"'`)\]}]+/giu;

/**
 * Whether `scrub` might change the text. Equals signs are rare, so checking the text before each of them is faster than one
 * regular expression.
 */
export function mayHoldToken(text: string): boolean {
  for (let at = text.indexOf('='); at >= 0; at = text.indexOf('=', at + 1))
    if (tokenParameter.test(text.slice(Math.max(0, at - maxParameter), at + 1))) return true;
  return slackToken.test(text) || (text.includes('@') && text.includes('://') && password.test(text));
}

export function scrubText(text: string): string {
  if (!mayHoldToken(text)) return text;
  return text.replace(urlInText, scrubbedUrl).replace(/(?:xox[a-z]|xapp)-[\w-]+/giu, '');
}

/** In markup, ampersands are escaped. */
function scrubbedUrl(url: string): string {
  const found = withoutToken(url.replaceAll('&amp;', '&'));
  if (found === undefined) return '';
  if (!found.hadToken) return url;
  return url.includes('&amp;') ? found.url.replaceAll('&', '&amp;') : found.url;
}

/** Scrubs all texts of a value, at any depth. Returns the value itself if nothing was removed. */
export function scrub<T extends JsonValue>(value: T): T {
  return scrubbed(value) as T;
}

function scrubbed(value: JsonValue): JsonValue {
  if (typeof value === 'string') return scrubText(value);
  if (isList(value)) {
    const items = value.map(scrubbed);
    return items.every((item, place) => item === value[place]) ? value : items;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, scrubbed(inner)] as const);
  return entries.every(([key, inner]) => value[key] === inner) ? value : Object.fromEntries(entries);
}

/** Hosts whose files require a login. */
const signedInHosts = /(?:^|\.)slack\.com$/u;

/** Whether the URL without tokens requires a login at the source. */
export function needsLogin(url: string): boolean {
  return signedInHosts.test(parsedUrl(url)?.hostname ?? '');
}

/** The expiry in Unix milliseconds, for services that state it in the URL. */
export function expiryOf(url: string): number | undefined {
  const parsed = parsedUrl(url);
  if (parsed === undefined) return undefined;
  const parameters = new Map([...parsed.searchParams].map(([name, value]) => [name.toLowerCase(), value]));
  // Discord: seconds as hexadecimal digits.
  const hexadecimal = parameters.get('ex');
  if (hexadecimal !== undefined && /^[0-9a-f]{8}$/iu.test(hexadecimal)) return Number.parseInt(hexadecimal, 16) * 1000;
  // CloudFront and older signatures of S3 and Google: seconds since 1970.
  const seconds = parameters.get('expires');
  if (seconds !== undefined && /^\d{9,11}$/u.test(seconds)) return Number(seconds) * 1000;
  // Azure: a time beside the signature.
  const time = parameters.has('sig') ? Date.parse(parameters.get('se') ?? '') : Number.NaN;
  if (!Number.isNaN(time)) return time;
  return dateAndSeconds(parameters, 'x-amz') ?? dateAndSeconds(parameters, 'x-goog');
}

/** Amazon and Google state a date, and the validity in seconds. */
function dateAndSeconds(parameters: ReadonlyMap<string, string>, vendor: string): number | undefined {
  const date = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/u.exec(parameters.get(`${vendor}-date`) ?? '');
  const seconds = parameters.get(`${vendor}-expires`) ?? '';
  if (date === null || !/^\d{1,7}$/u.test(seconds)) return undefined;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = date.slice(1).map(Number);
  return Date.UTC(year, month - 1, day, hour, minute, second) + Number(seconds) * 1000;
}

function parsedUrl(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}
