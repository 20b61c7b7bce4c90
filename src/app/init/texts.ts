// The texts of the files that init writes.
import { version } from '../../version.ts';

/** In the form that `chatform fmt` gives it. `schema` is the path from the manifest. */
export function startingManifest(schema: string): string {
  return `# yaml-language-server: $schema=${schema}
version: 1

application:
  base_url: emulator:.chatform/emulator   # a platform inside chatform; yours: https://api-APP_ID.sendbird.com/v3
  rate_plan: 5k_mau

users:
  alice:
    nickname: Alice
  bob:
    nickname: Bob

open_channels:
  lobby:
    name: Lobby
    operators: [alice]

group_channels:
  first-room:
    name: First room
    members:
      alice:
      bob:
    operators: [alice]
`;
}

/** State, the platform's data and saved plans stay out; the schema goes in, so that every editor has it. */
export const ignoredLines: readonly string[] = ['.chatform/*', '!.chatform/manifest.schema.json', 'plan.json'];

/** For GitHub Actions. `folder` is that of the manifests, from the repository's; '' for the same. */
export function workflow(folder: string): string {
  const defaults = folder === '' ? '' : `defaults:\n  run:\n    working-directory: ${JSON.stringify(folder)}\n\n`;
  const steps = `      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - run: npm install --global chatform@${version}
`;
  return `# Plans every pull request, and applies what was merged.
# Secrets: CHATFORM_API_TOKEN, and CHATFORM_STATE, the postgres:// address of the state that all runs share.
# Pull requests from forks have neither; they are checked, and planned as if nothing existed yet.
name: chatform

on:
  pull_request:
  push:
    branches: [main, master]

permissions:
  contents: read

${defaults}jobs:
  plan:
    if: github.event_name == 'pull_request'
    runs-on: ubuntu-latest
    steps:
${steps}      - run: chatform fmt --check --diff
      - run: chatform validate --format github
      - run: chatform plan
        env:
          CHATFORM_STATE: \${{ secrets.CHATFORM_STATE }}

  apply:
    if: github.event_name == 'push'
    runs-on: ubuntu-latest
    concurrency: chatform-apply   # one after the other; the state's lock holds as well
    steps:
${steps}      - run: chatform apply --auto-approve --max-duration 50m --lock-timeout 5m
        env:
          CHATFORM_STATE: \${{ secrets.CHATFORM_STATE }}
          CHATFORM_API_TOKEN: \${{ secrets.CHATFORM_API_TOKEN }}
`;
}
