// Tests that copies of files, in folders and buckets, are complete however often the command is killed.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openBucket } from '../../src/core/state/index.ts';
import { convertExport } from '../../src/migration/convert.ts';
import { copyFiles } from '../../src/migration/files.ts';
import { testPorts } from '../core/app/support/ports.ts';
import { startOddS3 } from '../core/state/support/odd-s3-server.ts';
import { serve } from '../support/loopback.ts';
import { peakKb } from '../support/peak-memory.ts';
import { place } from '../support/place.ts';
import { program } from '../support/program.ts';
import { zipOf } from './convert/support/zip.ts';

const publicUrl = 'https://cdn.example/';
const sha = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

interface Estate {
  readonly cwd: string;
  /** The bytes of each file, by its name in the map. */
  readonly bytes: ReadonlyMap<string, string>;
  readonly host: string;
  /** How often each path was sent completely. */
  readonly sent: Map<string, number>;
}

/** A converted export in which every other file is in the history file, and the rest on a server that takes its time. */
async function estateOf(contents: readonly string[]): Promise<Estate> {
  const at = await place();
  const sent = new Map<string, number>();
  const host = await serve((request, response) => {
    const path = request.url ?? '';
    const content = contents[Number(path.slice(2))] ?? '';
    response.write(content.slice(0, 1));
    setTimeout(() => {
      response.end(content.slice(1), () => sent.set(path, (sent.get(path) ?? 0) + 1));
    }, 5);
  });
  const places = contents.map((_content, place) => (place % 2 === 0 ? `up/f${place}.bin` : `http://${host}/f${place}`));
  const messages = places.map((url_private, place) => ({
    ...{ type: 'message', user: 'U1', ts: `${1_714_982_400 + place}.000100`, text: `file ${place}` },
    files: [{ id: `F${place}`, name: `f${place}.bin`, url_private }],
  }));
  const exported = zipOf({
    'users.json': JSON.stringify([{ id: 'U1', name: 'ann' }]),
    'channels.json': JSON.stringify([{ id: 'C1', name: 'room', members: ['U1'] }]),
    'room/2024-05-06.json': JSON.stringify(messages),
    ...Object.fromEntries(places.flatMap((place, at) => (at % 2 === 0 ? [[place, contents[at] ?? '']] : []))),
  });
  await writeFile(at.path('export.zip'), exported);
  await convertExport({ source: 'slack', exported: at.path('export.zip'), out: at.path('chat') });
  return { cwd: at.cwd, bytes: new Map(places.map((place, at) => [place, contents[at] ?? ''])), host, sent };
}

/** Resolves to the exit code, or undefined if the command was killed first. */
async function run({ cwd, host }: Estate, killAfterMs?: number): Promise<number | undefined> {
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
  const child = spawn(process.execPath, [program, ...args, '--fetch', host], { cwd, stdio: 'ignore' });
  const ended = new Promise<number | undefined>((resolve) => child.on('exit', (code) => resolve(code ?? undefined)));
  if (killAfterMs !== undefined) {
    await Promise.race([ended, sleep(killAfterMs)]);
    child.kill('SIGKILL');
  }
  return ended;
}

async function mapIn(cwd: string): Promise<ReadonlyMap<string, string>> {
  const lines = (await readFile(join(cwd, 'chat/conversion/file-urls.ndjson'), 'utf8')).trimEnd().split('\n');
  return new Map(lines.map((line) => JSON.parse(line)).map(({ from, to }) => [from, to]));
}

