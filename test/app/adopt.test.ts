// Tests adopting as a function.
import { expect, test } from 'vitest';
import { adoptObjects } from '../../src/app/adopt.ts';
import { writeFiles } from '../support/folders.ts';
import { estate, paths, withoutState } from './support/ports.ts';

test('adopt takes what is there, and names what is not', async () => {
  const ports = await withoutState();
  await writeFiles(ports.cwd, {
    'chat.yaml': estate.replace('Alice', 'Alicia').replace('bob: {', 'carol: { nickname: C }, bob: {'),
  });
  expect(await adoptObjects({ addresses: ['user.*'], paths }, ports)).toEqual({
    objects: [
      { address: 'user.alice', differs: ['nickname'] },
      { address: 'user.bob', differs: [] },
    ],
    missing: ['user.carol'],
  });
});
