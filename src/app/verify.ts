// How does a verification go: every declared archive against its channel, paced, with a report in the end?
import { resolve } from 'node:path';
import type { Environment } from '../cli/environment.ts';
import { type CommandInput, usage } from '../cli/flags/command.ts';
import { kindOf } from '../model/address.ts';
import { type ExitCode, exitCode } from '../model/exit-code.ts';
import {
  type ChannelFigures,
  type MigrationReport,
  migrationReportVersion,
  totalled,
} from '../model/migration-report.ts';
import type { Resource } from '../model/resource.ts';
import { migrationAsMarkdown, migrationForPeople } from '../view/migration-report.ts';
import { safeJson } from '../view/text.ts';
import { demandValid, loadDeclared } from './load-declared.ts';
import { writeOutput } from './output-files.ts';
import { type Application, resolveApplication } from './session/application.ts';
import { connectToRead } from './session/connect.ts';
import { type VerifiedChannel, verifyChannel } from './verify-channel.ts';

/** Channels that are read side by side: enough to fill the limit of a slow platform. */
const maxAtOnce = 32;

export async function runVerify(input: CommandInput, world: Environment): Promise<ExitCode> {
  const files = reportFiles(input.list('report'));
  const manifest = await loadDeclared(input.args, world, 'warn');
  await demandValid(manifest.diagnostics, input, world);
  const application = resolveApplication(input, world, manifest.application);
  const report = await verifyArchives(archivesAmong(manifest.resources), application, input.flag('all'), input, world);
  await writeReports(files, report, world);
  if (input.text('format') === 'json') world.stdout.write(`${safeJson(report, 2)}\n`);
  else for (const line of migrationForPeople(report)) world.stdout.write(line);
  return report.exit_code;
}

/** After an apply, which has the word on stdout: told on stderr. */
export async function verifyDeclared(
  declared: Iterable<Resource>,
  application: Application,
  input: CommandInput,
  world: Environment,
): Promise<ExitCode> {
  const files = reportFiles(input.list('migration-report'));
  const report = await verifyArchives(archivesAmong(declared), application, false, input, world);
  await writeReports(files, report, world);
  for (const line of migrationForPeople(report)) world.stderr.write(line);
  return report.exit_code;
}

function* archivesAmong(resources: Iterable<Resource>): Generator<Resource> {
  for (const resource of resources) if (kindOf(resource.address) === 'messages') yield resource;
}

/** Under the rate limits, many channels side by side; `all` compares every message. `see` is told of each. */
export async function verifyArchives(
  archives: Iterable<Resource>,
  application: Application,
  all: boolean,
  input: CommandInput,
  world: Environment,
  see?: (archive: Resource, verified: VerifiedChannel) => void,
): Promise<MigrationReport> {
  const startedAt = world.clock.date();
  const connection = await connectToRead(input, world, application);
  try {
    const { reader } = connection;
    const channels: ChannelFigures[] = [];
    const waiting = archives[Symbol.iterator]();
    const work = async (): Promise<void> => {
      for (let next = waiting.next(); next.done !== true; next = waiting.next()) {
        const verified = await verifyChannel(next.value, {
          reader,
          lines: (hole) => connection.archives.lines(hole),
          path: (file) => resolve(world.cwd, file),
          all,
        });
        see?.(next.value, verified);
        channels.push(verified.figures);
      }
    };
    await Promise.all(Array.from({ length: maxAtOnce }, work));
    channels.sort((left, right) => (left.channel_url < right.channel_url ? -1 : 1));
    const isGood = channels.every(({ outcome }) => outcome === 'matched');
    return {
      format_version: migrationReportVersion,
      application: application.identity,
      exit_code: isGood ? exitCode.done : exitCode.incomplete,
      started_at: startedAt.toISOString(),
      finished_at: world.clock.date().toISOString(),
      requests: reader.requests,
      totals: totalsOf(channels),
      channels,
    };
  } finally {
    await connection.close();
  }
}

function totalsOf(channels: readonly ChannelFigures[]): MigrationReport['totals'] {
  const sum = (name: (typeof totalled)[number]) => channels.reduce((total, channel) => total + channel[name], 0);
  const count = (outcome: ChannelFigures['outcome']) => channels.filter((one) => one.outcome === outcome).length;
  return {
    ...(Object.fromEntries(totalled.map((name) => [name, sum(name)])) as Record<(typeof totalled)[number], number>),
    channels: channels.length,
    matched: count('matched'),
    mismatched: count('mismatched'),
    unreadable: count('unreadable'),
  };
}

/** By their endings; refused (64) before anything is read. */
function reportFiles(files: readonly string[]): readonly string[] {
  const other = files.find((file) => !/\.(json|md)$/u.test(file));
  if (other === undefined) return files;
  throw usage(`The report ${other} ends neither in .md nor in .json.`, 'Its ending says how it is written.');
}

async function writeReports(files: readonly string[], report: MigrationReport, world: Environment): Promise<void> {
  for (const file of files) {
    const text = file.endsWith('.md')
      ? [...migrationAsMarkdown(report)].join('')
      : `${JSON.stringify(report, null, 2)}\n`;
    await writeOutput(resolve(world.cwd, file), text);
  }
}
