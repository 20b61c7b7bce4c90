// Tests the sources of declared variables, and which of their names may be shown.
import { describe, expect, test } from 'vitest';
import { variableIn, variableNamesIn } from '../../../../src/core/manifest/document/application-variables.ts';
import { load, placesOf } from '../support/in-memory.ts';

const manifest = `version: 1
variables:
  region: { default: eu, allowed: [eu, us, 1e5] }
  rooms: { type: integer, default: 3 }
  closed: { type: boolean }
application: { rate_share: "$\{var.share}", base_url: "emulator:$\{PLACE}/$\{var.region}" }
open_channels:
  hall-$\{var.region}: { name: "Hall $\{var.rooms}", frozen: "$\{var.closed}" }
---
version: 1
variables: { share: { type: number, default: 0.5 } }
`;

async function loaded(environment: Readonly<Record<string, string>>, values?: string, text = manifest) {
  const found = await load(
    { 'a.yaml': text },
    {
      variables: (name) => environment[name],
      variableNames: () => Object.keys(environment).filter((name) => environment[name] !== ''),
      ...(values === undefined ? {} : { values: { name: 'values.yaml', bytes: Buffer.from(values) } }),
    },
  );
  const objects = [...found.resources].map(({ address, attributes }) => ({ address, ...attributes }));
  return { objects, application: found.application, places: placesOf(found), variables: found.variables };
}

test('the environment overrides defaults, and a file overrides both', async () => {
  const plain = await loaded({ PLACE: 'p', closed: 'true' });
  expect(plain).toMatchObject({
    objects: [{ address: 'open_channel.hall-eu', name: 'Hall 3', frozen: true }],
    application: { base_url: 'emulator:p/eu', rate_share: 0.5 },
    places: [],
  });
  const environment = { PLACE: 'p', closed: 'true', region: 'us', rooms: '12', share: '0.25' };
  expect(await loaded(environment)).toMatchObject({
    objects: [{ address: 'open_channel.hall-us', name: 'Hall 12' }],
    application: { base_url: 'emulator:p/us', rate_share: 0.25 },
  });
  // Written text stays text, even if YAML would read a number.
  expect(await loaded(environment, 'region: 1e5\nclosed: false\n')).toMatchObject({
    objects: [{ address: 'open_channel.hall-1e5', name: 'Hall 12', frozen: false }],
    places: [],
  });
});

test('white space at the end of a text is left out, wherever the value comes from', async () => {
  for (const value of ['"us \\n"', '|\n  us\n'])
    expect((await loaded({ PLACE: 'p', closed: 'true' }, `region: ${value}\n`)).objects).toMatchObject([
      { address: 'open_channel.hall-us' },
    ]);
  const declared = manifest.replace('default: eu', 'default: "eu "');
  expect((await loaded({ PLACE: 'p', closed: 'true' }, undefined, declared)).objects).toMatchObject([
    { address: 'open_channel.hall-eu' },
  ]);
});

const whole = { PLACE: 'p', closed: 'true' };
test.for<[string, Readonly<Record<string, string>>, readonly string[]]>([
  ['no value', { PLACE: 'p' }, ['manifest.missing-variable a.yaml:8']],
  ['an empty one', { PLACE: 'p', closed: '' }, ['manifest.missing-variable a.yaml:8']],
  ['not allowed', { ...whole, region: 'asia' }, ['manifest.wrong-value a.yaml:3', 'manifest.bad-characters a.yaml:8']],
  ['another type', { PLACE: 'p', closed: 'yes' }, ['manifest.wrong-type a.yaml:5', 'manifest.wrong-type a.yaml:8']],
])('in the environment: %s', async ([, environment, expected]) => {
  expect((await loaded(environment)).places).toEqual(expect.arrayContaining([...expected]));
});

test.for([
  ['another type', 'rooms: many\n', 'manifest.wrong-type values.yaml:1'],
  ['nobody declares it', 'rooms: 1\nroms: 2\n', 'manifest.unknown-variable values.yaml:2'],
  ['a list', '- rooms\n', 'manifest.wrong-type values.yaml:1'],
  ['no YAML', 'rooms: [\n', 'manifest.syntax values.yaml:1'],
] as const)('in a file of values: %s', async ([, values, expected]) => {
  expect((await loaded(whole, values)).places).toContain(expected);
});

describe('a name in the environment in another case', () => {
  test.for<[string, Readonly<Record<string, string>>, string | undefined]>([
    [
      'is a warning',
      { REGION: 'us' },
      'CHATFORM_VAR_REGION is set but not used, because region reads CHATFORM_VAR_region',
    ],
    ['is used by another declared variable', { ROOMS: '4' }, undefined],
    ['is beside the right name', { REGION: 'us', region: 'us' }, undefined],
    ['is empty', { REGION: '' }, undefined],
    ['is that of no declared variable', { REGIONS: 'us', OTHER: 'x' }, undefined],
    ['is that of the application block', { place: 'p' }, 'CHATFORM_VAR_place is set, but upper and lower case differ'],
    ['is that of a variable without a default', { Closed: 'true' }, 'CHATFORM_VAR_Closed is set but not used'],
  ])('%s', async ([, environment, says]) => {
    const text = manifest.replace('  rooms:', '  ROOMS: { default: x }\n  rooms:');
    const found = await load(
      { 'a.yaml': text },
      {
        variables: (name) => environment[name],
        variableNames: () => Object.keys(environment).filter((name) => environment[name] !== ''),
      },
    );
    const details = found.diagnostics
      .map(({ detail }) => detail)
      .filter((detail) => detail.includes('upper and lower'));
    expect(details).toEqual(says === undefined ? [] : [expect.stringContaining(says)]);
  });
});

test('names the variables that texts show and those that are secret', async () => {
  const text = `version: 1
variables: { region: { default: eu }, door: { secret: true } }
users: { alice: { nickname: "$\{var.region}" } }
`;
  const { variables } = await loaded({ door: 'hunter2' }, undefined, text);
  expect(variables.application).toEqual(new Set(['REGION']));
  expect(variables.secret).toEqual(new Set(['DOOR']));
});

test('refuses a variable that contains the API token', async () => {
  const text = `version: 1\nvariables: { door: {} }\nusers: { alice: { nickname: "$\{var.door}" } }\n`;
  const options = { variables: () => 'the-token', isSecret: (name: string) => name === 'door' };
  const { diagnostics, resources } = await load({ 'a.yaml': text }, options);
  expect(diagnostics.map(({ code }) => code)).toEqual(['manifest.secret-variable']);
  expect(JSON.stringify([diagnostics, [...resources]])).not.toContain('the-token');
});

test('takes the variable that Azure Pipelines could not fill in for one that is not set', () => {
  const environment = {
    CHATFORM_VAR_a: '$(team)',
    CHATFORM_VAR_b: '$(build.Id)',
    CHATFORM_VAR_c: 'in $(team)',
    d: 'x',
  };
  expect(['a', 'b', 'c', 'd'].map((name) => variableIn(environment, name))).toEqual([
    undefined,
    undefined,
    'in $(team)',
    undefined,
  ]);
  expect(variableNamesIn(environment)).toEqual(['c']);
});
