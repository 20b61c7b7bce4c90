// THE registry of sources: one line a system whose exports can be converted.
import { slack } from './slack/slack.ts';
import type { Source } from './source.ts';

export const sources: readonly Source[] = [slack];
