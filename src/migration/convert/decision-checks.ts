// Checks a decisions file for unknown, wrong and repeated values.
import { isObject, isUnusableText, type JsonObject, type JsonValue, ownValue, reservedKeys } from '../../lib/json.ts';
import { consequences, type FieldDecision, fieldDecisions, type RowKind } from './export/fields.ts';
import { type ReasonCode, reasons } from './export/reasons.ts';
import type { ExportSource } from './export/source.ts';

export const decisionsVersion = 1;

/** The choices for each setting. The first choice is the default. */
export const choices = {
  users: {
    guests: ['declare', 'leave_out'],
    deleted: ['deactivate', 'leave_out'],
    bots: ['declare', 'admin_message', 'leave_out'],
    unknown: ['declare', 'leave_out'],
    banned: ['deactivate', 'declare'],
    pictures: ['keep', 'omit'],
  },
  channels: {
    public: ['members', 'everybody'],
    deleted: ['leave_out', 'freeze'],
  },
  messages: {
    joins: ['admin_message', 'leave_out'],
    restricted: ['leave_out', 'show'],
    long_texts: ['split', 'leave_out'],
    reactions: ['envelope', 'send'],
    threads: ['flat', 'send'],
  },
  files: {
    urls: ['keep', 'list', 'omit'],
  },
} as const;

const idMaps = ['user_ids', 'channel_urls', 'folders'] as const;

export const renamedKinds = ['users', 'channels'] as const;
export const renameAnswers = ['yes', 'no', 'undecided'] as const;
export type RenameAnswer = (typeof renameAnswers)[number];

/** Sections that must be maps. */
const maps = [
  ...Object.keys(choices),
  ...idMaps,
  'merged',
  'renamed',
  ...renamedKinds.map((kind) => `renamed.${kind}`),
  'left_out',
  'left_out.users',
  'left_out.channels',
  'fields',
  'accepted',
];

const noneReserved = `is not one of ${[...reservedKeys].join(', ')}`;

/** A wrong value and its path. */
export interface WrongDecision {
  readonly path: readonly string[];
  readonly detail: string;
}

/** `source` is the source that the export is read as. */
export function problemsOf(
  value: JsonObject,
  { name: source, idsAreNames, fields }: Pick<ExportSource, 'name' | 'idsAreNames' | 'fields'>,
): WrongDecision[] {
  const problems: WrongDecision[] = [];
  const known = [
    'format_version',
    'source',
    ...Object.keys(choices),
    'missing_time',
    ...idMaps,
    'merged',
    'renamed',
    'left_out',
    'fields',
    'accepted',
  ];
  for (const name of Object.keys(value)) {
    if (!known.includes(name))
      problems.push({ path: [name], detail: `${name} is unknown. Known: ${known.join(', ')}.` });
  }
  if (value.format_version !== String(decisionsVersion)) {
    problems.push({
      path: ['format_version'],
      detail: `format_version must be ${decisionsVersion}, the format that this version of chatform reads.`,
    });
  }
  if (value.source !== source) {
    const isOther = typeof value.source === 'string' && value.source !== '';
    const detail = isOther
      ? `These decisions are for ${value.source}, but the export is read as ${source}. Choose another folder with --out-dir.`
      : `source must be ${source}.`;
    problems.push({ path: ['source'], detail });
  }
  for (const name of maps) {
    const path = name.split('.');
    const found = path.reduce<JsonValue | undefined>((map, key) => (isObject(map) ? map[key] : undefined), value);
    if (found !== undefined && found !== '' && !isObject(found)) {
      problems.push({ path, detail: `${name} must be a map. Write each entry on a line, as KEY: VALUE.` });
    }
  }
  for (const [group, names] of Object.entries(choices)) {
    for (const [name, chosen] of Object.entries(mapIn(value, group))) {
      const allowed = ownValue<readonly string[]>(names, name);
      if (allowed === undefined) {
        problems.push({
          path: [group, name],
          detail: `${group}.${name} is unknown. Known: ${Object.keys(names).join(', ')}.`,
        });
      } else if (typeof chosen !== 'string' || !allowed.includes(chosen)) {
        problems.push({
          path: [group, name],
          detail: `${group}.${name} is ${JSON.stringify(chosen)}. Write ${allowed.join(' or ')}.`,
        });
      }
    }
  }
  if (value.missing_time !== undefined && Number.isNaN(Date.parse(String(value.missing_time)))) {
    problems.push({
      path: ['missing_time'],
      detail: 'missing_time is not a valid time. Write it like 2024-01-01T00:00:00Z.',
    });
  }
  problems.push(...repeatedTargets(value, 'user_ids'), ...repeatedTargets(value, 'channel_urls'));
  for (const [id, key] of Object.entries(mapIn(value, 'user_ids'))) {
    if (typeof key !== 'string' || !isUserId(key)) {
      problems.push({
        path: ['user_ids', id],
        detail: `A user_id has 1 to 80 characters, is not an e-mail address and ${noneReserved}.`,
      });
    }
  }
  for (const [id, key] of Object.entries(mapIn(value, 'channel_urls'))) {
    if (typeof key !== 'string' || !isChannelUrl(key)) {
      problems.push({
        path: ['channel_urls', id],
        detail: `A channel_url has 4 to 100 letters, digits, underscores and hyphens, and ${noneReserved}.`,
      });
    }
  }
  for (const [folder, id] of Object.entries(mapIn(value, 'folders'))) {
    if (typeof id !== 'string') problems.push({ path: ['folders', folder], detail: 'Write the id of one channel.' });
  }
  if (!idsAreNames && value.renamed !== undefined) {
    problems.push({
      path: ['renamed'],
      detail: `Ids of ${source} do not change with names, so renamed has no effect. Remove it.`,
    });
  }
  problems.push(...wrongRenames(mapIn(value, 'renamed')), ...wrongMerges(mapIn(value, 'merged')));
  for (const name of Object.keys(mapIn(value, 'left_out'))) {
    if (name !== 'users' && name !== 'channels') {
      problems.push({ path: ['left_out', name], detail: `left_out.${name} is unknown. Known: users, channels.` });
    }
  }
  problems.push(...wrongFields(mapIn(value, 'fields'), source, fields));
  for (const [code, chosen] of Object.entries(mapIn(value, 'accepted'))) {
    if (!isAcceptable(code)) {
      const detail =
        code === 'field.unknown'
          ? 'Decide about each field under fields.'
          : `${code} is not a reason for leaving something out.`;
      problems.push({ path: ['accepted', code], detail });
    } else if (chosen !== 'yes' && chosen !== 'no') {
      problems.push({
        path: ['accepted', code],
        detail: `accepted.${code} is ${JSON.stringify(chosen)}. Write yes or no.`,
      });
    }
  }
  return problems;
}

