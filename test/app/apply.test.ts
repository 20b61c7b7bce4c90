// Tests applying as a function: its listeners and its refusals.
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Approval, applyChanges } from '../../src/app/apply.ts';
import { Refusal } from '../../src/model/errors.ts';
import type { Notice } from '../../src/model/event.ts';
import { exitCode } from '../../src/model/exit-code.ts';
import { estate, paths, testPorts } from './support/ports.ts';

describe('apply', () => {
  test('tells its listener about the plan first and the report last', async () => {
    const ports = await testPorts({ 'chat.yaml': estate });
    const seen: string[] = [];
    await applyChanges({ paths }, ports, {
      review: async (plan) => {
        seen.push(`review ${plan.steps.length}`);
        return 'exact';
      },
      begin: async (plan) => void seen.push(`begin ${plan.steps.length}`),
      event: ({ type }) => void seen.push(type),
      end: async (report) => void seen.push(`end ${report?.outcome}`),
    });
    expect(seen.slice(0, 3)).toEqual(['review 3', 'begin 3', 'run.started']);
    expect(seen.slice(-2)).toEqual(['run.ended', 'end done']);
  });

  test('does nothing when the review throws', async () => {
    const ports = await testPorts({ 'chat.yaml': estate });
    const review = async (): Promise<Approval> => {
      throw new Refusal('apply.declined', exitCode.refused, 'No.', 'Nothing was changed.');
    };
    await expect(applyChanges({ paths }, ports, { review })).rejects.toMatchObject({ code: 'apply.declined' });
    expect(await readdir(ports.cwd)).toEqual(['chat.yaml']);
  });

  test('tells a listener that began about the end, even if a notice throws before the first step', async () => {
    const text = `${estate}policy: { undo: { megabytes: 0 } }\n`;
    const ports = await testPorts({ 'chat.yaml': text });
    await applyChanges({ paths }, ports);
    await writeFile(join(ports.cwd, 'chat.yaml'), text.replace('nickname: Alice', 'nickname: A'));
    const seen: string[] = [];
    const notify = ({ type }: Notice): void => {
      if (type === 'undo-impossible') throw new Error('no terminal');
    };
    const run = applyChanges(
      { paths },
      { ...ports, notify },
      { begin: async () => void seen.push('begin'), end: async () => void seen.push('end') },
    );
    await expect(run).rejects.toThrow('no terminal');
    expect(seen).toEqual(['begin', 'end']);
  });

  test('runs only the exact plan that was approved', async () => {
    const ports = await testPorts({ 'chat.yaml': estate });
    const review = async (): Promise<Approval> => {
      await applyChanges({ paths, targets: ['user.alice'] }, ports);
      return 'exact';
    };
    await expect(applyChanges({ paths }, ports, { review })).rejects.toMatchObject({ code: 'plan.overtaken' });
  });
});

test('sends texts as long as the application allows', async () => {
  const length = 5001;
  const line = { user_id: 'alice', message: 'x'.repeat(length), timestamp: 1_600_000_000_000 };
  const manifest = (limits: string) => `version: 1
application: { base_url: "emulator:.chatform/emulator", rate_plan: 100k_mau${limits} }
users: { alice: { nickname: Alice } }
group_channels: { room: { members: { alice: }, messages: { file: room.ndjson } } }
`;
  const files = { 'room.ndjson': `${JSON.stringify(line)}\n` };
  const refused = await testPorts({ ...files, 'chat.yaml': manifest('') });
  await expect(applyChanges({ paths }, refused)).rejects.toMatchObject({ exitCode: 65 });
  const ports = await testPorts({ ...files, 'chat.yaml': manifest(`, limits: { message_length: ${length} }`) });
  expect((await applyChanges({ paths }, ports)).report).toMatchObject({ exit_code: 0 });
});
