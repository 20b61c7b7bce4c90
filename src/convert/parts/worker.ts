// The program of the second thread: converts parts of an export, one after the other, as it is told their numbers.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { InternalError } from '../../lib/errors.ts';
import { openFileTree } from '../../lib/file-tree.ts';
import { Spool } from '../../lib/spool.ts';
import { Channels } from '../channels.ts';
import { sources } from '../sources/index.ts';
import { Users } from '../users.ts';
import type { FromHelper, HelperSetup } from './helper.ts';
import { convertPart } from './part.ts';

const { source: name, exported, decisions, known, folder, linesInMemory } = workerData as HelperSetup;
const port = parentPort;
const source = sources.find((one) => one.name === name);
if (port === null || source === undefined) throw new InternalError(`no thread can convert ${name}`);

const tree = await openFileTree(exported, source.isSingleFile);
const { collect } = new Spool({ folder: tmpdir(), inMemory: linesInMemory });
const { roster, parts } = await source.open(tree, decisions, collect);
const users = new Users(roster.users, decisions, known);
const channels = new Channels(roster.channels, users, decisions);
const tell = (message: FromHelper): void => port.postMessage(message);

port.on('message', async (number: number) => {
  const part = parts[number];
  if (part === undefined) throw new InternalError(`the export has no part ${number}`);
  users.forgetStrangers();
  channels.forgetSenders();
  const input = { source: name, users, channels, decisions, collect };
  const made = await convertPart(part, join(folder, `part-${number}`), input, (bytes, items) =>
    tell({ type: 'progress', bytes, items }),
  );
  tell({ type: 'part', part: { ...made, strangers: users.strangers, senders: channels.senders } });
});
