// Where is the real input, a public community's estate of a thousand objects? Not in the project: it is the community's.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { env } from 'node:process';

const project = new URL('../..', import.meta.url).pathname;
const given = env.CHATFORM_COMMUNITY_DATA;
const folder = given === undefined || given === '' ? resolve(project, '../shared/data/community') : resolve(given);

/** Undefined when it is not on this machine. */
export const communityFolder = existsSync(folder) ? folder : undefined;
export const communityIsAbsent = 'the community data is not there: name its folder in CHATFORM_COMMUNITY_DATA';
/** The data names no application. */
export const communityApplication = ['--base-url', 'emulator:.chatform/emulator', '--rate-plan', '25k_mau'];
