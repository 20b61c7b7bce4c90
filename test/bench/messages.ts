// How fast are archives read and planned, against reading and parsing the same bytes, and in how much memory?
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { loadManifests } from '../../src/manifest/load.ts';
import { kindOf } from '../../src/model/address.ts';
import type { StateRecord } from '../../src/model/record.ts';
import type { Resource } from '../../src/model/resource.ts';
import { recordAsApplied } from '../../src/planner/as-applied.ts';
import { makePlan } from '../../src/planner/plan.ts';
import { limitsOf } from '../../src/platform/limits.ts';
import { registry } from '../../src/resources/index.ts';
import { type Row, rounded } from './table.ts';

/** CHATFORM_BENCH_MESSAGES=10000000 for the size that the design speaks of. */
const messages = Number(process.env.CHATFORM_BENCH_MESSAGES ?? 1_000_000);
const perChannel = 1_000;
const time = 1_500_000_000_000;

export async function benchMessages(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'chatform-bench-'));
  try {
    const channels = Math.ceil(messages / perChannel);
    const bytes = await writeArchives(folder, channels);
    const parsed = await seconds(() => readAndParse(folder, channels));
    global.gc?.();
    const before = process.memoryUsage().rss;
    let resources: Awaited<ReturnType<typeof loadManifests>>['resources'] = [];
    const loaded = await seconds(async () => {
      const manifest = await loadManifests([folder], { kinds: registry, cwd: folder, variables: () => undefined });
      if (manifest.diagnostics.length > 0) throw new Error(manifest.diagnostics[0]?.detail);
      resources = manifest.resources;
    });
    const rates = { ratePlan: '25k_mau', limits: {}, share: 1 };
    const plan = (records: readonly StateRecord[]) =>
      makePlan({
        kinds: registry,
        resources,
        removed: [],
        records,
        policy,
        application: 'example.com/v3',
        settings: { base_url: 'https://example.com/v3', rate_plan: '25k_mau', limits: {}, rate_share: 1 },
        limitsOf: limitsOf(rates),
        today: '2026-06-01',
      }).plan.steps.length;
    let calls = 0;
    const planned = await seconds(async () => {
      calls = plan([]);
    });
    const records = halfDone(resources);
    let left = 0;
    const resumed = await seconds(async () => {
      left = plan(records);
    });
    const megabytes = bytes / 1e6;
    return [
      {
        messages,
        channels,
        MB: rounded(megabytes),
        'read and JSON.parse MB/s': rounded(megabytes / parsed),
        'validated and marked MB/s': rounded(megabytes / loaded),
        'plan s': rounded(planned),
        steps: calls,
        'resumed at half: read again and planned s': rounded(loaded + resumed),
        'steps left': left,
        'more memory MB': rounded((process.memoryUsage().rss - before) / 1e6),
        'peak MB': rounded(process.resourceUsage().maxRSS / 1024),
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** State after a run that was killed when every other archive was sent. */
function halfDone(resources: Iterable<Resource>): StateRecord[] {
  const kinds = new Map(registry.map((kind) => [kind.kind, kind]));
  const records: StateRecord[] = [];
  let archives = 0;
  for (const resource of resources) {
    const kind = kinds.get(kindOf(resource.address));
    if (kind === undefined || (kind.isPart === true && archives++ % 2 === 1)) continue;
    records.push(recordAsApplied(kind, resource));
  }
  return records;
}

const policy = {
  on_remove: {},
  removals: { max_share: 1, min_count: 1_000_000 },
  acknowledge: [],
  existing: 'refuse',
  external: {},
  personal_data: 'error',
  departed: 'leave_alone',
  reopen: { frozen: 'allow', deactivated: 'allow' },
  leave_channels_on_deactivation: false,
} as const;

async function writeArchives(folder: string, channels: number): Promise<number> {
  await mkdir(join(folder, 'history'));
  const names = Array.from({ length: channels }, (_, place) => `room-${place}`);
  await writeFile(
    join(folder, 'm.yaml'),
    `version: 1
users: { alice: { nickname: A, profile_url: '' }, bob: { nickname: B, profile_url: '' } }
sources: [{ kind: group_channel, file: rooms.ndjson }, { kind: messages, file: "history/{channel_url}.ndjson" }]
`,
  );
  await writeFile(
    join(folder, 'rooms.ndjson'),
    names.map((name) => `${JSON.stringify({ channel_url: name, members: { alice: {}, bob: {} } })}\n`).join(''),
  );
  let bytes = 0;
  for (const name of names) {
    const file = createWriteStream(join(folder, 'history', `${name}.ndjson`));
    const text = Array.from({ length: perChannel }, (_, place) =>
      JSON.stringify({
        message_type: 'MESG',
        user_id: place % 2 === 0 ? 'alice' : 'bob',
        message: `Message ${place} of ${name}, which is about as long as messages in support rooms mostly are.`,
        custom_type: 'chat',
        timestamp: time + place * 1000,
      }),
    ).join('\n');
    bytes += Buffer.byteLength(text) + 1;
    await new Promise<void>((resolve) => file.end(`${text}\n`, resolve));
  }
  return bytes;
}

async function readAndParse(folder: string, channels: number): Promise<void> {
  for (let place = 0; place < channels; place++) {
    const input = createReadStream(join(folder, 'history', `room-${place}.ndjson`), { highWaterMark: 1 << 20 });
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) JSON.parse(line);
  }
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}
