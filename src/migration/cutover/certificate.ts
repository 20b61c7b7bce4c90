// Writes the certificate of a migration, and checks it again from the files that it names.

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { actorOf } from '../../core/app/context/actor.ts';
import { demandReplaceable, saveOutput } from '../../core/app/context/output-files.ts';
import type { Ports } from '../../core/app/context/ports.ts';
import {
  demandAccepted,
  saveSigned,
  sign,
  signatureOf,
  signedCertificate,
} from '../../core/app/signing/signed-file.ts';
import { demandFormat } from '../../core/model/documents.ts';
import { Refusal } from '../../core/model/errors.ts';
import { exitCode } from '../../core/model/exit-code.ts';
import type { Certificate, CutoverCheck } from '../../core/model/migration/cutover.ts';
import type { MigrationReport } from '../../core/model/migration-report.ts';
import type { Signature } from '../../core/model/signing/signature.ts';
import { certificateAsHtml, certificateAsMarkdown } from '../../core/view/reports/certificate.ts';
import { safeJson } from '../../core/view/text/text.ts';
import { digestOf } from '../../lib/digest.ts';
import { type JsonObject, parsedObject } from '../../lib/json.ts';
import { version } from '../../version.ts';
import type { ReadFacts } from './facts.ts';
import { leftOutIn } from './left-out-lines.ts';
import { blocking } from './readiness.ts';
import { changedAmong, exportDigests, fileDigest } from './series.ts';

/** Paths relative to the folder of the manifests. */
export const certificateFile = 'conversion/certificate.json';
const signatureFile = signatureOf(certificateFile);
const pages = [
  ['certificate-markdown', 'conversion/certificate.md', certificateAsMarkdown],
  ['certificate-html', 'conversion/certificate.html', certificateAsHtml],
] as const;

/**
 * Refused when a point blocks (5), or the signer fails (1). Then nothing is written.
 */
export async function writeCertificate(
  root: string,
  facts: ReadFacts,
  checks: readonly CutoverCheck[],
  signCommand: string | undefined,
  ports: Ports,
): Promise<Certificate> {
  const { verification } = facts;
  if (blocking(checks).length > 0 || verification === undefined) throw notReady(checks);
  const certificate = await certificateOf(root, facts, verification, checks, ports);
  const text = printed(certificate);
  await demandReplaceable('certificate', root, certificateFile);
  for (const [kind, file] of pages) await demandReplaceable(kind, root, file);
  const signature = signCommand === undefined ? undefined : await sign(signedCertificate, signCommand, text, ports);
  await saveSigned(signedCertificate, root, certificateFile, Buffer.from(text), signature);
  for (const [kind, file, print] of pages) await saveOutput(kind, root, file, print(certificate));
  return certificate;
}

export interface CheckedCertificate {
  readonly certificate: Certificate;
  /** The content of its file. */
  readonly text: string;
  /** The files whose digests were compared, including those of the export. */
  readonly files: number;
  readonly signature: 'verified' | 'not checked' | 'none';
  /** Who signed, if that was checked against the signers of a policy. */
  readonly signer?: Signature;
}

/** Refused (6), naming the files, when the certificate, its pages, its signature or a file that it names changed. */
export async function checkCertificate(
  root: string,
  verifyCommand: string | undefined,
  ports: Ports,
): Promise<CheckedCertificate> {
  const read = (file: string) => readFile(resolve(root, file), 'utf8').catch(() => undefined);
  const text = await read(certificateFile);
  if (text === undefined) throw changed([`${certificateFile} is missing`]);
  const content = parsedObject(text) ?? {};
  demandFormat(certificateFile, content.format_version);
  const certificate = certificateIn(content);
  // The digest covers the values, and this comparison also the bytes between them.
  if (certificate === undefined || printed(certificate) !== text) throw changed([`${certificateFile} was changed`]);
  const exported = await exportDigests(root);
  const changes = await changedAmong(root, [...certificate.files, ...exported]);
  // Another version may print other pages.
  for (const [, file, print] of certificate.chatform === version ? pages : []) {
    const page = await read(file);
    if (page !== undefined && page !== print(certificate)) changes.push(`${file} was changed`);
  }
  const isSigned = (await fileDigest(resolve(root, signatureFile))) !== undefined;
  if (verifyCommand !== undefined && !isSigned) changes.push(`${signatureFile} is missing`);
  demandUnchanged(changes);
  if (verifyCommand !== undefined)
    await demandAccepted(signedCertificate, verifyCommand, text, resolve(root, signatureFile), ports);
  const signature = verifyCommand !== undefined ? 'verified' : isSigned ? 'not checked' : 'none';
  return { certificate, text, files: certificate.files.length + exported.length, signature };
}

async function certificateOf(
  root: string,
  { application, runs, applies, trail, files }: ReadFacts,
  { channels, started_at, finished_at, requests, totals, by }: MigrationReport,
  checks: readonly CutoverCheck[],
  ports: Ports,
): Promise<Certificate> {
  const { users = 0, channels: count = 0 } = runs.at(-1) ?? {};
  const iso = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString());
  const content: Omit<Certificate, 'digest'> = {
    format_version: '1.0',
    chatform: version,
    written_at: ports.clock.date().toISOString(),
    by: actorOf(ports),
    application,
    totals: { users, channels: count, messages: totals.declared },
    channels: channels.map(({ channel_url, name, declared: messages, first, last }) =>
      withoutAbsent({ channel_url, name, messages, first: iso(first), last: iso(last) }),
    ),
    checks,
    left_out: await leftOutIn(root, ports),
    conversions: runs,
    applies,
    ...withoutAbsent({ trail }),
    verification: withoutAbsent({ started_at, finished_at, requests, totals, by }),
    files,
  };
  return { ...content, digest: digestOf(content as unknown as JsonObject) };
}

/** The values as JSON stores them, without undefined members. */
function withoutAbsent<T extends object>(value: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  return JSON.parse(JSON.stringify(value));
}

function printed(certificate: Certificate): string {
  return `${safeJson(certificate, 2)}\n`;
}

/** Undefined if the content of the certificate does not match its digest. */
function certificateIn({ digest, ...content }: JsonObject): Certificate | undefined {
  return digestOf(content) === digest ? ({ ...content, digest } as unknown as Certificate) : undefined;
}

function demandUnchanged(changes: readonly string[]): void {
  if (changes.length > 0) throw changed(changes);
}

function changed(changes: readonly string[]): Refusal {
  const more = changes.length > 5 ? [`and ${changes.length - 5} more`] : [];
  return new Refusal(
    'cutover.changed',
    exitCode.conflict,
    `The files are not those that were converted and certified: ${[...changes.slice(0, 5), ...more].join(', ')}.`,
    'Restore them from a backup. If the change was intended, convert, apply and verify again, then write another certificate.',
  );
}

export function notReady(checks: readonly CutoverCheck[]): Refusal {
  const open = blocking(checks);
  return new Refusal(
    'cutover.not-ready',
    exitCode.refused,
    ['The migration is not ready.', ...open.flatMap(({ message = [] }) => message)].join(' '),
    [...new Set(open.flatMap(({ advice = [] }) => advice))].join(' '),
  );
}
