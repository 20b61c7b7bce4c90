// How is a lost state made again?
import { rebuildState } from '../../../app/rebuild.ts';
import type { StateVerb } from './verb.ts';

export const rebuild: StateVerb = (args, input, world) => rebuildState(args, input, world);
