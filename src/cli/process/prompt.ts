// Asks a question in the terminal.
import { commandInterrupted } from '../../model/errors.ts';
import { wrapLines } from '../../view/text/wrap-lines.ts';
import type { Interrupts } from './interrupts.ts';

/** Ctrl-C and Ctrl-D give an empty answer, unless the signal has interrupted the command (130). */
export async function ask(question: string, onInterrupt: Interrupts['onInterrupt']): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const stop = new AbortController();
  const forget = onInterrupt(() => stop.abort());
  try {
    const { columns } = process.stderr;
    return await terminal.question(columns > 0 ? wrapLines(question, columns) : question, { signal: stop.signal });
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
    process.stderr.write('\n');
    if (stop.signal.aborted) throw commandInterrupted();
    // Ctrl-C and Ctrl-D are keys here. They answer the prompt, but never with yes.
    return '';
  } finally {
    forget();
    terminal.close();
  }
}
