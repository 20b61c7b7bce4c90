// Fills the placeholders of a request (secrets, files, lists) and writes its body as JSON or multipart (platform §1).
import type { FormData } from 'undici';
import { digestText } from '../../lib/digest.ts';
import { InternalError } from '../../lib/errors.ts';
import type { JsonObject, JsonValue } from '../../lib/json.ts';
import { Refusal } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';
import type { Clock } from '../model/ports.ts';
import { type ApiRequest, type RequestPlaceholder, withSeconds } from '../model/request.ts';

export interface PlaceholderSources {
  /** The value of the environment variable CHATFORM_VAR_<name>. */
  readonly variables: (name: string) => string | undefined;
  /** Reads a file by its name in the plan. Rejects if it cannot be read. */
  readonly readFile: (file: string) => Promise<Uint8Array>;
  /** The absolute path of a file by its name in the plan, for messages. Default: the name. */
  readonly placeOf?: (file: string) => string;
  readonly clock: Pick<Clock, 'date'>;
  /** A secret file then consists of the planned values, because a simulation has no secrets. */
  readonly isSimulated?: true;
  /** Reads a list as it is sent. Rejects with a Refusal if it changed since the plan. */
  readonly listToSend?: (source: JsonObject) => Promise<readonly JsonObject[]>;
}

export interface FilledRequest {
  readonly body: string | FormData | null;
  /** Values that must not appear in messages. */
  readonly secrets: readonly string[];
}

type FilePlaceholder = Extract<RequestPlaceholder, { readonly type: 'file' }>;
type SecretPlaceholder = Extract<RequestPlaceholder, { readonly type: 'secret' }>;

/** Rejects with a Refusal: a variable is missing (65), a file or history file changed, or a ban or mute has already ended (6). */
export async function fillPlaceholders(request: ApiRequest, sources: PlaceholderSources): Promise<FilledRequest> {
  const placeholders = request.placeholders ?? [];
  const secrets: Record<string, string> = {};
  const lists: Record<string, readonly JsonObject[]> = {};
  const files: FilePlaceholder[] = [];
  const parts: { readonly field: string; readonly blob: Blob; readonly name: string }[] = [];
  const hidden: string[] = [];
  let plain = request.body;
  for (const placeholder of placeholders) {
    if (placeholder.type === 'secret') {
      const { field, file } = placeholder;
      const [secret, ...within] = plannedSecret(placeholder, sources);
      hidden.push(secret, ...within);
      if (file === undefined) secrets[field] = secret;
      else parts.push({ field, blob: new Blob([secret], { type: file.mediaType }), name: file.name });
    } else if (placeholder.type === 'seconds')
      plain = withSeconds(plain, placeholder, secondsUntil(placeholder.until, sources));
    else if (placeholder.type === 'list') lists[placeholder.field] = await listOf(placeholder.source, sources);
    else files.push(placeholder);
  }
  const body: JsonObject | undefined =
    request.body === undefined && placeholders.length === files.length + parts.length
      ? undefined
      : { ...plain, ...secrets, ...lists };
  if (files.length === 0 && parts.length === 0) {
    return { body: body === undefined ? null : JSON.stringify(body), secrets: hidden };
  }
  const form = await newForm();
  for (const [name, value] of Object.entries(body ?? {})) form.append(name, partText(value));
  for (const { field, blob, name } of parts) form.append(field, blob, name);
  for (const file of files) {
    const bytes = await plannedFile(file, sources);
    form.append(
      file.field,
      new Blob([bytes], { type: file.mediaType }),
      file.file.slice(file.file.lastIndexOf('/') + 1),
    );
  }
  return { body: form, secrets: hidden };
}

/**
 * Reads the files, lists and secrets of requests and compares them with the plan, without sending anything. Rejects with one Refusal
 * for all that have the problem of the first, with at most `namedSources` messages: a file or list changed (6), a secret is missing
 * or another one (65). The times of bans and mutes are compared only when they are sent, because they may pass during the run.
 */
