// Makes the file of an export that has the settings of the whole application. Readers begin there.
import type { Application } from '../../../core/app/context/application.ts';
import type { KindDefinition } from '../../../core/kinds/definition/kind.ts';
import { manifestText, type SectionNode, settingsNode } from '../../../core/manifest/write/block-text.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { type ExportedBlocks, patternOf } from './blocks.ts';

export const applicationFile = 'application.yaml';

export function applicationText(
  parts: Readonly<Record<'application' | 'policy', JsonObject> & Record<'sources', readonly JsonObject[]>>,
  kinds: readonly KindDefinition[],
): string {
  const sections = Object.entries(parts).flatMap(([section, settings]): [string, SectionNode][] => {
    const node = settingsNode(settings);
    return node === undefined ? [] : [[section, node]];
  });
  return manifestText(sections, kinds);
}

export function applicationBlock({ settings, rates }: Application, ratePlan: string | undefined): JsonObject {
  const length = rates.messageLength === undefined ? {} : { message_length: rates.messageLength };
  const metaArrays = rates.metaArrays === undefined ? {} : { meta_arrays: { ...rates.metaArrays } };
  const limits: JsonObject = { ...settings.limits, ...length, ...metaArrays };
  return {
    base_url: settings.base_url,
    ...(ratePlan === undefined ? {} : { rate_plan: ratePlan }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
    ...(settings.rate_share === 1 ? {} : { rate_share: settings.rate_share }),
  };
}

/** The policy under which the loader accepts the exported objects. */
export function policyBlock(blocks: ExportedBlocks): JsonObject {
  const external = Object.fromEntries(Array.from(blocks.missing(), ([section, ids]) => [section, ids.map(patternOf)]));
  return {
    ...(Object.keys(external).length === 0 ? {} : { external }),
    ...(blocks.hasPersonal ? { personal_data: 'warn' } : {}),
  };
}
