// Times reading and checking of manifests.
import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mapOf } from '../../src/core/kinds/definition/values.ts';
import { keyOf } from '../../src/core/model/address.ts';
import { recordAt, writeLines, writeUsers } from './many-users.ts';
import { columns, inInstalled, measureProgram, type Row, rounded } from './measure.ts';

export function benchManifest(): Promise<Row[]> {
  return inInstalled(async (folder, main) => {
    const rows: Row[] = [];
    const [yaml, lines, table] = [join(folder, 'chat.yaml'), join(folder, 'users.ndjson'), join(folder, 'users.csv')];
    /** `data`: the file whose size counts. */
    const measure = async (format: string, count: number, data: string): Promise<void> => {
      const cost = await measureProgram(folder, [main, 'validate', yaml]);
      const MB = rounded((await stat(data)).size / 1e6, 1);
      rows.push({ data: `${format}, ${count.toLocaleString('en')} users`, MB, ...columns(cost) });
    };
    for (const count of [1_000, 20_000]) {
      await writeLines(yaml, count, yamlAt, 'version: 1\nusers:\n');
      await measure('YAML', count, yaml);
    }
    const many = 1_000_000;
    await writeUsers(lines, many);
    await writeFile(yaml, 'version: 1\nsources: [{ kind: user, file: users.ndjson }]\n');
    await measure('NDJSON', many, lines);
    await rm(lines);
    await writeLines(table, many, csvAt, 'user_id,nickname,profile_url,metadata.team,metadata.locale,metadata.plan\n');
    await writeFile(yaml, 'version: 1\nsources: [{ kind: user, file: users.csv }]\n');
    await measure('CSV', many, table);
    return rows;
  });
}

function userAt(place: number) {
  const { address, attributes } = recordAt(place);
  const { nickname, profile_url } = attributes;
  return { id: keyOf(address), nickname, profile_url, metadata: mapOf(attributes, 'metadata') };
}

function yamlAt(place: number): string {
  const { id, nickname, profile_url, metadata } = userAt(place);
  return `  ${id}:
    nickname: ${nickname}
    profile_url: ${profile_url}
    metadata:
      team: ${metadata.team}
      locale: ${metadata.locale}
      plan: ${metadata.plan}
`;
}

function csvAt(place: number): string {
  const { id, nickname, profile_url, metadata } = userAt(place);
  return `${[id, nickname, profile_url, metadata.team, metadata.locale, metadata.plan].join(',')}\n`;
}
