// Support: the edits of the demo in each example: one channel frozen, one user deactivated, one member removed.

/** `from` occurs exactly once in the file. */
export interface Edit {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export const editsOf: Readonly<Record<string, readonly Edit[]>> = {
  // Adds lines to a history file of a frozen channel, which is unfrozen for them.
  history: [
    {
      file: 'messages/open/announcements.ndjson',
      from: '"timestamp": 1704096005000}\n',
      to: '"timestamp": 1704096005000}\n{"message_type": "ADMM", "message": "We are closed on Friday.", "timestamp": 1704096006000}\n',
    },
    { file: 'chat.yaml', from: '    name: Order 1002\n', to: '    name: Order 1002\n    frozen: true\n' },
  ],
  quickstart: [
    {
      file: 'chat.yaml',
      from: '    operators: [alice]\n\ngroup',
      to: '    operators: [alice]\n    frozen: true\n\ngroup',
    },
    {
      file: 'chat.yaml',
      from: '    metadata: { role: bot }\n',
      to: '    metadata: { role: bot }\n    deactivated: true\n',
    },
    { file: 'chat.yaml', from: '      bob:\n', to: '' },
  ],
  'support-desk': [
    {
      file: 'teams/frontline/rooms.yaml',
      from: '    data: 22:00 to 06:00, all languages\n',
      to: '    data: 22:00 to 06:00, all languages\n    frozen: true\n',
    },
    {
      file: 'teams/returns/users.yaml',
      from: '    nickname: Finn\n',
      to: '    nickname: Finn\n    deactivated: true\n',
    },
    { file: 'teams/logistics/rooms.yaml', from: '      agent-tom:\n', to: '' },
  ],
};

/** Throws if the edit no longer matches the example. */
export function edited(text: string, { file, from, to }: Edit): string {
  const [before, after, ...more] = text.split(from);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`${file} does not hold ${JSON.stringify(from)} exactly once`);
  }
  return before + to + after;
}

/** Whether an apply of the example creates bots, whose tokens need a file. */
export function issuesTokens(example: string): boolean {
  return example === 'support-desk';
}
