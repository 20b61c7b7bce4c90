// Support: the mappings that ship, converted, applied to the emulator, verified and decoded.
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { runCli, succeeded } from '../../../../support/run-cli.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

export const shipped = join(import.meta.dirname, '../../../../../examples/operations/move-from-anything');

const accepted = 'accepted:\n  message.deleted: yes\n  row.unmapped: yes\n  table.unmapped: yes\n';

/** Unread columns of messages go into their data. Those of people and channels, which may restrict them, do not. */
function decidedFields(decisions: string): string {
  return decisions
    .replaceAll(/^( {2}message\.[\w.]+): undecided$/gmu, '$1: accepted')
    .replaceAll(/^( {2}\w+\.[\w.]+): undecided$/gmu, '$1: leave_out');
}

/** The original data of each message as the history files of the platform give it back, by id. */
export async function movedWith(name: string): Promise<readonly unknown[]> {
  const cwd = await temporaryFolder();
  await cp(join(shipped, name), join(cwd, 'data'), { recursive: true });
  const data = (await readdir(join(cwd, 'data'))).filter((file) => file !== 'mapping.yaml' && file !== 'README.md');
  const convert = [
    'convert',
    'table',
    ...data.map((file) => `data/${file}`),
    '--mapping',
    'data/mapping.yaml',
    '--out-dir',
    'chat',
  ];
  await succeeded(runCli(convert, { cwd }));
  const decisions = await readFile(join(cwd, 'chat/conversion/decisions.yaml'), 'utf8');
  await writeFile(
    join(cwd, 'chat/conversion/decisions.yaml'),
    `${decidedFields(decisions).replace(/accepted:[\s\S]*$/u, '')}${accepted}`,
  );
  await succeeded(runCli([...convert, '--strict'], { cwd }));
  const folder = join(cwd, 'chat');
  await succeeded(runCli(['apply', '--auto-approve'], { cwd: folder }));
  expect(await runCli(['plan', '--detailed-exitcode'], { cwd: folder })).toMatchObject({ exit: 0 });
  expect(await runCli(['verify', '--all'], { cwd: folder })).toMatchObject({ exit: 0 });
  await succeeded(runCli(['export', '--out-dir', 'copy', '--messages', '--without-state'], { cwd: folder }));
  const decode = async (history: string) => {
    const files = (await readdir(join(folder, history))).sort().map((file) => join(history, file));
    const { stdout } = await succeeded(runCli(['convert', '--decode', ...files], { cwd: folder }));
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line): unknown => JSON.parse(line));
  };
  const decoded = await decode('copy/history');
  expect(decoded).toEqual(await decode('history'));
  return decoded;
}