function wrongFields(decided: JsonObject, source: string, fields: ExportSource['fields']): WrongDecision[] {
  const restrictable = Object.keys(consequences).join(', ');
  return Object.entries(decided).flatMap(([key, chosen]) => {
    const path = ['fields', key];
    const kind = key.slice(0, Math.max(0, key.indexOf('.'))) as RowKind;
    if (!Object.hasOwn(fields, kind))
      return [
        {
          path,
          detail: `${key} is not a field of ${source}. Write KIND.FIELD, with one of ${Object.keys(fields).join(', ')}.`,
        },
      ];
    if (typeof chosen !== 'string' || !isFieldDecision(chosen))
      return [{ path, detail: `fields.${key} is ${JSON.stringify(chosen)}. Write ${fieldDecisions.join(' or ')}.` }];
    const isMisplaced = chosen === 'restricts' && consequences[kind] === undefined;
    return isMisplaced
      ? [{ path, detail: `A ${kind} cannot be restricted. Write accepted, or a field of ${restrictable}.` }]
      : [];
  });
}

export function isFieldDecision(text: string): text is FieldDecision {
  return fieldDecisions.some((known) => known === text);
}

function wrongRenames(renamed: JsonObject): WrongDecision[] {
  return Object.entries(renamed).flatMap(([kind, entries]) => {
    if (!renamedKinds.some((known) => known === kind)) {
      const detail = `renamed.${kind} is unknown. Known: ${renamedKinds.join(', ')}.`;
      return [{ path: ['renamed', kind], detail }];
    }
    return Object.entries(isObject(entries) ? entries : {}).flatMap(([id, answer]) => {
      const { was, same, ...more } = isObject(answer) ? answer : {};
      const isUsable =
        typeof was === 'string' &&
        was !== '' &&
        was !== id &&
        renameAnswers.some((known) => known === same) &&
        Object.keys(more).length === 0;
      const detail = `Write { was: EARLIER_ID, same: ${renameAnswers.join(' or ')} }.`;
      return isUsable ? [] : [{ path: ['renamed', kind, id], detail }];
    });
  });
}

function wrongMerges(merged: JsonObject): WrongDecision[] {
  return Object.entries(merged).flatMap(([id, into]) => {
    const path = ['merged', id];
    if (typeof into !== 'string' || into === '' || into === id)
      return [{ path, detail: 'Write OTHER_ID: ID, with the account that the person keeps second.' }];
    const next = ownValue(merged, into);
    return next === undefined
      ? []
      : [
          {
            path,
            detail: `${into} is merged itself. Write the account that the person keeps: ${id}: ${String(next)}.`,
          },
        ];
  });
}

function repeatedTargets(value: JsonObject, name: 'user_ids' | 'channel_urls'): WrongDecision[] {
  const owners = new Map<JsonValue, string>();
  const problems: WrongDecision[] = [];
  for (const [id, key] of Object.entries(mapIn(value, name))) {
    const owner = owners.get(key);
    if (owner === undefined) owners.set(key, id);
    else
      problems.push({
        path: [name, id],
        detail: `${String(key)} is already given to ${owner}.${name === 'user_ids' ? ` For two accounts of one person, write merged: { ${id}: ${owner} }.` : ''}`,
      });
  }
  return problems;
}

/** Whether people can accept that rows are left out for the reason. They decide about each unknown field on its own. */
export function isAcceptable(code: string): code is ReasonCode {
  const isReason = Object.hasOwn(reasons, code) && code !== 'field.unknown';
  return isReason && reasons[code as ReasonCode].outcome === 'left_out';
}

/** Whether the text is a valid user_id without an e-mail address (base, User). */
export function isUserId(text: string): boolean {
  const isShort = text !== '' && [...text].length <= 80;
  return (
    isShort && !reservedKeys.has(text) && !isUnusableText(text) && !/^\.{1,2}$|,|[^\s@]@[^\s@.]+\.[^\s@.]/u.test(text)
  );
}

export function isChannelUrl(text: string): boolean {
  return /^[0-9A-Za-z_-]{4,100}$/u.test(text) && !reservedKeys.has(text);
}

export function mapIn(value: JsonObject, name: string): JsonObject {
  const found = value[name];
  return isObject(found) ? found : {};
}
