// Verifies each history file against its channel, under the rate limits.

import { resolve } from 'node:path';
import type { Series } from '../../../lib/series.ts';
import { editWords } from '../../history/sent/edited-lines.ts';
import { textOf } from '../../kinds/definition/values.ts';
import { type Address, keyOf, kindOf } from '../../model/address.ts';
import { exitCode } from '../../model/exit-code.ts';
import {
  type ChannelFigures,
  type MemberViews,
  type MigrationReport,
  migrationReportVersion,
  sortedUncompared,
  sumsOf,
  totalled,
} from '../../model/migration-report.ts';
import type { MessagesPolicy } from '../../model/policy.ts';
import type { Resource } from '../../model/resource.ts';
import type { LiveReader } from '../../refresh/send.ts';
import { actorOf } from '../context/actor.ts';
import type { Application } from '../context/application.ts';
import type { Ports } from '../context/ports.ts';
import type { HistoryFileSource } from '../history-files/history-source.ts';
import { type VerifiedChannel, verifyChannel } from './channel.ts';
import { viewAsMembers } from './member-view.ts';

/** The number of channels read in parallel, enough to use the rate limit of a slow platform. */
const maxAtOnce = 32;

export function* historyFilesAmong(
  resources: Iterable<Resource>,
  isWanted: (historyFile: Address) => boolean = () => true,
): Generator<Resource> {
  for (const resource of resources)
    if (kindOf(resource.address) === 'messages' && isWanted(resource.address)) yield resource;
}

export interface VerifyHistoryFilesOptions {
  readonly isWhole: boolean;
  /** Whether to read as well what each declared member of a group channel sees. */
  readonly asMember?: boolean;
  /** `policy.messages`. Absent: the defaults. */
  readonly policy?: MessagesPolicy | undefined;
  /** Which history files to verify. Default: all. */
  readonly isWanted?: (historyFile: Address) => boolean;
  /** Called for each history file once it is verified. */
  readonly onVerified?: (historyFile: Address, verified: VerifiedChannel) => void;
}

/** The application, and the connection over which its channels are read. */
export interface VerifiedPlatform {
  readonly application: Application;
  readonly reader: LiveReader;
  readonly lines: HistoryFileSource['lines'];
}

/** Verifies all history files among the resources. The report has the names of their channels. Iterates over `resources` twice. */
export async function verifyDeclared(
  resources: Series<Resource>,
  platform: VerifiedPlatform,
  options: VerifyHistoryFilesOptions,
  ports: Ports,
): Promise<MigrationReport> {
  const asMember = options.asMember === true ? (reader: LiveReader) => viewAsMembers(resources, reader) : undefined;
  const report = await verifyHistoryFiles(
    historyFilesAmong(resources, options.isWanted),
    platform,
    options,
    ports,
    asMember,
  );
  const urls = new Set(report.channels.map(({ channel_url }) => channel_url));
  const names = new Map<string, string>();
  for (const { address, attributes } of urls.size === 0 ? [] : resources) {
    const name = channelKinds.has(kindOf(address)) && urls.has(keyOf(address)) ? textOf(attributes, 'name') : undefined;
    if (name !== undefined && name !== '') names.set(keyOf(address), name);
  }
  const channels = report.channels.map((figures): ChannelFigures => {
    const name = names.get(figures.channel_url);
    return name === undefined ? figures : { ...figures, name };
  });
  return { ...report, channels };
}

/** History files belong to channels of these kinds, which share their urls. */
const channelKinds: ReadonlySet<string> = new Set(['group_channel', 'open_channel']);

export async function verifyHistoryFiles(
  historyFiles: Iterable<Resource>,
  { application, reader, lines }: VerifiedPlatform,
  { isWhole, policy, onVerified }: VerifyHistoryFilesOptions,
  context: Ports,
  asMember?: (reader: LiveReader) => Promise<MemberViews>,
): Promise<MigrationReport> {
  const { clock, cwd } = context;
  const unlisted = { messages: 0, channels: 0 };
  const startedAt = clock.date();
  const channels: ChannelFigures[] = [];
  const waiting = historyFiles[Symbol.iterator]();
  const keepsData = editWords(policy).data === 'keep';
  const ports = { reader, lines, path: (file: string) => resolve(cwd, file), isWhole, keepsData };
  /** Undefined when no history file is left. Keeps nothing of the history file but its address. */
  const begin = (): Promise<void> | undefined => {
    const next = waiting.next();
    if (next.done === true) return undefined;
    const { address } = next.value;
    return verifyChannel(next.value, ports).then((verified) => {
      onVerified?.(address, verified);
      channels.push(verified.figures);
      if (verified.unlisted === undefined || verified.unlisted === 0) return;
      unlisted.messages += verified.unlisted;
      unlisted.channels += 1;
    });
  };
  const work = async (): Promise<void> => {
    for (let verifying = begin(); verifying !== undefined; verifying = begin()) await verifying;
  };
  await Promise.all(Array.from({ length: maxAtOnce }, work));
  if (unlisted.channels > 0) context.notify({ type: 'messages-unlisted', ...unlisted });
  channels.sort((left, right) => (left.channel_url < right.channel_url ? -1 : 1));
  const views = await asMember?.(reader);
  const isGood =
    channels.every(({ outcome }) => outcome === 'matched') &&
    (views === undefined || views.hidden_from + views.not_members === 0);
  return {
    format_version: migrationReportVersion,
    application: application.identity,
    by: actorOf(context),
    exit_code: isGood ? exitCode.done : exitCode.incomplete,
    started_at: startedAt.toISOString(),
    finished_at: clock.date().toISOString(),
    requests: reader.requests,
    totals: totalsOf(channels),
    channels,
    ...(views === undefined ? {} : { as_member: views }),
  };
}

function totalsOf(channels: readonly ChannelFigures[]): MigrationReport['totals'] {
  const sum = (name: (typeof totalled)[number]) => channels.reduce((total, channel) => total + channel[name], 0);
  const count = (outcome: ChannelFigures['outcome']) => channels.filter((block) => block.outcome === outcome).length;
  return {
    ...(Object.fromEntries(totalled.map((name) => [name, sum(name)])) as Record<(typeof totalled)[number], number>),
    channels: channels.length,
    matched: count('matched'),
    mismatched: count('mismatched'),
    unreadable: count('unreadable'),
    altered_fields: sumsOf(channels.map(({ altered_fields }) => altered_fields)),
    not_compared: sortedUncompared(channels.flatMap(({ not_compared }) => not_compared)),
  };
}
