// Makes the JSON Schema of `policy.rules`.

import type { Action } from '../../model/action.ts';
import { type JsonSchema, type KindDefinition, neverDisabled } from '../../resources/define.ts';

/** Every effect that a plan may have: a kind and an action. */
export function effectsOfKinds(kinds: readonly KindDefinition[]): string[] {
  return kinds.flatMap((kind) => [...actionsOf(kind)].map((action) => `${kind.kind}.${action}`));
}

function actionsOf(kind: KindDefinition): ReadonlySet<Action> {
  const { attributes, disabledState, removals, memberships, contents, isChild } = kind;
  const erase: readonly Action[] = contents === undefined ? [] : ['erase'];
  if (isChild === true) return new Set<Action>(['migrate', 'update', ...erase, ...removals]);
  return new Set<Action>([
    'create',
    'adopt',
    'update',
    ...(disabledState === neverDisabled ? [] : [disabledState.disable, disabledState.enable]),
    ...removals,
    ...(memberships === undefined ? [] : (['invite', 'leave'] as const)),
    ...Object.values(attributes).flatMap(({ actions = [] }) => actions),
  ]);
}

export function rulesSchema(kinds: readonly KindDefinition[]): JsonSchema {
  return {
    type: 'array',
    description: 'Conditions under which a plan is refused, or has a warning. Judged for every plan, offline.',
    items: {
      type: 'object',
      required: ['name', 'when', 'message'],
      properties: {
        name: { type: 'string', pattern: '^[a-z0-9-]+$', description: 'A name of small letters, digits and hyphens.' },
        on: {
          type: 'array',
          minItems: 1,
          items: { enum: [...kinds.map(({ kind }) => kind), ...effectsOfKinds(kinds)] },
          uniqueItems: true,
          description: 'The kinds or effects that it is about: [user, group_channel.delete]. Default: all.',
        },
        when: {
          type: 'string',
          minLength: 1,
          maxLength: 4000,
          description:
            'A CEL expression over change and plan. True: the rule applies. change.kind == "user" && change.attributes.exists(a, a.path == "nickname")',
        },
        message: { type: 'string', minLength: 1, description: 'What is wrong, and what to do.' },
        level: {
          enum: ['error', 'warning'],
          default: 'error',
          description: 'error: the plan is refused (5). Default: error.',
        },
      },
      additionalProperties: false,
    },
  };
}
