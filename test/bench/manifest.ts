// Times reading and checking of manifests, each in a process of its own.
import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '../../src/lib/json.ts';
import { keyOf } from '../../src/model/address.ts';
import { mapOf } from '../../src/resources/definition/values.ts';
import { recordAt, writeLines, writeUsers } from './many-users.ts';
import { inFolder, measureChild } from './measure.ts';
import { type Row, rounded } from './table.ts';

export async function benchManifest(): Promise<Row[]> {
  return inFolder(async (folder) => {
    const rows: Row[] = [];
    const [yaml, lines, table] = ['chat.yaml', 'users.ndjson', 'users.csv'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    for (const count of [1_000, 20_000]) {
      await writeLines(yaml, count, yamlAt, 'version: 1\nusers:\n');
      rows.push(await measure('YAML', count, yaml, yaml));
    }
    const many = 1_000_000;
    await writeUsers(lines, many);
    await writeFile(yaml, 'version: 1\nsources: [{ kind: user, file: users.ndjson }]\n');
    rows.push(await measure('NDJSON', many, yaml, lines));
    await rm(lines);
    await writeLines(table, many, csvAt, 'user_id,nickname,profile_url,metadata.team,metadata.locale,metadata.plan\n');
    await writeFile(yaml, 'version: 1\nsources: [{ kind: user, file: users.csv }]\n');
    rows.push(await measure('CSV', many, yaml, table));
    return rows;
  });
}

/** `data`: the file whose size counts. */
async function measure(format: string, count: number, manifest: string, data: string): Promise<Row> {
  const { s, cpuS, rssMb } = await measureChild('manifest-child.ts', manifest);
  return {
    data: `${format}, ${count.toLocaleString('en')} users`,
    MB: rounded((await stat(data)).size / 1e6, 1),
    s: rounded(s, 2),
    'processor s': rounded(cpuS, 2),
    'peak MB': Math.round(rssMb),
  };
}

function userAt(place: number): {
  readonly id: string;
  readonly attributes: JsonObject;
  readonly metadata: JsonObject;
} {
  const { address, attributes } = recordAt(place);
  return { id: keyOf(address), attributes, metadata: mapOf(attributes, 'metadata') };
}

function yamlAt(place: number): string {
  const { id, attributes, metadata } = userAt(place);
  return `  ${id}:
    nickname: ${attributes.nickname}
    profile_url: ${attributes.profile_url}
    metadata:
      team: ${metadata.team}
      locale: ${metadata.locale}
      plan: ${metadata.plan}
`;
}

function csvAt(place: number): string {
  const { id, attributes, metadata } = userAt(place);
  return `${[id, attributes.nickname, attributes.profile_url, metadata.team, metadata.locale, metadata.plan].join(',')}\n`;
}
