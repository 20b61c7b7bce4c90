// Support: the objects of a real public community. The data belongs to the community and is not in the project.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { env } from 'node:process';

const project = join(import.meta.dirname, '../..');
const given = env.CHATFORM_COMMUNITY_DATA;
const folder = given === undefined || given === '' ? resolve(project, '../shared/data/community') : resolve(given);

/** Undefined if the data is not on this machine. */
export const communityFolder = existsSync(folder) ? folder : undefined;
export const communityIsAbsent = 'the community data is not there: name its folder in CHATFORM_COMMUNITY_DATA';
/** An application for the data, which has none. */
export const communityApplication = ['--base-url', 'emulator:.chatform/emulator', '--rate-plan', '25k_mau'];
