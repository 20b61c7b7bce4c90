// One measurement of a state, in a process of its own so that its memory is its own. Prints seconds and megabytes.
import { openBackend } from '../../src/state/index.ts';
import { application, contextAt } from './many-users.ts';

/** `place`: a state as --state names it. */
const [way = '', place = ''] = process.argv.slice(2);
const before = process.cpuUsage();
const snapshot = await (await openBackend(place, contextAt('.'))).read(application);
const opened = process.cpuUsage(before);
let seen = 0;
if (way === 'walk') for (const record of snapshot.records()) seen += Number(record.attributes.nickname !== undefined);
if (way === 'walk' && seen !== snapshot.size) throw new Error('not all records were seen');
const { user, system } = way === 'walk' ? process.cpuUsage(before) : opened;
const since = way === 'walk' ? opened.user + opened.system : 0;
console.log(JSON.stringify({ cpuS: (user + system - since) / 1e6, rssMb: process.resourceUsage().maxRSS / 1024 }));
