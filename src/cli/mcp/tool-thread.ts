// The thread in which tools run, so that the server can end one that is busy, and answers other calls meanwhile.
import type { MessagePort } from 'node:worker_threads';
import { ownName } from '../../lib/own-names.ts';
import type { CommandInput } from '../flags/command-input.ts';
import { portsOf } from '../output/ports.ts';
import type { CommandEnvironment } from '../process/environment.ts';
import { withoutGivenSecrets } from '../process/given-secrets.ts';
import { answer, bytesOf, errorAnswer, givenTo, type ToolAnswer } from './answer.ts';
import { ToolArguments } from './arguments.ts';
import { ToolCallState } from './call-state.ts';
import { demandConfined, demandVisible } from './paths.ts';
import { toolNamed } from './tools.ts';

/** The data of the thread, by which the command knows that it runs in one. */
export interface ToolThreadData {
  readonly toolThread: SharedArrayBuffer;
}

export function isToolThreadData(data: unknown): data is ToolThreadData {
  return (
    typeof data === 'object' && data !== null && 'toolThread' in data && data.toolThread instanceof SharedArrayBuffer
  );
}

/** From the server: a call, or undefined to stop the call that runs. */
export type ToThread = { readonly name: string; readonly callArguments: unknown } | undefined;
/** To the server. */
export type FromThread = 'ready' | ToolAnswer;

/** Runs one call after the other, until the server closes the port. */
export async function answerCalls(
  input: CommandInput,
  environment: CommandEnvironment,
  port: MessagePort,
  { toolThread }: ToolThreadData,
): Promise<void> {
  const state = new ToolCallState(toolThread);
  let stop = new AbortController();
  port.on('message', (message: ToThread) => {
    if (message === undefined) {
      stop.abort();
      return;
    }
    stop = new AbortController();
    void answerCall(message, stop.signal).then((result) => port.postMessage(result satisfies FromThread));
  });
  const closed = new Promise<void>((resolve) => void port.once('close', resolve));
  port.postMessage('ready' satisfies FromThread);
  await closed;

  /** Never rejects. */
  async function answerCall({ name, callArguments }: NonNullable<ToThread>, stopped: AbortSignal): Promise<ToolAnswer> {
    const maxBytes = bytesOf(input);
    const environmentOfCall = givenTo(environment, callArguments);
    try {
      const tool = toolNamed(name);
      const read = new ToolArguments(name, tool, callArguments);
      // By default, state is in the folder, too.
      const folder = input.text('state') === undefined ? [ownName('state')] : [];
      await demandConfined(environment.cwd, [...folder, ...read.paths]);
      await demandVisible(environment.cwd, read.paths);
      const ports = {
        ...portsOf(input, withoutGivenSecrets({ ...environment, ...environmentOfCall })),
        // A cancelled call and one that is out of time end as an interrupted command does.
        onInterrupt: (callback: () => void) => {
          if (stopped.aborted) queueMicrotask(callback);
          stopped.addEventListener('abort', callback);
          return () => stopped.removeEventListener('abort', callback);
        },
      };
      const demandToSave = () => state.demandToSave();
      return answer(
        await tool.run({ callArguments: read, input, ports, maxBytes, demandToSave }),
        maxBytes,
        environmentOfCall,
      );
    } catch (error) {
      return errorAnswer(error, maxBytes, environmentOfCall);
    }
  }
}
