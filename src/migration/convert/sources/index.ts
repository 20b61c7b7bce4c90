// The registry of sources: one line per system.

import type { ExportSource } from '../export/source.ts';
import { discord } from './discord/discord.ts';
import { mattermost } from './mattermost/mattermost.ts';
import { sendbird } from './sendbird/sendbird.ts';
import { slack } from './slack/slack.ts';
import { stream } from './stream/stream.ts';

export const sources: readonly ExportSource[] = [slack, mattermost, stream, discord, sendbird];
