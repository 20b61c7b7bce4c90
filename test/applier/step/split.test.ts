// Tests a call whose list is refused because of one id: it is sent once for each id and recorded as one step.
import { describe, expect, test } from 'vitest';
import type { ApiRequest } from '../../../src/model/request.ts';
import type { Split } from '../../../src/model/step.ts';
import { type Fault, refused } from '../support/fake-platform.ts';
import { rig } from '../support/rig.ts';
import { create, update } from '../support/steps.ts';

const inBody: Split = { in: 'body', field: 'ids', ids: ['x', 'y', 'z'], on: [400111], doneOn: [400111] };

/** Refuses every list that contains the id of a missing object. */
function goneAre(...gone: string[]): (request: ApiRequest) => Fault {
  return ({ body, query }) => {
    const ids = Array.isArray(body?.ids) ? body.ids : (query?.ids?.split(',') ?? []);
    return ids.some((id) => gone.includes(String(id))) ? refused(400111) : undefined;
  };
}

function leave(split: Split) {
  const request: ApiRequest = {
    method: 'PUT',
    route: '/things/{key}',
    params: { key: 'a' },
    ...(split.in === 'body' ? { body: { ids: [...split.ids] } } : { query: { ids: split.ids.join(',') } }),
  };
  return update('a', 1, { split, request, needs: ['thing.a#0'] });
}

describe('a list with an id that the platform refuses', () => {
  test('is one call when none is refused', async () => {
    const { run, platform, state } = rig({ fault: goneAre() });
    expect((await run([create('a'), leave(inBody)])).report.outcome).toBe('done');
    expect(platform.calls).toEqual(['POST /things a', 'PUT /things/{key} a']);
    expect(state.log).toContain('done thing.a#1');
  });

  test.for<Split>([inBody, { ...inBody, in: 'query' }])('is sent in parts, in the $in', async (split) => {
    const sent: string[] = [];
    const refusing = goneAre('y');
    const { run, platform, state } = rig({
      fault: (request) => {
        sent.push(JSON.stringify(request.body?.ids ?? request.query?.ids ?? ''));
        return refusing(request);
      },
    });
    const { report } = await run([create('a'), leave(split)]);
    expect(report.outcome).toBe('done');
    const [, , ...parts] = sent;
    expect(parts).toEqual(split.in === 'body' ? ['["x"]', '["y"]', '["z"]'] : ['"x"', '"y"', '"z"']);
    expect(platform.things.get('a')?.changed).toBe(2);
    expect(state.log.filter((line) => line === 'done thing.a#1')).toHaveLength(1);
  });

  test('fails as one step when a part is refused for another reason, and state is unchanged', async () => {
    const refusing = goneAre('y');
    const { run, state } = rig({
      fault: (request) => {
        const ids = request.body?.ids;
        return Array.isArray(ids) && ids.length === 1 && ids[0] === 'z' ? refused(400108) : refusing(request);
      },
    });
    const { report } = await run([create('a'), leave(inBody)]);
    expect(report.failures).toMatchObject([{ address: 'thing.a', code: 400108 }]);
    expect(state.log).not.toContain('done thing.a#1');
  });

  test('waits for the rate limit with each part', async () => {
    const refusing = goneAre('x');
    let limited = 0;
    const { run, clock } = rig({
      fault: (request) => {
        const ids = request.body?.ids;
        if (Array.isArray(ids) && ids[0] === 'z' && limited++ === 0) return { type: 'limited', retryAfterS: 7 };
        return refusing(request);
      },
    });
    expect((await run([create('a'), leave(inBody)])).report.outcome).toBe('done');
    expect(clock.now()).toBeGreaterThan(7_000);
  });
});
