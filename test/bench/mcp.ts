// Times the server for agents over 1,100 objects, beside the command.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { manifestText } from './estate.ts';
import { inInstalled, measureProgram, median, type Row, rounded } from './measure.ts';

const mostRounds = 11;

/** Interleaved rounds. The first call of a server also loads the code, so it is apart. */
export function benchMcp(most: number): Promise<Row[]> {
  return inInstalled(async (folder, main) => {
    await writeFile(join(folder, 'chat.yaml'), manifestText(1_100));
    const rows: Row[] = [];
    for (const name of ['validate', 'plan']) {
      const [command, first, later]: [number[], number[], number[]] = [[], [], []];
      for (let round = 0; round < Math.min(most, mostRounds); round += 1) {
        const saved = name === 'plan' ? ['--out', 'saved.plan'] : [];
        const args = [main, name, 'chat.yaml', '--format', 'json', ...saved];
        command.push((await measureProgram(folder, args)).s);
        const client = new Client({ name: 'bench', version: '1' });
        await client.connect(
          new StdioClientTransport({ command: process.execPath, args: [main, 'mcp'], cwd: folder, stderr: 'ignore' }),
        );
        for (const times of [first, later]) {
          const start = performance.now();
          const { isError } = await client.callTool({ name, arguments: { paths: ['chat.yaml'] } });
          if (isError === true) throw new Error(`${name} failed`);
          times.push((performance.now() - start) / 1000);
        }
        await client.close();
      }
      const ms = (list: readonly number[]) => median(list) * 1000;
      rows.push({
        tool: name,
        'command ms': rounded(ms(command), 1),
        'first call ms': rounded(ms(first), 1),
        '× first': rounded(ms(first) / ms(command), 2),
        'later call ms': rounded(ms(later), 1),
        '× later': rounded(ms(later) / ms(command), 2),
      });
    }
    return rows;
  });
}
