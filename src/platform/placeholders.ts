// How does a request get the values that no plan holds: secrets and files? And is it JSON or multipart then? (platform §1)
import type { FormData } from 'undici';
import { digestText } from '../lib/digest.ts';
import { InternalError } from '../lib/errors.ts';
import type { JsonObject, JsonValue } from '../lib/json.ts';
import { Refusal } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';
import type { ApiRequest, MessagesPlaceholder, Placeholder } from '../model/request.ts';

/** Where the values come from. */
export interface PlaceholderSources {
  /** The value of the environment's CHATFORM_VAR_<name>. */
  readonly variables: (name: string) => string | undefined;
  /** A file by the name that the plan has for it; rejects when it cannot be read. */
  readonly readFile: (file: string) => Promise<Uint8Array>;
  /** What is sent of an archive's messages; rejects with a Refusal when they are not the planned ones any more. */
  readonly readMessages?: (hole: MessagesPlaceholder) => Promise<readonly JsonObject[]>;
}

export interface FilledRequest {
  readonly body: string | FormData | null;
  readonly multipart: boolean;
  /** Values that must not be quoted by a message. */
  readonly secrets: readonly string[];
}

type FileHole = Extract<Placeholder, { readonly type: 'file' }>;

export async function fillPlaceholders(
  request: ApiRequest,
  sources: PlaceholderSources,
  Form: typeof FormData,
): Promise<FilledRequest> {
  const holes = request.holes ?? [];
  const secrets: Record<string, string> = {};
  const lists: Record<string, readonly JsonObject[]> = {};
  const files: FileHole[] = [];
  for (const hole of holes) {
    if (hole.type === 'secret') secrets[hole.field] = secretOf(hole.variable, sources);
    else if (hole.type === 'messages') lists[hole.field] = await messagesOf(hole, sources);
    else files.push(hole);
  }
  const hidden = Object.values(secrets);
  const body: JsonObject | undefined =
    request.body === undefined && holes.length === files.length ? undefined : { ...request.body, ...secrets, ...lists };
  if (files.length === 0) {
    return { body: body === undefined ? null : JSON.stringify(body), multipart: false, secrets: hidden };
  }
  const form = new Form();
  for (const [name, value] of Object.entries(body ?? {})) form.append(name, partText(value));
  for (const file of files) {
    const bytes = await plannedFile(file, sources);
    form.append(
      file.field,
      new Blob([bytes], { type: file.mediaType }),
      file.file.slice(file.file.lastIndexOf('/') + 1),
    );
  }
  return { body: form, multipart: true, secrets: hidden };
}

/**
 * One part a field (platform §1). How a list is written in a part is not documented; JSON keeps ids with commas apart, which
 * a comma-joined list would not.
 */
function partText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function messagesOf(hole: MessagesPlaceholder, { readMessages }: PlaceholderSources): Promise<readonly JsonObject[]> {
  if (readMessages === undefined) throw new InternalError('there is nobody to read message archives');
  return readMessages(hole);
}

function secretOf(variable: string, sources: PlaceholderSources): string {
  const value = sources.variables(variable);
  if (value !== undefined) return value;
  throw new Refusal(
    'apply.variable-missing',
    exitCode.invalid,
    `The environment variable CHATFORM_VAR_${variable} is not set.`,
    'The request needs its value, which no plan and no state holds. Set it and run the same command again.',
  );
}

async function plannedFile(hole: FileHole, sources: PlaceholderSources): Promise<Uint8Array<ArrayBuffer>> {
  const advice = 'A plan sends what was reviewed. Restore the file, or make a new plan.';
  let bytes: Uint8Array;
  try {
    bytes = await sources.readFile(hole.file);
  } catch (cause) {
    throw new Refusal(
      'apply.file-changed',
      exitCode.conflict,
      `The file ${hole.file} cannot be read any more.`,
      advice,
      {
        cause,
      },
    );
  }
  if (digestText(bytes) !== hole.digest) {
    throw new Refusal(
      'apply.file-changed',
      exitCode.conflict,
      `The file ${hole.file} has changed since the plan.`,
      advice,
    );
  }
  return new Uint8Array(bytes);
}
