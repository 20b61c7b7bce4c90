// Support: a platform that counts the writes that reach it, and runs that are killed at one of their calls.
import { cpSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Ports } from '../../../../src/core/app/context/ports.ts';
import { breakLock } from '../../../../src/core/app/state.ts';
import type { RunningEmulator } from '../../../../src/emulator/server.ts';

/** The call at which a process is killed. A call is `PUT /users/anna`. */
interface Fatal {
  readonly call: string;
  /** The writes that take effect before it. Other writes never arrive, so a kill repeats whatever the process sends at once. */
  readonly after: readonly string[];
  /** Whether the call takes effect. */
  readonly arrives: boolean;
}

export interface Gate {
  readonly url: string;
  /** The writes that reached the platform since the last call of this. */
  taken(): string[];
  /** Does the work and kills its process: nothing arrives afterwards, and state is as it was at that moment. */
  killed(fatal: Fatal, cwd: string, ports: Ports, work: (ports: Ports) => Promise<unknown>): Promise<void>;
}

/** Ends the rest of a run at once, without any effect. */
const dead = JSON.stringify({ error: true, code: 400401, message: 'dead' });

interface Death extends Fatal {
  readonly onKill: () => void;
  isKilled: boolean;
  /** What decides about the held writes again. */
  held: (() => void)[];
}

/** Closes when the test ends. */
export async function gateTo({ url }: RunningEmulator): Promise<Gate> {
  let writes: string[] = [];
  let answered: string[] = [];
  let death: Death | undefined;
  const kill = (dying: Death): void => {
    dying.onKill();
    dying.isKilled = true;
    for (const decide of dying.held.splice(0)) decide();
  };
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url: path = '/', headers } = incoming;
    const call = `${method} ${path.replace(/^\/v3/u, '').replace(/\?.*$/u, '')}`;
    const refuse = (): void => {
      incoming.resume();
      outgoing.writeHead(400, { 'Content-Type': 'application/json' });
      outgoing.end(dead);
    };
    const forward = (onAnswer: () => void = () => {}): void => {
      if (method !== 'GET') writes.push(call);
      const asked = request(new URL(path, url), { method, headers });
      asked.on('response', (answer) => {
        if (method !== 'GET') answered.push(call);
        onAnswer();
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
        for (const decide of death?.held.splice(0) ?? []) decide();
      });
      asked.on('error', () => outgoing.destroy());
      incoming.pipe(asked);
    };
    const decide = (): void => {
      const dying = death;
      if (dying?.isKilled === true) refuse();
      else if (dying === undefined || method === 'GET' || lacking(dying.after, writes).includes(call)) forward();
      else if (call !== dying.call || lacking(dying.after, answered).length > 0) dying.held.push(decide);
      else if (dying.arrives) forward(() => kill(dying));
      else {
        kill(dying);
        refuse();
      }
    };
    decide();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const gate = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v3`;
  const taken = (): string[] => {
    const before = writes;
    writes = [];
    answered = [];
    return before;
  };
  return {
    url: gate,
    taken,
    killed: async (fatal, cwd, ports, work) => {
      const [state, image] = [join(cwd, '.chatform/state'), join(cwd, '.chatform/image')];
      const interrupts = new Set<() => void>();
      const onKill = (): void => {
        cpSync(state, image, { recursive: true, filter: (from) => !basename(from).startsWith('tmp_') });
        for (const interrupt of [...interrupts]) interrupt();
      };
      const onInterrupt: Ports['onInterrupt'] = (callback) => {
        interrupts.add(callback);
        return () => void interrupts.delete(callback);
      };
      taken();
      const dying: Death = { ...fatal, onKill, isKilled: false, held: [] };
      death = dying;
      await work({ ...ports, onInterrupt }).catch((error: unknown) => {
        if (!dying.isKilled) throw error;
      });
      death = undefined;
      if (!dying.isKilled) throw new Error(`the run never made ${fatal.call}`);
      await rm(state, { recursive: true });
      await rename(image, state);
      await breakLock({ baseUrl: gate }, ports, async () => {});
      taken();
    },
  };
}

/** The calls that are not yet among those made. A call may be there more than once. */
export function lacking(calls: readonly string[], made: readonly string[]): string[] {
  const left = [...made];
  return calls.filter((call) => {
    const place = left.indexOf(call);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
}
