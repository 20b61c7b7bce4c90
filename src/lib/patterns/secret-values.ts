// Finds values that look like secrets in metadata, data and URLs, which members of a channel, reviewers and logs can read.
import { isList, isObject, type JsonValue } from '../json.ts';

/** A name or form that secrets have, and why the list has it. */
interface SecretPattern {
  /** A noun with its article, such as `a password`. */
  readonly what: string;
  readonly why: string;
}

interface SecretForm extends SecretPattern {
  /** The secret is the group `secret`, or the whole match. Must be global and take linear time. */
  readonly form: RegExp;
}

/** The start of the text that is shown in place of a secret. */
export const hashPrefix = 'sha256:';

/** The maximum length of a value that a person wrote for a key such as `token`, but that is not one: yes, none, BTC. */
const longestWord = 5;

/** Names of keys. The last words of a name decide: `stripe_api_key` and `dbPassword` are secrets, `password_hint` is not. */
const secretNames: readonly (SecretPattern & { readonly name: RegExp })[] = [
  { what: 'a password', why: 'The name says so.', name: /(?:^|_)(?:password|passwd|pwd|passphrase)$/u },
  { what: 'a key of an API', why: 'The name says so.', name: /(?:^|_)(?:api_?key|private_?key|access_?key)$/u },
  { what: 'a token', why: 'Who has a token acts as its owner.', name: /(?:^|_)(?:token|bearer)$/u },
  { what: 'a secret', why: 'The name says so.', name: /(?:^|_)(?:secret|secret_?key|credentials?)$/u },
];

/**
 * Forms of values. Names of parameters in URLs are only those that no public link has: signed links of pictures have `token`,
 * `sig` and `X-Amz-Signature`, and everybody who sees the picture has them. Publishable keys (`pk_live_…`) are public as well.
 */
const secretForms: readonly SecretForm[] = [
  { what: 'a key of Stripe', why: 'Stripe documents the prefix.', form: /\b[sr]k_(?:live|test)_[0-9A-Za-z]{10,}/gu },
  {
    what: 'a token of GitHub',
    why: 'GitHub documents the prefixes.',
    form: /\b(?:gh[pousr]_[0-9A-Za-z]{20,}|github_pat_\w{20,})/gu,
  },
  { what: 'a token of GitLab', why: 'GitLab documents the prefix.', form: /\bglpat-[\w-]{20,}/gu },
  { what: 'a token of npm', why: 'npm documents the prefix.', form: /\bnpm_[0-9A-Za-z]{36}\b/gu },
  { what: 'an access key of AWS', why: 'AWS documents prefix and length.', form: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/gu },
  { what: 'a token of Slack', why: 'Slack documents the prefixes.', form: /\bxox[abeoprs]-[0-9A-Za-z-]{10,}/gu },
  {
    what: 'a signed token (JWT)',
    why: 'A header and a payload of JSON begin with eyJ in base64.',
    form: /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/gu,
  },
  {
    what: 'a private key',
    why: 'RFC 7468 defines the first line.',
    form: /-----BEGIN (?:[A-Z]+ ){0,3}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*-----)?/gu,
  },
  {
    what: 'a password in a URL',
    why: 'RFC 3986 deprecates user:password@.',
    form: /:\/\/[^\s/:@?#"']*:(?<secret>[^\s/:@?#"']+)(?=@)/gu,
  },
  {
    what: 'a secret in a URL',
    why: 'The name of the parameter says so.',
    form: /[?&](?:access_token|api_?key|client_secret|password|secret)=(?<secret>[^&#\s"']{6,})/giu,
  },
];

/** A member of JSON that is written as text, as in `data`. */
const jsonMember = /"(?<name>[\w.-]{1,100})"\s{0,9}:\s{0,9}"(?<secret>(?:[^"\\]|\\.)*)"/gu;

/** Attributes for free use. */
const freeAttributes: ReadonlySet<string> = new Set(['metadata', 'data']);

/** A value that looks like a secret. The path is that of the attribute, or of the item in it. */
interface FoundSecret {
  readonly path: readonly string[];
  readonly what: string;
}

/** Returns what looks like a secret in the attributes of an object, at most one secret for each text. */
export function secretsIn(attributes: JsonValue): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  findSecrets(attributes, [], found);
  return found;
}

/** Copies nothing, because a load calls it for every object, and a channel may have thousands of members. */
function findSecrets(value: JsonValue, path: readonly string[], found: FoundSecret[]): void {
  if (typeof value === 'string') {
    let first: string | undefined;
    replaceSecrets(value, path, (secret, what) => {
      first ??= what;
      return secret;
    });
    if (first !== undefined) found.push({ path, what: first });
  } else if (isList(value)) {
    for (const item of value) findSecrets(item, path, found);
  } else if (isObject(value)) {
    for (const key in value) {
      const item = value[key];
      if (typeof item === 'string' || (typeof item === 'object' && item !== null)) {
        findSecrets(item, [...path, key], found);
      }
    }
  }
}

/** Returns a value with each secret in it replaced. `path` is the path of the value, which begins with an attribute. */
export function withoutSecrets(
  value: JsonValue,
  path: readonly string[],
  replace: (secret: string) => string,
): JsonValue {
  return mapTexts(value, path, (text, itsPath) => replaceSecrets(text, itsPath, replace));
}

function mapTexts(
  value: JsonValue,
  path: readonly string[],
  change: (text: string, path: readonly string[]) => string,
): JsonValue {
  if (typeof value === 'string') return change(value, path);
  if (isList(value)) return value.map((item) => mapTexts(item, path, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, [...path, key], change)]));
}

function replaceSecrets(
  text: string,
  path: readonly string[],
  replace: (secret: string, what: string) => string,
): string {
  const isFree = freeAttributes.has(path[0] ?? '');
  if (text.length <= longestWord || !(isFree || text.includes('://'))) return text;
  const named = isFree && path.length > 1 ? nameOf(path.at(-1) ?? '') : undefined;
  if (named !== undefined) return replace(text, named);
  const ofForms = secretForms.reduce(
    (changed, { form, what }) => replaceEach(changed, form, (secret) => replace(secret, what)),
    text,
  );
  if (!isFree) return ofForms;
  return replaceEach(ofForms, jsonMember, (secret, name) => {
    const what = secret.length <= longestWord || secret.startsWith(hashPrefix) ? undefined : nameOf(name);
    return what === undefined ? secret : replace(secret, what);
  });
}

function replaceEach(text: string, form: RegExp, replace: (secret: string, name: string) => string): string {
  return text.replace(form, (match: string, ...rest: readonly unknown[]) => {
    const groups = rest.at(-1);
    const { secret = match, name = '' }: { secret?: string; name?: string } = isGroups(groups) ? groups : {};
    const at = match.lastIndexOf(secret);
    return `${match.slice(0, at)}${replace(secret, name)}${match.slice(at + secret.length)}`;
  });
}

function isGroups(value: unknown): value is Readonly<Record<string, string>> {
  return typeof value === 'object' && value !== null;
}

function nameOf(key: string): string | undefined {
  const words = key
    .replace(/([a-z\d])([A-Z])/gu, '$1_$2')
    .replace(/[.-]/gu, '_')
    .toLowerCase();
  return secretNames.find(({ name }) => name.test(words))?.what;
}
