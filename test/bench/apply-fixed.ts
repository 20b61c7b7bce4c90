// The common way, to compare with: ten workers, one kind after the other, and whoever is refused waits twice as long each time.
import { Pool } from 'undici';
import { type ApiRequest, requestPath } from '../../src/core/model/request.ts';
import { phaseRank, type Step } from '../../src/core/model/step.ts';

const workers = 10;
const firstBackoffMs = 500;
const longestBackoffMs = 30_000;

export interface FixedRun {
  readonly durationS: number;
  readonly requests: number;
  readonly limited: number;
}

/** Over HTTP: no journal, no look at what an answer means. */
export async function runFixed(
  steps: Iterable<Step>,
  { url, token }: { readonly url: string; readonly token: string },
): Promise<FixedRun> {
  const base = new URL(url);
  const pool = new Pool(base.origin, { connections: workers });
  const headers = { 'Api-Token': token, 'Content-Type': 'application/json' };
  let requests = 0;
  let limited = 0;
  const send = async (request: ApiRequest): Promise<void> => {
    for (let tries = 0; ; tries++) {
      requests++;
      const answer = await pool.request({
        method: request.method,
        path: base.pathname + requestPath(request),
        headers,
        ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      });
      await answer.body.dump();
      if (answer.statusCode !== 429) return;
      limited++;
      await new Promise((resolve) => setTimeout(resolve, backoffMs(tries)));
    }
  };
  const startedAt = performance.now();
  for (const phase of phasesOf(steps)) {
    const queue = phase.values();
    await Promise.all(
      Array.from({ length: workers }, async () => {
        for (const request of queue) await send(request);
      }),
    );
  }
  await pool.close();
  return { durationS: (performance.now() - startedAt) / 1000, requests, limited };
}

function phasesOf(steps: Iterable<Step>): ApiRequest[][] {
  const phases = new Map<number, ApiRequest[]>();
  for (const { phase, request } of steps) {
    if (request === undefined) continue;
    const calls = phases.get(phaseRank[phase]);
    if (calls === undefined) phases.set(phaseRank[phase], [request]);
    else calls.push(request);
  }
  return [...phases].sort(([left], [right]) => left - right).map(([, calls]) => calls);
}

function backoffMs(tries: number): number {
  const full = Math.min(longestBackoffMs, firstBackoffMs * 2 ** tries);
  return full / 2 + (full / 2) * Math.random();
}
