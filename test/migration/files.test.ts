// Tests copying the files of an export, the map of their URLs, and what hostile servers and lists do.

import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Ports } from '../../src/core/app/context/ports.ts';
import type { CopiedFiles } from '../../src/core/model/report.ts';
import { digestText } from '../../src/lib/digest.ts';
import type { JsonObject } from '../../src/lib/json.ts';
import { convertExport } from '../../src/migration/convert.ts';
import { copyFiles, type FileCopyOptions } from '../../src/migration/files.ts';
import { testPorts } from '../core/app/support/ports.ts';
import { serve as serveOn } from '../support/loopback.ts';
import { expectEnd, runCli } from '../support/run-cli.ts';
import { zipOf } from './convert/support/zip.ts';

const publicUrl = 'https://cdn.example/chat/';
const sha = (text: string): string => digestText(text);

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

interface FileServer {
  /** With its port. */
  readonly host: string;
  /** Paths and the header that came with them, in order. */
  readonly asked: (readonly [path: string, authorization: string | undefined])[];
}

async function serve(answer: Answer): Promise<FileServer> {
  const asked: [string, string | undefined][] = [];
  const host = await serveOn((request, response) => {
    asked.push([request.url ?? '', request.headers.authorization]);
    answer(request, response);
  });
  return { host, asked };
}

interface Attached {
  readonly id: string;
  readonly name: string;
  readonly url_private: string;
  readonly size?: number;
  readonly mimetype?: string;
}

/** A Slack export whose one message has the files, with what else is in the history file. */
function exportOf(
  files: readonly Attached[],
  more: Readonly<Record<string, string>> = {},
  ts = '1714982400.000100',
): Buffer {
  const message = { type: 'message', user: 'U1', ts, text: 'see', files };
  return zipOf({
    'users.json': JSON.stringify([{ id: 'U1', name: 'ann' }]),
    'channels.json': JSON.stringify([{ id: 'C1', name: 'room', members: ['U1'] }]),
    'room/2024-05-06.json': JSON.stringify([message]),
    ...more,
  });
}

interface Desk {
  readonly ports: Ports;
  readonly copies: string;
  copy(options?: Partial<FileCopyOptions>): Promise<CopiedFiles>;
  convert(): Promise<Awaited<ReturnType<typeof convertExport>>>;
  map(): Promise<readonly JsonObject[]>;
}

/** A converted export. Pauses take no time. */
async function desk(exported: Buffer, env: Readonly<Record<string, string>> = {}): Promise<Desk> {
  const ports = await testPorts({});
  const { cwd } = ports;
  const out = join(cwd, 'chat');
  const copies = join(cwd, 'copies');
  const file = join(cwd, 'export.zip');
  await writeFile(file, exported);
  const convert = () => convertExport({ source: 'slack', exported: file, out });
  await convert();
  const clock = { ...ports.clock, sleep: async () => {} };
  const quick: Ports = { ...ports, clock, env };
  return {
    ports: quick,
    copies,
    copy: (options = {}) =>
      copyFiles({ source: 'slack', exported: file, out, to: copies, publicUrl, silenceMs: 60, ...options }, quick),
    convert,
    map: async () =>
      (await readFile(join(out, 'conversion/file-urls.ndjson'), 'utf8'))
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as JsonObject),
  };
}

const local: Attached = { id: 'F1', name: 'Cat.PNG', url_private: '__uploads/F1/cat.png' };

test('copies files from the export, maps their URLs, and does nothing the second time', async () => {
  const { copy, convert, map, copies, ports } = await desk(exportOf([local], { '__uploads/F1/cat.png': 'miaow' }));
  expect(await copy()).toEqual({
    copied: 1,
    bytes: 5,
    present: 0,
    failed: [],
    unfetched: [],
    elsewhere: [],
    exit_code: 0,
  });
  const name = `${sha('miaow')}.png`;
  expect(await readdir(copies)).toEqual([name]);
  expect(await readFile(join(copies, name), 'utf8')).toBe('miaow');
  expect(await map()).toEqual([{ from: local.url_private, to: `${publicUrl}${name}`, sha256: sha('miaow'), size: 5 }]);
  expect(await copy()).toMatchObject({ copied: 0, present: 1 });
  expect((await convert()).attachments).toMatchObject({ copied: 1, exported: 0 });
  const historyFile = await readFile(join(ports.cwd, 'chat/history/slack_C1.ndjson'), 'utf8');
  expect(historyFile).toContain(`"message_type":"FILE","user_id":"U1","url":"${publicUrl}${name}"`);
  // A truncated or removed copy is made again.
  await writeFile(join(copies, name), 'mia');
  expect(await copy()).toMatchObject({ copied: 1, present: 0 });
  // With another public URL, the copy stays where it is.
  expect(await copy({ publicUrl: 'https://other.example' })).toMatchObject({ copied: 0, present: 1 });
  expect(await map()).toMatchObject([{ to: `https://other.example/${name}` }]);
});

