// Tests that people keep their marks in whatever order and in how many objects they are named.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PeopleMarks } from '../../../src/core/access/people-marks.ts';

const people = ['ann', 'ben', 'cem', 'dee'];

test('a mark is new once for each person, whoever is named before', () => {
  const step = fc.oneof(fc.constant(undefined), fc.tuple(fc.constantFrom(...people), fc.nat({ max: 2 })));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const marks = new PeopleMarks();
      const bits = [marks.newMark(), marks.newMark(), marks.newMark()];
      const marked = new Set<string>();
      for (const named of steps) {
        if (named === undefined) {
          marks.begin();
          continue;
        }
        const [id, at] = named;
        expect(marks.mark(id, bits[at] ?? 0)).toBe(!marked.has(`${id} ${at}`));
        marked.add(`${id} ${at}`);
      }
    }),
  );
});