test('copies each file completely, and no finished file twice, however often the command is killed', async () => {
  const content = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.integer({ min: 0, max: 99 }).map((n) => `${n}`.repeat(60_000)),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(content, { minLength: 20, maxLength: 40 }),
      fc.array(fc.integer({ min: 150, max: 900 }), { minLength: 2, maxLength: 3 }),
      async (contents, kills) => {
        const estate = await estateOf(contents);
        const { cwd, bytes, host, sent } = estate;
        for (const killAfterMs of kills) {
          const before = new Map(sent);
          const names = new Set(await readdir(join(cwd, 'copies')).catch(() => []));
          await run(estate, killAfterMs);
          for (const [from, text] of bytes) {
            const path = from.replace(`http://${host}`, '');
            if (names.has(`${sha(text)}.bin`) && [...bytes.values()].filter((one) => one === text).length === 1)
              expect(sent.get(path)).toBe(before.get(path));
          }
        }
        expect(await run(estate)).toBe(0);
        const map = await mapIn(cwd);
        expect([...map.keys()].sort()).toEqual([...bytes.keys()].sort());
        for (const [from, text] of bytes) {
          const name = (map.get(from) ?? '').slice(publicUrl.length);
          expect(sha(await readFile(join(cwd, 'copies', name)))).toBe(sha(text));
        }
        expect(await readdir(join(cwd, 'copies'))).toHaveLength(new Set(bytes.values()).size);
        expect(await readdir(join(cwd, 'chat/conversion'))).not.toContain('.file-urls.journal.ndjson');
      },
    ),
    { numRuns: 3 },
  );
});

test('streams a large file in little memory', async () => {
  const at = await place();
  const megabytes = 300;
  const piece = Buffer.alloc(1 << 20, 'x');
  const host = await serve(async (_request, response) => {
    for (let count = 0; count < megabytes; count += 1)
      if (!response.write(piece)) await new Promise<void>((resolve) => response.once('drain', () => resolve()));
    response.end();
  });
  const file = { id: 'F1', name: 'film.mp4', url_private: `http://${host}/film` };
  const message = { type: 'message', user: 'U1', ts: '1714982400.000100', text: 'see', files: [file] };
  const files = {
    'users.json': JSON.stringify([{ id: 'U1', name: 'ann' }]),
    'channels.json': JSON.stringify([{ id: 'C1', name: 'room', members: ['U1'] }]),
    'room/2024-05-06.json': JSON.stringify([message]),
  };
  await writeFile(at.path('export.zip'), zipOf(files));
  await convertExport({ source: 'slack', exported: at.path('export.zip'), out: at.path('chat') });
  const measure = `process.on('exit', () => require('node:fs').writeFileSync('rss', String(${peakKb})))`;
  await writeFile(at.path('measure.cjs'), measure);
  const args = [
    '--require',
    './measure.cjs',
    program,
    'convert-files',
    'slack',
    'export.zip',
    '--out-dir',
    'chat',
    '--to',
    'copies',
  ];
  const child = spawn(process.execPath, [...args, '--public-url', publicUrl, '--fetch', host], {
    cwd: at.cwd,
    stdio: 'ignore',
  });
  expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(0);
  const [name = ''] = await readdir(at.path('copies'));
  expect((await stat(at.path('copies', name))).size).toBe(megabytes << 20);
  expect(Number(await readFile(at.path('rss'), 'utf8')) / 1024).toBeLessThan(200);
});

test('puts copies into a bucket, and finds them again', async () => {
  const server = await startOddS3(() => undefined);
  const env: Readonly<Record<string, string>> = {
    AWS_ACCESS_KEY_ID: 'a',
    AWS_SECRET_ACCESS_KEY: 'b',
    AWS_REGION: 'us-east-1',
  };
  Object.assign(process.env, env);
  try {
    const { cwd, host, bytes } = await estateOf(['one', 'two', 'three', 'one']);
    const ports = { ...(await testPorts({})), env };
    const to = server.spec;
    const options = { source: 'slack', exported: join(cwd, 'export.zip'), out: join(cwd, 'chat'), to, publicUrl };
    expect(await copyFiles({ ...options, fetch: [host] }, ports)).toMatchObject({ copied: 4, failed: [] });
    expect(await copyFiles(options, ports)).toMatchObject({ copied: 0, present: 4 });
    expect((await mapIn(cwd)).get([...bytes.keys()][1] ?? '')).toBe(`${publicUrl}${sha('two')}.bin`);
    const bucket = await openBucket(to, (name) => env[name]);
    expect(await bucket.sizeOf(`${sha('three')}.bin`)).toBe(5);
    expect(await bucket.sizeOf('other')).toBeUndefined();
    await bucket.close();
    const missing = to.replace('bucket', 'no-such-bucket');
    await expect(copyFiles({ ...options, to: missing }, ports)).rejects.toMatchObject({ code: 'files.bucket' });
  } finally {
    await server.stop();
  }
});