test('copies the files of an earlier export of the series, and says which export they are in', async () => {
  const { copy, ports } = await desk(exportOf([local], { '__uploads/F1/cat.png': 'miaow' }));
  const [out, next] = [join(ports.cwd, 'chat'), join(ports.cwd, 'next.zip')];
  const other = { ...local, id: 'F2', url_private: '__uploads/F2/dog.png' };
  await writeFile(next, exportOf([other], { '__uploads/F2/dog.png': 'woof' }, '1714982500.000100'));
  await convertExport({ source: 'slack', exported: next, out });
  expect(await copy({ exported: next })).toMatchObject({
    copied: 1,
    failed: [],
    elsewhere: [{ export: 'export.zip', files: 1 }],
    exit_code: 0,
  });
  expect(await copy()).toMatchObject({ copied: 1, present: 1, elsewhere: [] });
  expect(await copy({ exported: next })).toMatchObject({ copied: 0, present: 2, elsewhere: [] });
});

test('fetches only from named hosts, with the URL and the header of the user', async () => {
  const { host, asked } = await serve((_request, response) => response.end('miaow'));
  const url = `http://${host}/cat.png`;
  const exported = exportOf([{ ...local, url_private: `${url}?t=xoxe-1-2`, size: 5 }]);
  const { copy, map } = await desk(exported, { HEADER: 'Authorization: Bearer secret' });
  expect(await copy()).toEqual({
    copied: 0,
    bytes: 0,
    present: 0,
    failed: [],
    unfetched: [{ host, files: 1 }],
    elsewhere: [],
    exit_code: 0,
  });
  expect(asked).toEqual([]);
  expect(await copy({ headersFrom: [`${host}=HEADER`] })).toMatchObject({ copied: 1, failed: [] });
  expect(asked).toEqual([['/cat.png?t=xoxe-1-2', 'Bearer secret']]);
  expect(await map()).toMatchObject([{ from: url }]);
  expect(await copy({ fetch: [host] })).toMatchObject({ copied: 0, present: 1 });
  expect(asked).toHaveLength(1);
});

test('does not send the header to the host of a redirect', async () => {
  const elsewhere = await serve((_request, response) => response.end('miaow'));
  const { host } = await serve((_request, response) =>
    response.writeHead(302, { location: `http://${elsewhere.host}/signed` }).end(),
  );
  const exported = exportOf([{ ...local, url_private: `http://${host}/cat.png` }]);
  const { copy } = await desk(exported, { HEADER: 'Authorization: Bearer secret' });
  const headersFrom = [`${host}=HEADER`];
  const { failed, exit_code } = await copy({ headersFrom });
  expect(exit_code).toBe(4);
  expect(failed).toMatchObject([{ reason: expect.stringContaining(`it redirects to ${elsewhere.host}`) }]);
  expect(elsewhere.asked).toEqual([]);
  expect(await copy({ headersFrom, fetch: [elsewhere.host] })).toMatchObject({ copied: 1 });
  expect(elsewhere.asked).toEqual([['/signed', undefined]]);
});

test('retries after a temporary error, and after a broken connection', async () => {
  let count = 0;
  const { host } = await serve((_request, response) => {
    count += 1;
    if (count === 1) response.writeHead(503, { 'retry-after': '1' }).end();
    else if (count === 2) {
      response.writeHead(200, { 'content-length': '5' });
      response.write('mi', () => response.destroy());
    } else response.end('miaow');
  });
  const { copy, copies } = await desk(exportOf([{ ...local, url_private: `http://${host}/cat.png` }]));
  expect(await copy({ fetch: [host] })).toMatchObject({ copied: 1, failed: [] });
  expect(await readdir(copies)).toEqual([`${sha('miaow')}.png`]);
});

