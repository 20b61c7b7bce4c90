// Generated from convert/sources/index.ts by `npm run schema`.

/** As named on the command line. `table` is the source of every system that a mapping describes. */
export const conversionSources = ['slack', 'mattermost', 'stream', 'discord', 'sendbird', 'table'] as const;

/** Systems whose exports can be converted. */
export type ConversionSource = (typeof conversionSources)[number];
