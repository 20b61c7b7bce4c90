// Hides the passwords of URLs that a user gave. An error quotes arguments in many places, and a log of CI keeps what it prints.
import { type JsonValue, withTexts } from '../../lib/json.ts';
import type { CommandEnvironment, Output } from './environment.ts';

/** What may contain secrets: arguments, and variables that set options. */
export type GivenWords = Pick<CommandEnvironment, 'args' | 'env'>;

/** The environment of a command whose outputs hide the secrets of its arguments and of the variables that set options. */
export function withoutGivenSecrets(environment: CommandEnvironment): CommandEnvironment {
  const { stdout, stderr } = environment;
  const secrets = givenSecrets(environment);
  if (secrets.length === 0) return environment;
  return { ...environment, stdout: hiding(stdout, secrets), stderr: hiding(stderr, secrets) };
}

/** The same for a text that goes to a file for others. */
export function hideGivenSecrets(text: string, given: GivenWords): string {
  return hideAll(text, givenSecrets(given));
}

/** The same for every key and text of a document. */
export function hideSecretsIn(value: JsonValue, given: GivenWords): JsonValue {
  const secrets = givenSecrets(given);
  return secrets.length === 0 ? value : withTexts(value, (text) => hideAll(text, secrets));
}

function givenSecrets({ args, env }: GivenWords): string[] {
  const values = [...args];
  for (const [name, value] of Object.entries(env)) if (name.startsWith('CHATFORM_')) values.push(value ?? '');
  return values.flatMap(secretsOf);
}

function hideAll(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, hidden(secret)), text);
}

function hiding(output: Output, secrets: readonly string[]): Output {
  const { isTerminal, room, stream } = output;
  return {
    write: (text) => output.write(hideAll(text, secrets)),
    isTerminal,
    get width() {
      return output.width;
    },
    ...(room === undefined ? {} : { room: () => room.call(output) }),
    ...(stream === undefined ? {} : { stream }),
  };
}

/** `:hunter2@` is shown as `:***@`. */
function hidden(secret: string): string {
  return `${/^[:=]/u.exec(secret)?.[0] ?? ''}***${secret.endsWith('@') ? '@' : ''}`;
}

const secretParameter = /[?&;][\w.-]*(?:pass|pwd|token|secret|sig|key|auth|credential)[\w.-]*(=[^&#]+)/giu;

/** The parts of a URL that may be secrets, with the characters around them, so that a short password hides nothing else. */
function secretsOf(value: string): string[] {
  const [, scheme = '', rest = ''] = /([a-z][a-z0-9+.-]*):\/\/(.*)$/isu.exec(value) ?? [];
  const user = rest.slice(0, Math.max(0, rest.lastIndexOf('@')));
  const colon = user.indexOf(':');
  const isWeb = /^https?$/iu.test(scheme);
  const parts =
    colon >= 0 && colon < user.length - 1 ? [`${user.slice(colon)}@`] : isWeb && user !== '' ? [`${user}@`] : [];
  for (const [, parameter = ''] of rest.matchAll(secretParameter)) parts.push(parameter);
  return [...new Set(parts.flatMap(formsOf))].sort((left, right) => right.length - left.length);
}

/** As it is, in JSON, percent-encoded and decoded: an error may have read it. */
function formsOf(part: string): string[] {
  const forms = [part, encodeURI(part.toWellFormed())];
  try {
    forms.push(decodeURIComponent(part));
  } catch {
    // It is not percent-encoded.
  }
  return forms.flatMap((form) => [form, JSON.stringify(form).slice(1, -1)]);
}
