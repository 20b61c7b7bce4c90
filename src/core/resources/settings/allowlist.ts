// The addresses that may call the API of an application (platform §13.4). A wrong list locks everybody out, chatform included.

import { type JsonValue, textsIn } from '../../../lib/json.ts';
import type { AttributeDefinition, BlockProblem, KindChange, StepDraft } from '../../kinds/definition/kind.ts';
import { idsOf, sortedSet } from '../../kinds/definition/values.ts';

const route = '/applications/settings/ip_whitelist';
const field = 'ip_whitelist_addresses';
const byte = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';

export const allowlistAttribute = {
  schema: {
    type: 'array',
    items: {
      type: 'string',
      pattern: `^${byte}(\\.${byte}){3}(/(3[0-2]|[12]?\\d))?$`,
      description: 'An IPv4 address or range: 192.0.2.7 or 192.0.2.0/24.',
      examples: ['192.0.2.7', '192.0.2.0/24', '198.51.100.1/32'],
    },
    uniqueItems: true,
    maxItems: 100,
    description:
      'The IPv4 addresses and ranges that may call the API, including the address of chatform. An empty list lets every address in. Undeclared entries stay.',
  },
  change: 'mutable',
  removed: { how: 'each' },
  shape: 'set',
  sentBy: 'steps',
  shown: { as: 'compared', by: { route, answerField: field } },
  people: ['api'],
  rights: 'grants',
  actions: ['update', 'lockout'],
} as const satisfies AttributeDefinition;

/** Sorts the addresses. The platform shows one address as a range of one. */
export function normalAddresses(value: JsonValue | undefined): string[] {
  const texts = textsIn(value);
  return sortedSet(texts.map((text) => (text.includes('/') ? text : `${text}/32`)));
}

/** Refuses ranges whose address is not their first one, because the platform may show them as other ranges. */
export function addressProblems(addresses: readonly string[]): BlockProblem[] {
  return addresses.flatMap((text): BlockProblem[] => {
    const [address = '', bits = '32'] = text.split('/');
    const size = 2 ** (32 - Number(bits));
    const first = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
    if (first % size === 0) return [];
    const start = first - (first % size);
    const range = `${[24, 16, 8, 0].map((shift) => Math.floor(start / 2 ** shift) % 256).join('.')}/${bits}`;
    return [
      {
        severity: 'error',
        code: 'settings.inside-range',
        summary: 'An address range does not begin at its first address',
        detail: `${text} is an address inside the range ${range}. Write ${range} for the whole range, or ${address} for this address alone.`,
        path: ['ip_whitelist', text],
      },
    ];
  });
}

/**
 * The first address locks out all other callers, and removing one locks out its callers. Such a step comes after all others of
 * the settings. Further addresses only let more callers in.
 */
export function allowlistSteps({ before, after, attributes }: KindChange): StepDraft[] {
  if (!attributes.some(({ path }) => path[0] === 'ip_whitelist')) return [];
  const [known, wanted] = [idsOf(before, 'ip_whitelist'), idsOf(after, 'ip_whitelist')];
  const added = wanted.filter((address) => !known.includes(address));
  const removed = known.filter((address) => !wanted.includes(address));
  const removals = removed.length === 0 ? [] : [removal(removed)];
  if (added.length === 0) return removals;
  const addition: StepDraft = {
    ...(known.length === 0 ? { action: 'lockout', phase: 'record' } : { action: 'update', phase: 'settings' }),
    request: { method: 'PUT', route, body: { [field]: added } },
    edits: [{ op: 'add', path: ['ip_whitelist'], values: added }],
  };
  return [addition, ...removals];
}

/** One call for all of them: between two calls, the remaining ones would lock out chatform itself. */
function removal(addresses: readonly string[]): StepDraft {
  return {
    action: 'lockout',
    phase: 'record',
    // The documents show the addresses in the body, and the vendor's clients send them in the query (platform §13.4).
    request: { method: 'DELETE', route, query: { [field]: addresses }, body: { [field]: addresses } },
    edits: [{ op: 'remove', path: ['ip_whitelist'], values: addresses }],
  };
}

export function allowlistNotes({ before, after, attributes }: KindChange): string[] {
  if (!attributes.some(({ path }) => path[0] === 'ip_whitelist')) return [];
  const [known, wanted] = [idsOf(before, 'ip_whitelist'), idsOf(after, 'ip_whitelist')];
  if (wanted.length === 0)
    return ['if nobody else has added addresses, which stay, the API can be called from anywhere'];
  if (known.length > 0 && known.every((address) => wanted.includes(address))) return [];
  return [
    'the platform refuses calls from addresses that are not listed; chatform cannot tell from which address the platform sees it',
  ];
}
