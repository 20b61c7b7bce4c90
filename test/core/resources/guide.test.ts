// Tests that lists by hand contain every attribute: what a removed line does (semantics §1.2), and the rows of conformance. Each key of
// the policy is used.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AttributeDefinition, KindDefinition } from '../../../src/core/kinds/definition/kind.ts';
import { policyKeys } from '../../../src/core/model/policy.ts';
import { registry } from '../../../src/core/resources/index.ts';
import { stagedObjects } from '../../../src/tools/calibration/conformance-rows.ts';
import { scan, sourceFiles } from '../../support/source-files.ts';

const semantics = readFileSync(join(import.meta.dirname, '../../../src/semantics.md'), 'utf8');

/** The four bullets of semantics §1.2: set to a neutral value, removed one by one, enabled, no longer managed. */
const bullets = (/\*\*Removed lines\.\*\*[\s\S]*?(?=^3\. )/mu.exec(semantics)?.[0] ?? '').split('   - ').slice(1);
const [reset = '', each = '', enabled = '', released = ''] = bullets;

/** Whether words of the last bullets cover the attribute, which then need not have its name. */
function isInAGroup(
  { name: kind }: KindDefinition,
  name: string,
  { change, removed, schema }: AttributeDefinition,
): boolean {
  if (removed.how === 'reset') return kind === 'bot';
  if (removed.how === 'each') return false;
  const isFixed = change === 'create_only' || change === 'one_way';
  const isUploadOrToken = schema['x-file'] !== undefined || name.endsWith('_token');
  const isMode = change === 'mode';
  const isSetting = kind === 'settings' || kind === 'custom_type';
  return isFixed || isUploadOrToken || isMode || isSetting;
}

function bulletOf({ change, removed }: AttributeDefinition): string {
  if (removed.how === 'each') return each;
  return removed.how === 'reset' ? (change === 'closed' ? enabled : reset) : released;
}

const declared = registry.filter(({ isChild }) => isChild !== true);

test('semantics §1.2 says what a removed line of each attribute does', () => {
  expect(bullets).toHaveLength(4);
  const missing = declared.flatMap((kind) =>
    Object.entries(kind.attributes)
      .filter(([, { removed }]) => removed.how !== 'required')
      .filter(([name, one]) => !isInAGroup(kind, name, one) && !bulletOf(one).includes(`\`${name}\``))
      .map(([name, { removed }]) => `${kind.name}.${name}: ${removed.how}`),
  );
  expect(missing).toEqual([]);
});

/** Attributes that could have a row in `conformance` and have none. */
const withoutRow = [
  'bots.ai',
  'bots.channel_invitation_preference',
  'bots.enable_mark_as_read',
  'bots.metadata',
  'custom_types.allow_links',
  'custom_types.banned',
  'custom_types.domain_filter',
  'custom_types.image_moderation',
  'custom_types.muted',
  'custom_types.profanity_filter',
  'custom_types.profanity_triggered_moderation',
  'custom_types.push_template',
  'custom_types.user_messages_per_channel',
  'custom_types.user_messages_per_channel_duration',
  'group_channels.access_code',
  'group_channels.cover_url',
  'group_channels.is_distinct',
  'open_channels.cover_url',
];

/** No row can show an edit of it, or a read does not show it as declared. Settings are those of the whole application. */
function needsNoRow({ onlyKey }: KindDefinition, { change, schema }: AttributeDefinition): boolean {
  const isFixed = change === 'create_only' || change === 'noted' || change === 'mode' || change === 'start';
  return onlyKey !== undefined || isFixed || schema['x-file'] !== undefined;
}

test('each attribute has a row of conformance, or is on the list of those without one', () => {
  const withRow = new Set(
    stagedObjects.flatMap(({ section, stages }) =>
      stages.flatMap((stage) => Object.keys(stage ?? {}).map((name) => `${section}.${name}`)),
    ),
  );
  const missing = declared.flatMap((kind) =>
    Object.entries(kind.attributes)
      .filter(([, definition]) => !needsNoRow(kind, definition))
      .map(([name]) => `${kind.section}.${name}`)
      .filter((name) => !withRow.has(name)),
  );
  expect(missing.toSorted()).toEqual(withoutRow);
});

/** Files that only describe the policy, read it or print it. */
const aroundPolicy = /^(?:model\/policy|manifest\/schema\/|manifest\/checks\/settings\.ts|cli\/reference\/|view\/)/u;

test('each key of the policy is used by code that does its work', () => {
  const sources = sourceFiles().filter(({ path }) => !aroundPolicy.test(path));
  const code = sources.map(({ text }) => scan(text).code).join('\n');
  const isUsed = (name: string): boolean => new RegExp(`[.{,]\\s*${name}\\b`, 'u').test(code);
  expect(Object.keys(policyKeys).filter((name) => !isUsed(name))).toEqual([]);
  expect(isUsed('unused_key_of_this_test')).toBe(false);
});