export async function demandPlannedSources(requests: Iterable<ApiRequest>, sources: PlaceholderSources): Promise<void> {
  const compared = new Set<string>();
  const refusals = new Map<string, Refusal>();
  for (const { placeholders = [] } of requests) {
    for (const placeholder of placeholders) {
      try {
        if (placeholder.type === 'list') await listOf(placeholder.source, sources);
        else if (placeholder.type === 'secret') plannedSecret(placeholder, sources);
        else if (placeholder.type === 'file' && !compared.has(placeholder.file + placeholder.digest)) {
          compared.add(placeholder.file + placeholder.digest);
          await plannedFile(placeholder, sources);
        }
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        refusals.set(error.message, error);
      }
    }
  }
  const [first] = refusals.values();
  if (first === undefined) return;
  const messages = [...refusals.values()].filter(({ code }) => code === first.code).map(({ message }) => message);
  const others = messages.length - namedSources;
  const more = others > 0 ? [`${others} more have the same problem.`] : [];
  throw new Refusal(
    first.code,
    first.exitCode,
    [...messages.slice(0, namedSources), ...more].join(' '),
    `Nothing was sent. ${first.advice}`,
    { cause: first.cause },
  );
}

const namedSources = 10;

/** Makes undici's own FormData, the only kind that its client sends as a form. Loaded on demand, because few requests have files. */
async function newForm(): Promise<FormData> {
  const { FormData: Form } = await import('undici');
  return new Form();
}

/**
 * Each field is one part (platform §1). The documents do not say how to write a list. JSON, unlike a comma-joined list,
 * keeps ids that contain commas apart.
 */
function partText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function secondsUntil(until: string, { clock }: PlaceholderSources): number {
  const seconds = Math.ceil((Date.parse(until) - clock.date().getTime()) / 1000);
  // -1 means no end, and the meaning of 0 and other negative values is not documented.
  if (seconds >= 1) return seconds;
  throw new Refusal(
    'apply.already-over',
    exitCode.conflict,
    `The plan contains a ban or mute that ended at ${until}.`,
    'Make a new plan, which leaves it out.',
  );
}

function listOf(source: JsonObject, { listToSend }: PlaceholderSources): Promise<readonly JsonObject[]> {
  if (listToSend === undefined) throw new InternalError('no reader of lists was given');
  return listToSend(source);
}

/** Returns the secret, and the texts within it if it is a file, none of which may appear in messages. */
function plannedSecret(placeholder: SecretPlaceholder, sources: PlaceholderSources): [secret: string, ...string[]] {
  const { variable, file } = placeholder;
  if (file === undefined) return [secretOf(variable, sources)];
  const secret = sources.isSimulated === true ? JSON.stringify(file.values) : secretOf(variable, sources);
  return [secret, ...secretsIn(secret, placeholder)];
}

function secretOf(variable: string, sources: PlaceholderSources): string {
  const value = sources.variables(variable);
  if (value !== undefined) return value;
  throw new Refusal(
    'apply.variable-missing',
    exitCode.invalid,
    `The environment variable CHATFORM_VAR_${variable} is not set.`,
    'The request needs its value, which is in neither the plan nor state. Set the variable and run the same command again.',
  );
}

/** Returns the texts within the secret, which must not appear in messages either. Refused (65) if it is not what was planned. */
function secretsIn(secret: string, { variable, file }: SecretPlaceholder): string[] {
  const { values = {} } = file ?? {};
  let content: unknown;
  try {
    content = JSON.parse(secret);
  } catch {
    // Reported below like any other content.
  }
  const found = typeof content === 'object' && content !== null ? (content as Readonly<Record<string, unknown>>) : {};
  const wrong = Object.keys(values).find((name) => found[name] !== values[name]);
  if (wrong === undefined) {
    return Object.entries(found).flatMap(([name, value]) =>
      typeof value === 'string' && value !== '' && values[name] === undefined ? [value] : [],
    );
  }
  throw new Refusal(
    'apply.other-secret',
    exitCode.invalid,
    `CHATFORM_VAR_${variable} is not a JSON file with the ${wrong} ${JSON.stringify(values[wrong])} that the plan names.`,
    'Set the variable to the content of the right file, or declare the ids of this one.',
  );
}

async function plannedFile(file: FilePlaceholder, sources: PlaceholderSources): Promise<Uint8Array<ArrayBuffer>> {
  const advice = 'Restore the file, run the command in the folder of the plan, or make a new plan.';
  const changed = (how: string, cause?: unknown) => {
    const place = sources.placeOf?.(file.file) ?? file.file;
    return new Refusal('apply.file-changed', exitCode.conflict, `The file ${place} ${how}.`, advice, { cause });
  };
  const bytes = await sources.readFile(file.file).catch((cause: unknown) => {
    throw changed('can no longer be read', cause);
  });
  if (digestText(bytes) !== file.digest) throw changed('has changed since the plan');
  return new Uint8Array(bytes);
}
