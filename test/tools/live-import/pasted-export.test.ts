// Tests that the commands in the notes of an export work when they are pasted, whatever the keys are.
import { expect, test } from 'vitest';
import { yamlWord } from '../../../src/lib/tools/pasted-words.ts';
import { inShell, oddKeys } from '../../support/pasted.ts';
import { connected } from '../../support/place.ts';

const users = (nickname: string) =>
  `version: 1\nusers:\n${oddKeys.map((key) => `  ${yamlWord(key)}: { nickname: ${nickname} }\n`).join('')}`;

test('adopt and state forget in the notes of export --only select the object that they name and no other', async () => {
  const { at } = await connected({ 'team/chat.yaml': users('One') });
  await at.does('apply team --auto-approve --state file:elsewhere');
  await at.write({ 'team/chat.yaml': users('Two') });

  const pastedFrom = async (says: string): Promise<readonly string[][]> => {
    const { left_out: leftOut } = await at.json('export --out-dir team --only user.*');
    const notes = (leftOut as readonly string[]).filter((note) => note.includes(says));
    expect(notes).toHaveLength(oddKeys.length);
    const commands = notes.map(
      (note) => /chatform (?:adopt|state forget) .*(?= takes it| and export)/su.exec(note)?.[0] ?? '',
    );
    return inShell(commands).map(([, ...words]) => words);
  };
  const inState = async (): Promise<readonly string[]> => (await at.json('state list')).addresses;
  const adopting = await pastedFrom('declared but not in state');
  for (const [index, words] of adopting.entries()) {
    await at.does(words);
    expect([words, (await inState()).length]).toEqual([words, index + 1]);
  }
  await at.write({ 'team/chat.yaml': 'version: 1\n' });
  const forgetting = await pastedFrom('in state but not declared');
  for (const [index, words] of forgetting.entries()) {
    await at.does([...words, '--auto-approve']);
    expect([words, (await inState()).length]).toEqual([words, oddKeys.length - index - 1]);
  }
});
