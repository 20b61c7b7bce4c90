// Support: the platform for the pipelines of the examples, and stand-ins for GitHub, GitLab and other services.
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type Scratch, scratchRepository } from './scratch.ts';
import { type JobEnd, readWorkflow, runShell, runWorkflow, type Surroundings } from './workflow.ts';

export const examples = new URL('../../../examples/ci/', import.meta.url);
export const manifest = `version: 1
application: { base_url: "emulator:.chatform/emulator", rate_plan: 100k_mau }
users:
  alice: { nickname: Alice }
  bob: { nickname: Bob }
open_channels:
  lobby: { name: Lobby, operators: [alice] }
`;
export const frozen = manifest.replace('operators: [alice] }', 'operators: [alice], frozen: true }');
export const changedName = frozen.replace('nickname: Bob', 'nickname: Bobby @octocat');
export const broken = manifest.replace('nickname: Bob', 'nicknam: Bob');

export const pullRequest = (repository = 'acme/chat'): Surroundings['github'] => ({
  repository: 'acme/chat',
  event: { pull_request: { number: 7, user: { login: 'ada' }, head: { repo: { full_name: repository } } } },
});
export const runner = {
  GITHUB_BASE_REF: 'main',
  GITHUB_SERVER_URL: 'https://github.example',
  GITHUB_REPOSITORY: 'acme/chat',
  GITHUB_RUN_ID: '42',
};
/** Beside the checkout, since the pipelines remove each `.chatform` that came with it. */
export const stateBeside = 'file:../state';
export const secrets = {
  CHATFORM_STATE: stateBeside,
  CHATFORM_STATE_READ: stateBeside,
  CHATFORM_API_TOKEN: 'token-5f1c0ffee',
};

export interface Comment {
  readonly id: number;
  readonly user: { readonly login: string; readonly type: string };
  body: string;
}

/** The part of GitHub that the comment needs. */
export function pullRequestComments(comments: Comment[]) {
  const issues = {
    listComments: () => comments,
    createComment: async ({ body }: { body: string }) => {
      comments.push({ id: comments.length + 1, user: { login: 'github-actions[bot]', type: 'Bot' }, body });
    },
    updateComment: async ({ comment_id, body }: { comment_id: number; body: string }) => {
      for (const comment of comments) if (comment.id === comment_id) comment.body = body;
    },
  };
  return { octokit: { rest: { issues }, paginate: async (list: () => Comment[]) => list() } };
}

export const context = {
  repo: { owner: 'acme', repo: 'chat' },
  issue: { number: 7 },
  serverUrl: 'https://github.example',
  runId: 42,
  payload: { pull_request: { head: { sha: 'c0ffee' } } },
};
export const stepOf = (end: { readonly steps: readonly (readonly [string, unknown])[] } | undefined, name: string) =>
  end?.steps.find(([known]) => known === name)?.[1];

export async function applied(text = manifest): Promise<Scratch> {
  const scratch = await scratchRepository({ 'chat.yaml': text });
  const ended = await runShell(['-c', `chatform apply --auto-approve --state ${stateBeside}`], scratch, scratch.env);
  expect(ended, ended.log).toMatchObject({ exit: 0 });
  return scratch;
}

/** With a separate state, like another tool, so that the tested state does not know about it. */
async function elsewhere(scratch: Scratch, text: string): Promise<void> {
  await writeFile(join(scratch.folder, 'elsewhere.txt'), text);
  const command = `mkdir -p .chatform/else && cp elsewhere.txt .chatform/else/chat.yaml && rm elsewhere.txt &&
    cd .chatform/else && chatform apply --auto-approve --base-url "emulator:$PWD/../emulator" --state file:state`;
  const ended = await runShell(['-c', command], scratch, scratch.env);
  expect(ended, ended.log).toMatchObject({ exit: 0 });
}

export function makeElsewhere(scratch: Scratch, key: string): Promise<void> {
  return elsewhere(scratch, `version: 1\nusers:\n  ${key}: { nickname: Somebody }\n`);
}

export function renameElsewhere(scratch: Scratch, key: string): Promise<void> {
  return elsewhere(scratch, `version: 1\npolicy: { existing: adopt }\nusers:\n  ${key}: { nickname: Somebody }\n`);
}

export async function listen(answer: (request: string, body: string) => Promise<string>): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    response.end(await answer(`${request.method} ${request.url}`, body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A workflow that runs after the merge. */
export async function runOnMain(
  file: string,
  scratch: Scratch,
  given: Surroundings['secrets'] = secrets,
): Promise<Readonly<Record<string, JobEnd>>> {
  return runWorkflow(await readWorkflow(new URL(`github/${file}`, examples)), scratch, {
    github: { repository: 'acme/chat' },
    secrets: given,
    env: runner,
  });
}
