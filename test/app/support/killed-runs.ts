// Support: a platform that can be cut off, and runs that are killed between two calls.
import { cpSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import type { Ports } from '../../../src/app/context/ports.ts';
import { breakLock } from '../../../src/app/state.ts';
import type { RunningEmulator } from '../../../src/emulator/server.ts';

export interface Gate {
  readonly port: number;
  /**
   * Does the work, and kills its process when this many calls have taken effect: nothing arrives afterwards, and state is as it
   * was at that moment. Returns whether it was killed.
   */
  killed(after: number, cwd: string, ports: Ports, work: (ports: Ports) => Promise<unknown>): Promise<boolean>;
  close(): void;
}

export async function gateTo({ url }: RunningEmulator): Promise<Gate> {
  let left = Number.POSITIVE_INFINITY;
  let onKill = () => {};
  const server = createServer((incoming, outgoing) => {
    if (left <= 0) {
      // Such a response ends the rest of the run at once, without any effect.
      outgoing.writeHead(400, { 'Content-Type': 'application/json' });
      return void outgoing.end(JSON.stringify({ error: true, code: 400401, message: 'dead' }));
    }
    const { method, url: path, headers } = incoming;
    const asked = request(new URL(path ?? '/', url), { ...(method === undefined ? {} : { method }), headers });
    asked.on('response', (answer) => {
      if (method !== 'GET') left -= 1;
      if (left <= 0) onKill();
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    asked.on('error', () => outgoing.destroy());
    incoming.pipe(asked);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    port: (server.address() as AddressInfo).port,
    killed: async (after, cwd, ports, work) => {
      const [state, image] = [join(cwd, '.chatform/state'), join(cwd, '.chatform/image')];
      const interrupts = new Set<() => void>();
      left = after;
      let wasKilled = false;
      onKill = () => {
        if (wasKilled) return;
        wasKilled = true;
        cpSync(state, image, { recursive: true, filter: (from) => !basename(from).startsWith('tmp_') });
        for (const interrupt of [...interrupts]) interrupt();
      };
      const onInterrupt: Ports['onInterrupt'] = (callback) => {
        interrupts.add(callback);
        return () => void interrupts.delete(callback);
      };
      await work({ ...ports, onInterrupt }).catch((error: unknown) => {
        if (!wasKilled) throw error;
      });
      left = Number.POSITIVE_INFINITY;
      if (!wasKilled) return false;
      await rm(state, { recursive: true });
      await rename(image, state);
      await breakLock(
        { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v3` },
        ports,
        async () => {},
      );
      return true;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
