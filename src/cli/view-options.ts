// How shall this stream be written to?
import type { ViewOptions } from '../view/options.ts';
import type { CommandInput } from './command.ts';
import { type Output, usesColour, type World } from './world.ts';

export function viewOptions(input: CommandInput, world: World, output: Output): ViewOptions {
  return { color: usesColour(world, output, input.text('color') ?? 'auto'), width: output.width };
}
