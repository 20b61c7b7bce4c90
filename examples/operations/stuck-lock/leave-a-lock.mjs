// Leaves the lock of a runner that was taken away 20 seconds ago, for the guide.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';

const folder = '.chatform/state';
const newest = readdirSync(folder).filter((name) => name.startsWith('head_')).sort().at(-1);
const { base, ...head } = JSON.parse(readFileSync(`${folder}/${newest}`, 'utf8').split('\n')[0]);
const ago = (seconds) => new Date(Date.now() - seconds * 1000).toISOString();
const owner = { user: 'ci', host: 'runner-7', pid: 812, job: '8123' };
const lock = { owner, since: ago(40), heartbeat: ago(20), leaseMs: 60_000 };
const epoch = head.epoch + 1;
const name = String(epoch).padStart(10, '0');
const file = `${folder}/head_${name}`;
const line = `${JSON.stringify({ ...head, epoch, lock })}\n`;
const sha256 = createHash('sha256').update(`head/${name}\n`).update(line).digest('hex');
writeFileSync(file, `${line}${JSON.stringify({ sha256 })}\n`);
// The age of the file is the time since the last heartbeat.
utimesSync(file, Date.now() / 1000, Date.now() / 1000 - 20);