test.for<[name: string, answer: Answer, reason: string]>([
  [
    'asks for a login',
    (_request, response) => void response.writeHead(403).end(),
    'answered 403; --header-from gives it a header',
  ],
  [
    'sends a page to sign in',
    (_request, response) => void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('miaow'),
    'a web page instead of the file',
  ],
  [
    'sends less than there is',
    (_request, response) => void response.end('mia'),
    '3 bytes arrived, but the list states 5',
  ],
  [
    'sends more than there is',
    (_request, response) => void response.end('miaow!'),
    'it is longer than the stated 5 bytes',
  ],
  ['has no file', (_request, response) => void response.writeHead(404).end(), 'answered 404'],
  [
    'redirects for ever',
    ({ url }, response) => void response.writeHead(302, { location: `${url}x` }).end(),
    'redirects more than 5 times, perhaps in a circle',
  ],
])('a server that %s fails only one file, and leaves nothing behind', async ([, answer, reason]) => {
  const { host } = await serve(answer);
  const remote = { ...local, id: 'F2', url_private: `http://${host}/cat.png`, size: 5, mimetype: 'image/png' };
  const { copy, copies, map } = await desk(exportOf([remote, local], { '__uploads/F1/cat.png': 'woof' }));
  const { copied, failed, exit_code } = await copy({ fetch: [host] });
  expect({ copied, exit_code }).toEqual({ copied: 1, exit_code: 4 });
  expect(failed).toMatchObject([{ from: remote.url_private, reason: expect.stringContaining(reason) }]);
  expect(await readdir(copies)).toEqual([`${sha('woof')}.png`]);
  expect(await map()).toHaveLength(1);
});

test.for<[name: string, location: string, reason: string]>([
  [
    'a file of the server',
    'file:///etc/passwd',
    'redirects to an address that begins with file:, which is not fetched',
  ],
  ['a login page', '/login?to=page.html', 'a web page instead of the file'],
])('does not take %s for a web page to which the server redirects', async ([, location, reason]) => {
  const { host } = await serve(({ url }, response) =>
    url === '/page.html'
      ? response.writeHead(302, { location }).end()
      : response.writeHead(200, { 'content-type': 'text/html' }).end('Sign in'),
  );
  const page = { id: 'F2', name: 'page.html', url_private: `http://${host}/page.html` };
  const { copy } = await desk(exportOf([page]));
  const failed = [{ reason: expect.stringContaining(reason) }];
  expect(await copy({ fetch: [host] })).toMatchObject({ copied: 0, failed });
});

test('gives up on a silent server, and skips the file of a server that stops midway', async () => {
  const silent = await serve(() => {});
  const halting = await serve((_request, response) => void response.writeHead(200).write('mi'));
  const hosts = [halting.host, ...Array.from({ length: 8 }, () => silent.host)];
  const remote = hosts.map((host, place) => ({ ...local, id: `F${place}`, url_private: `http://${host}/f${place}` }));
  const { copy } = await desk(exportOf(remote));
  const { failed } = await copy({ fetch: [...new Set(hosts)] });
  const reasons = failed.map(({ reason }) => reason.replace(/127\S+/u, 'HOST'));
  expect(new Set(reasons)).toEqual(
    new Set(['HOST did not respond', 'HOST did not respond to requests for other files']),
  );
  expect(failed).toHaveLength(9);
  expect(silent.asked.length).toBeLessThan(16);
});

test('copies nothing for a list or a map that leads out of its folder', async () => {
  const { copy, ports, copies } = await desk(exportOf([local], { '__uploads/F1/cat.png': 'miaow' }));
  const list = join(ports.cwd, 'chat/conversion/files.ndjson');
  await writeFile(
    list,
    (await readFile(list, 'utf8')).replace('"path":"__uploads/F1/cat.png"', '"path":"../../etc/passwd"'),
  );
  const row = { from: local.url_private, to: `${publicUrl}../export.zip`, sha256: sha('miaow'), size: 5 };
  await writeFile(join(ports.cwd, 'chat/conversion/file-urls.ndjson'), `${JSON.stringify(row)}\n`);
  expect(await copy()).toMatchObject({
    present: 0,
    failed: [{ reason: 'the export does not contain the file' }],
    exit_code: 4,
  });
  await expect(stat(copies)).rejects.toThrow();
});

test('fails for each file whose bytes differ because the export was replaced', async () => {
  const { copy, ports } = await desk(exportOf([local], { '__uploads/F1/cat.png': 'miaow' }));
  await writeFile(join(ports.cwd, 'export.zip'), exportOf([local], { '__uploads/F1/cat.png': 'woofs' }));
  expect(await copy()).toMatchObject({
    failed: [{ reason: 'its SHA-256 differs from the one in the list' }],
    exit_code: 4,
  });
});

