// Gives use cases the ports of a test: a separate folder, no secrets of this machine, and collected notices.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { applyChanges } from '../../../../src/core/app/apply.ts';
import type { Ports } from '../../../../src/core/app/context/ports.ts';
import { nodeClock } from '../../../../src/core/app/context/this-process.ts';
import type { Notice } from '../../../../src/core/model/event.ts';
import { place } from '../../../support/place.ts';

export interface TestPorts extends Ports {
  readonly notices: readonly Notice[];
}

/** `files` are written into the folder. */
export async function testPorts(files: Readonly<Record<string, string>>): Promise<TestPorts> {
  const at = await place(files);
  const notices: Notice[] = [];
  return {
    env: {},
    cwd: at.cwd,
    clock: nodeClock,
    random: Math.random,
    onInterrupt: () => () => {},
    notify: (notice) => void notices.push(notice),
    notices,
  };
}

/** Two users and a channel on the embedded platform. */
export const estate = `version: 1
application: { base_url: "emulator:.chatform/emulator", rate_plan: 100k_mau }
users: { alice: { nickname: Alice }, bob: { nickname: Bob } }
group_channels: { room: { members: { alice: , bob: } } }
`;

export const paths = ['chat.yaml'];
export const identity = 'emulator:.chatform/emulator';

/** The applied estate of `chat.yaml`. */
async function appliedEstate(): Promise<TestPorts> {
  const ports = await testPorts({ 'chat.yaml': estate });
  const { report } = await applyChanges({ paths }, ports);
  if (report.exit_code !== 0) throw new Error(`the estate was not applied: ${report.outcome}`);
  return ports;
}

/** The estate on the platform, with its state lost. */
export async function withoutState(): Promise<TestPorts> {
  const ports = await appliedEstate();
  await rm(join(ports.cwd, '.chatform/state'), { recursive: true });
  return ports;
}
