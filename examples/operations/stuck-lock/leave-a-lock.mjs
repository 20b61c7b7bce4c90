// Leaves the lock of a runner that was taken away 20 seconds ago, for the guide.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const folder = '.chatform/state';
const epochs = readdirSync(folder).flatMap((name) => /^journal\.(\d+)\./u.exec(name)?.[1] ?? []);
const newest = `${folder}/journal.${Math.max(...epochs)}.ndjson`;
const { lock } = JSON.parse(readFileSync(newest, 'utf8').split('\n')[0]);
const ago = (seconds) => new Date(Date.now() - seconds * 1000).toISOString();
const owner = { user: 'ci', host: 'runner-7', pid: 812, job: '8123' };
writeFileSync(`${folder}/${lock}`, `${JSON.stringify({ owner, since: ago(40), heartbeat: ago(20), expires: ago(-40) })}\n`);
