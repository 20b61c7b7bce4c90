// The application that the folder of a conversion declares, and what it costs to send everything that was converted to it.

import { join, resolve } from 'node:path';
import { type Application, type DeclaredApplication, resolveApplication } from '../../core/app/context/application.ts';
import { behavioursBeside } from '../../core/app/context/behaviours-beside.ts';
import { withBehaviours } from '../../core/app/context/open-application.ts';
import type { Ports } from '../../core/app/context/ports.ts';
import { loadDeclared } from '../../core/app/opening/load-declared.ts';
import { nowOf, planManifests } from '../../core/app/plans/plan-manifests.ts';
import { outlinedHistoryFile } from '../../core/history/lines/history-file.ts';
import { disk, type FileAccess } from '../../core/manifest/files/access.ts';
import type { KnownHistoryFiles } from '../../core/manifest/history-files/history-files.ts';
import type { EstateCost } from '../../core/model/conversion.ts';
import { hasErrors } from '../../core/model/diagnostic.ts';
import { Refusal } from '../../core/model/errors.ts';
import { messageLengths } from '../../core/model/limits.ts';
import { channelOfHistoryFile } from '../../core/model/migration/history-names.ts';
import { emptyState } from '../../core/model/ports.ts';
import { realPath } from '../../lib/paths.ts';
import type { Collect } from '../../lib/series.ts';
import type { StagedFiles } from '../../lib/staging/staged-files.ts';
import type { Conversion } from '../convert/convert.ts';

export type EstatePorts = Pick<Ports, 'env' | 'cwd' | 'clock'>;

/**
 * The longest text that the application of the folder accepts, in Unicode code points. Reads only manifests that people wrote,
 * so it is quick. `generated`: the others, relative to `out`. Refused (65) for a behaviours file that is not valid.
 */
export async function messageLengthOf(out: string, generated: Iterable<string>, ports: EstatePorts): Promise<number> {
  const { usual } = messageLengths;
  const { application } = await loadDeclared([out], { ...ports, cwd: out }, { files: without(out, generated) });
  if (application === undefined) return usual;
  const { messageLength = usual } = (await resolved(application, out, ports))?.rates ?? {};
  // Manifests with longer texts than usual are only valid if the application declares the length.
  return application.message_length ?? Math.min(messageLength, usual);
}

type HistoryFileFigures = Pick<Conversion, 'messagesOf' | 'sendersOf'>;

/**
 * The cost by the plan of an empty application, from the new files and the manifests that people wrote. A sentence says why
 * the cost is not known. Reads only the history files whose senders are not in `figures`.
 */
export async function costOf(
  out: string,
  files: StagedFiles,
  figures: HistoryFileFigures,
  ports: EstatePorts,
): Promise<EstateCost | string> {
  for (const name of files.names) files.pathOf(name);
  const access = without(out, [...files.names, ...Object.keys(files.before)]);
  const knownHistoryFiles = outlinesIn(await realPath(files.folder), files.names, figures);
  const options = { files: access, knownHistoryFiles };
  const manifest = await loadDeclared([files.folder, out], { ...ports, cwd: out }, options);
  if (hasErrors(manifest.diagnostics)) return 'The manifests have errors, which chatform validate shows.';
  const application = manifest.application && (await resolved(manifest.application, out, ports));
  if (application === undefined) return 'The manifests do not declare an application with a usable base_url.';
  const { plan, problems } = planManifests(manifest, application, emptyState, {
    now: nowOf(ports),
    isComparison: true,
    collect: collectNothing,
  });
  const { requests, duration } = plan;
  return problems.length > 0
    ? 'A plan would be refused, and chatform plan says why.'
    : { rate_plan: application.rates.ratePlan, requests, duration };
}

/** Only the counts of the plan are used. */
const collectNothing: Collect = () => ({ push: () => {}, end: () => [] });

/** Nothing is sent, so every base URL is trusted. Undefined if the base URL is missing or cannot be used. */
async function resolved(
  declared: DeclaredApplication,
  out: string,
  ports: EstatePorts,
): Promise<Application | undefined> {
  try {
    const application = resolveApplication({ baseUrl: declared.base_url }, ports, declared, { mayBeUnknown: true });
    return await withBehaviours(application, behavioursBeside([out], ports));
  } catch (error) {
    if (error instanceof Refusal && error.code.startsWith('application.')) return undefined;
    throw error;
  }
}

/** History files of which the calls can be counted without reading them. `folder` is that of the new files. */
function outlinesIn(
  folder: string,
  names: Iterable<string>,
  { messagesOf, sendersOf }: HistoryFileFigures,
): KnownHistoryFiles {
  const urls = new Map([...names].map((name) => [join(folder, name), channelOfHistoryFile(name)]));
  return {
    recall: ({ path, linesOfBlock }) => {
      const url = urls.get(path) ?? '';
      const senders = sendersOf.get(url);
      return senders && outlinedHistoryFile(messagesOf.get(url) ?? 0, [...senders].sort(), linesOfBlock);
    },
    keep: () => {},
  };
}

/** The disk without the files that conversions generated in `out`. */
function without(out: string, generated: Iterable<string>): FileAccess {
  const hidden = new Set([...generated].map((name) => join(out, name)));
  return {
    ...disk,
    async listFolder(path) {
      const entries = await disk.listFolder(path);
      return entries.filter(({ name }) => !hidden.has(resolve(path, name)));
    },
  };
}
