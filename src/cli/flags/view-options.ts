// How shall this stream be written to?
import { randomBytes } from 'node:crypto';
import { impersonalAttributes } from '../../resources/index.ts';
import type { ViewOptions } from '../../view/options.ts';
import { type Environment, type Output, usesColour } from '../environment.ts';
import { type CommandInput, usage } from './command.ts';

/** Below that, not even what cannot be left out finds room. */
const leastBytes = 8_192;

/** One key for all that one run writes, so that equal values have equal tags in it, and nowhere else. */
const keys = new WeakMap<CommandInput, string>();

export function viewOptions(input: CommandInput, world: Environment, output: Output): ViewOptions {
  return {
    ...(input.flag('plain') ? { plain: true } : {}),
    color: !input.flag('plain') && usesColour(world, output, input.text('color') ?? 'auto'),
    width: output.width,
    ...(input.flag('redact') ? { redactionKey: keyOf(input), impersonal: impersonalAttributes } : {}),
  };
}

/** As a plan shall be shown on it. Refused (64) when --max-bytes is too small to say anything. */
export function planViewOptions(input: CommandInput, world: Environment, output: Output): ViewOptions {
  const maxBytes = input.count('max-bytes');
  if (maxBytes !== undefined && maxBytes < leastBytes) {
    throw usage(`--max-bytes is ${maxBytes}.`, `Give at least ${leastBytes}.`);
  }
  return { ...viewOptions(input, world, output), ...(maxBytes === undefined ? {} : { maxBytes }) };
}

function keyOf(input: CommandInput): string {
  const key = keys.get(input) ?? randomBytes(32).toString('hex');
  keys.set(input, key);
  return key;
}