test('does not touch files of people who were left out, or rows that people wrote', async () => {
  const { copy, convert, ports, map } = await desk(exportOf([local], { '__uploads/F1/cat.png': 'miaow' }));
  const byHand = { from: local.url_private, to: 'https://cdn.example/own.png' };
  await writeFile(join(ports.cwd, 'chat/conversion/file-urls.ndjson'), `${JSON.stringify(byHand)}\n`);
  expect(await copy()).toMatchObject({ copied: 0, present: 1 });
  expect(await map()).toEqual([byHand]);
  await rm(join(ports.cwd, 'chat/conversion/file-urls.ndjson'));
  const decisions = join(ports.cwd, 'chat/conversion/decisions.yaml');
  await writeFile(decisions, `${await readFile(decisions, 'utf8')}left_out: { channels: { C1: asked } }\n`);
  await convert();
  expect(await copy()).toMatchObject({ copied: 0, present: 0, failed: [] });
});

test.for<[name: string, options: Partial<FileCopyOptions>, refusal: { code: string; exitCode: number }]>([
  ['a public URL without TLS', { publicUrl: 'http://cdn.example' }, { code: 'usage', exitCode: 64 }],
  ['a public URL with a token', { publicUrl: 'https://cdn.example/?sig=1' }, { code: 'usage', exitCode: 64 }],
  ['a host with a path', { fetch: ['files.slack.com/x'] }, { code: 'usage', exitCode: 64 }],
  ['a header in place of a variable', { headersFrom: ['a.example=Authorization: x'] }, { code: 'usage', exitCode: 64 }],
  ['a variable that is not set', { headersFrom: ['a.example=NONE'] }, { code: 'usage', exitCode: 64 }],
  ['a header of two lines', { headersFrom: ['a.example=TWO'] }, { code: 'usage', exitCode: 64 }],
  ['tables', { source: 'table' }, { code: 'usage', exitCode: 64 }],
  ['a folder without a conversion', { out: '/nowhere' }, { code: 'files.no-list', exitCode: 65 }],
])('refuses %s', async ([, options, refusal]) => {
  const { copy } = await desk(exportOf([]), { TWO: 'A: b\nC: d' });
  await expect(copy(options)).rejects.toMatchObject(refusal);
});

test('a conversion without files has nothing to copy', async () => {
  const { copy } = await desk(exportOf([]));
  expect(await copy()).toMatchObject({ copied: 0, present: 0, failed: [], unfetched: [], elsewhere: [], exit_code: 0 });
});

test('clears its progress from the terminal, also when it ends with an error', async () => {
  const stop = new AbortController();
  // The answer never comes.
  const { host } = await serve(() => stop.abort());
  const [left, asked] = ['files.example', host].map((of) => ({ id: of, name: 'a', url_private: `http://${of}/a` }));
  const { ports } = await desk(exportOf([left, asked] as Attached[]));
  const args = [
    'convert-files',
    'slack',
    'export.zip',
    '--out-dir',
    'chat',
    '--to',
    'copies',
    '--public-url',
    publicUrl,
  ];
  const options = { cwd: ports.cwd, answers: [], interrupt: stop.signal };
  await expectEnd(runCli([...args, '--fetch', host], options), 8, /1 of 2 files\r\u001b\[Kerror\[/u);
});

test('ends at once after an interrupt, and continues in the next run', async () => {
  const { host } = await serve(() => interrupt());
  let interrupt = (): void => {};
  const remote = { ...local, id: 'F2', url_private: `http://${host}/cat.png` };
  const { ports, copies, copy } = await desk(exportOf([local, remote], { '__uploads/F1/cat.png': 'miaow' }));
  const onInterrupt = (callback: () => void) => {
    interrupt = callback;
    return () => {};
  };
  const options = {
    source: 'slack',
    exported: join(ports.cwd, 'export.zip'),
    out: join(ports.cwd, 'chat'),
    to: copies,
  };
  const interrupted = copyFiles({ ...options, publicUrl, fetch: [host] }, { ...ports, onInterrupt });
  await expect(interrupted).rejects.toMatchObject({ code: 'files.interrupted', exitCode: 8 });
  expect(await copy()).toMatchObject({ copied: 0, present: 1, unfetched: [{ host, files: 1 }] });
});

test('ends at a folder that cannot be written, and continues in the next run', async () => {
  const { copy, copies } = await desk(exportOf([local], { '__uploads/F1/cat.png': 'miaow' }));
  await writeFile(copies, 'a file');
  await expect(copy()).rejects.toMatchObject({ code: 'file.unwritable', exitCode: 1 });
  await rm(copies);
  await mkdir(copies);
  expect(await copy()).toMatchObject({ copied: 1 });
});
