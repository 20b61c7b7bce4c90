// Rehearses a whole migration in virtual time: the bulk, each difference of the series, and the last window.
//
// The messages of each phase are those of the history files up to the last message of its conversion. The window sends as many
// messages as its bound: copies of the last message of each channel, at later times.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { resolveApplication } from '../../core/app/context/application.ts';
import type { Ports } from '../../core/app/context/ports.ts';
import { loadValid } from '../../core/app/opening/load-declared.ts';
import { demandPossible, nowOf, planManifests } from '../../core/app/plans/plan-manifests.ts';
import { disk, type FileAccess } from '../../core/manifest/files/access.ts';
import { commandInterrupted } from '../../core/model/errors.ts';
import type { RehearsedPhase, SeriesRun } from '../../core/model/migration/cutover.ts';
import { writeWhole } from '../../lib/durable-files.ts';
import type { JsonObject } from '../../lib/json.ts';
import { isInside } from '../../lib/paths.ts';
import { SimulatedEstate } from '../../tools/rehearsal/simulation/simulated-estate.ts';
import { historyFileLinesOf, type TimedLine } from '../convert/earlier-conversion.ts';
import type { CutoverOptions } from './facts.ts';

interface RehearsalPhase {
  readonly name: RehearsedPhase['name'];
  /** Messages after this time are left out. Unix milliseconds. */
  readonly until: number;
  /** The number of messages that are added to the history files. */
  readonly extra: number;
}

/** `extra` is the number of messages of the last window. Begins with an empty application, and ends after a failed phase. */
export async function rehearsePhases(
  runs: readonly SeriesRun[],
  extra: number,
  options: CutoverOptions,
  ports: Ports,
): Promise<RehearsedPhase[]> {
  const historyFiles = resolve(ports.cwd, options.folder, 'history');
  const temporary = await mkdtemp(join(tmpdir(), 'chatform-cutover-'));
  // A loader may have resolved links.
  const folders = [historyFiles, await disk.realPath(historyFiles).catch(() => historyFiles)];
  const placeOf = (path: string) => {
    const folder = folders.find((other) => path !== other && isInside(other, path));
    return folder === undefined ? path : join(temporary, relative(folder, path));
  };
  const rehearsed: RehearsedPhase[] = [];
  let estate: SimulatedEstate | undefined;
  let before = 0;
  const stop = new AbortController();
  // The temporary folder must be removed before the process ends.
  const forget = ports.onInterrupt(() => stop.abort());
  try {
    for (const phase of phasesOf(runs, extra)) {
      const total = await stageHistoryFiles(historyFiles, temporary, phase);
      const quiet = { ...ports, notify: () => {} };
      const manifest = await loadValid([options.folder], quiet, { files: overlaid(placeOf) });
      const application = resolveApplication(options, ports, manifest.application);
      estate ??= new SimulatedEstate({
        application,
        startsAt: ports.clock.date(),
        cwd: ports.cwd,
        placeOf,
        variables: (name) => ports.env[`CHATFORM_VAR_${name}`] ?? 'rehearsal',
        readFile: (file) => disk.readFile(resolve(ports.cwd, file)),
      });
      const now = nowOf(estate);
      const plan = demandPossible(planManifests(manifest, application, await estate.state(), { now }));
      await estate.setUpExternalUsers(plan);
      const from = estate.clock.now();
      const { report, refusal } = await estate.apply(plan, {
        existing: manifest.policy.existing,
        signal: stop.signal,
      });
      if (stop.signal.aborted) throw commandInterrupted();
      if (report === undefined) throw refusal;
      const requests = report.requests.reduce((sum, { sent }) => sum + sent, 0);
      const duration_s = Math.round((estate.clock.now() - from) / 100) / 10;
      const { outcome } = report;
      rehearsed.push({ name: phase.name, messages: total - before, requests, duration_s, outcome });
      if (outcome !== 'done') break;
      before = total;
    }
    return rehearsed;
  } finally {
    forget();
    await estate?.close();
    await rm(temporary, { recursive: true, force: true });
  }
}

function phasesOf(runs: readonly SeriesRun[], extra: number): RehearsalPhase[] {
  const ends = runs.map(({ last }) => (last === undefined ? Number.NEGATIVE_INFINITY : Date.parse(last)));
  const phases = ends.map((_end, at): RehearsalPhase => {
    // Messages after the last one of the series come from exports of earlier times. They arrive with the last difference.
    const isLast = at === ends.length - 1;
    const until = isLast ? Number.POSITIVE_INFINITY : Math.max(...ends.slice(0, at + 1));
    return { name: at === 0 ? 'bulk' : 'difference', until, extra: 0 };
  });
  return [...phases, { name: 'window', until: Number.POSITIVE_INFINITY, extra }];
}

/** The disk, but with the history files of a phase instead of the real ones. */
function overlaid(placeOf: (path: string) => string): FileAccess {
  return {
    ...disk,
    readFile: (path) => disk.readFile(placeOf(path)),
    readChunks: (path) => disk.readChunks(placeOf(path)),
    stat: (path) => disk.stat(placeOf(path)),
  };
}

/** Writes the history files of a phase and returns the number of their messages. */
async function stageHistoryFiles(
  historyFiles: string,
  staged: string,
  { until, extra }: RehearsalPhase,
): Promise<number> {
  const found = await readdir(historyFiles, { recursive: true }).catch(() => []);
  const names = found.filter((name) => name.endsWith('.ndjson')).sort();
  let [count, remaining] = [0, extra];
  const lines = function* (name: string, share: number): Generator<string> {
    let last: TimedLine | undefined;
    for (const line of historyFileLinesOf(join(historyFiles, name))) {
      if (line.time > until) break;
      last = line;
      count++;
      yield `${line.text}\n`;
    }
    if (last === undefined) return;
    const message = JSON.parse(last.text) as JsonObject;
    for (let at = 1; at <= share; at++, remaining--, count++) {
      yield `${JSON.stringify({ ...message, timestamp: last.time + at, dedup_id: `rehearsal-${at}` })}\n`;
    }
  };
  for (const [at, name] of names.entries())
    await writeWhole(join(staged, name), lines(name, Math.ceil(remaining / (names.length - at))));
  return count;
}
