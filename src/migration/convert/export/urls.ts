// Removes queries and tokens from the places of files, because a history file in git must not give access to files.
import { digestText } from '../../../lib/digest.ts';
import { isList, isObject, type JsonValue } from '../../../lib/json.ts';

/** Query parameters that give access without a login. */
const tokenNames = /^(?:token|access_token|auth|api_?key|sig|signature|policy|key-pair-id|x-(?:amz|goog|oss)-.+)$/iu;
/** Signatures of Discord's file servers. */
const discordNames = /^(?:ex|is|hm)$/u;
const discordHost = /(?:^|\.)discordapp\.(?:com|net)$/u;
/** Parameters of a signature, which differ in every export. */
const besideSignature = /^(?:expires|googleaccessid|awsaccesskeyid)$/iu;
/** The same for Azure, whose signature is `sig`. */
const besideSig = /^(?:s[eprtv]|spr|sdd|sip|sk(?:oid|tid|t|e|s|v))$/iu;
const tokenValue = /xox[a-z]-|xapp-\d|^ey[\w-]+\.ey/iu;

/** The place of a file, a picture or a callback, without what may give access to it. */
export interface SafePlace {
  /** Without name, password and query. */
  readonly url: string;
  /** The same for the same file in each export, and another one for another file: a digest replaces parameters that are not tokens. */
  readonly key: string;
  /** Whether parameters are known to give access. */
  readonly hadToken: boolean;
  /** Whether anything was removed. */
  readonly isCut: boolean;
}

/** The place without its query, which may give access whatever its parameters are called. Undefined if it is not a web address. */
export function safePlace(url: string): SafePlace | undefined {
  const parsed = parsedUrl(url);
  if (parsed === undefined || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')) return undefined;
  if (parsed.username === '' && parsed.password === '' && !/[?#]/u.test(url) && !tokenValue.test(url)) {
    return { url, key: url, hadToken: false, isCut: false };
  }
  let hadToken = parsed.username !== '' || parsed.password !== '';
  const parameters = [...parsed.searchParams];
  const isAzure = /[?&]sig=/iu.test(url);
  const harmless = parameters.filter(([name, value]) => {
    const isSigned = discordNames.test(name) && discordHost.test(parsed.hostname);
    if (!isSigned && !tokenNames.test(name) && !tokenValue.test(value)) return true;
    hadToken = true;
    return false;
  });
  const identifying = harmless.filter(
    ([name]) => !hadToken || !(besideSignature.test(name) || (isAzure && besideSig.test(name))),
  );
  const hasHash = parsed.hash.includes('=') || tokenValue.test(parsed.hash);
  if (hasHash) parsed.hash = '';
  const isCut = hadToken || hasHash || parsed.search !== '';
  parsed.username = '';
  parsed.password = '';
  parsed.search = '';
  if (tokenValue.test(parsed.href)) return undefined;
  const safe = isCut ? parsed.href : url;
  const key = identifying.length === 0 ? safe : `${safe}#${digestText(JSON.stringify(identifying)).slice(0, 12)}`;
  return { url: safe, key, hadToken: hadToken || (hasHash && tokenValue.test(url)), isCut };
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
const wholeUrl = /^\s*https?:\/\/[^\s<>|"'`]+\s*$/iu;

/**
 * Whether `scrub` might change the text. Equals signs are rare, so checking the text before each of them is faster than one
 * regular expression.
 */
export function mayHoldToken(text: string): boolean {
  for (let at = text.indexOf('='); at >= 0; at = text.indexOf('=', at + 1))
    if (tokenParameter.test(text.slice(Math.max(0, at - maxParameter), at + 1))) return true;
  return slackToken.test(text) || (text.includes('@') && text.includes('://') && password.test(text));
}

/** An id without the queries of URLs in it. Different ids stay different. */
export function safeId(id: string): string {
  return id.includes('://') ? id.replace(urlInText, (url) => safePlace(url)?.key ?? '') : id;
}

/** Whether `scrub` might change a value whose JSON is the text. */
export function mayHoldPlace(text: string): boolean {
  return mayHoldToken(text) || (/https?:/iu.test(text) && /[?#]/u.test(text));
}

function scrubText(text: string): string {
  if (wholeUrl.test(text)) return safePlace(text.trim())?.url ?? '';
  if (!mayHoldToken(text)) return text;
  return text.replace(urlInText, scrubbedUrl).replace(/(?:xox[a-z]|xapp)-[\w-]+/giu, '');
}

/** Parameters that are not known to give access stay, since people may have written the text. In markup, ampersands are escaped. */
function scrubbedUrl(url: string): string {
  if (!mayHoldToken(url)) return url;
  const found = safePlace(url.replaceAll('&amp;', '&'));
  return found?.url ?? '';
}

/**
 * Removes the queries of places, and tokens in other texts, at any depth of a value. Returns the value itself if nothing was removed.
 * Texts that people wrote are not scrubbed: a link in a message is text.
 */
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
