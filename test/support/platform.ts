// Support: an emulator for one test, and calls by another client.
import { onTestFinished } from 'vitest';
import { type EmulatorOptions, type RunningEmulator, startEmulator } from '../../src/emulator/server.ts';
import type { JsonObject } from '../../src/lib/json.ts';

/** Closes when the test ends. It has rate limits only if the test names their plan or asks for them, because runs wait for them. */
export async function startPlatform(options: EmulatorOptions = {}): Promise<RunningEmulator> {
  const running = await startEmulator({ rateLimits: options.ratePlan !== undefined, ...options });
  onTestFinished(() => running.close());
  return running;
}

/** The response to a call that must succeed. */
export async function call(
  { url, token }: Pick<RunningEmulator, 'url' | 'token'>,
  method: string,
  path: string,
  body?: object,
): Promise<JsonObject> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { 'Api-Token': token, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${text}`);
  return JSON.parse(text) as JsonObject;
}
