// Prints commands in messages as people have to type them here.
/** Part of `ViewOptions` and of the environment of a command. */
export interface Typing {
  /** Puts the form in which chatform was started into the commands of a message. Absent: `chatform`. */
  readonly typed?: ((text: string) => string) | undefined;
}

/** How chatform was started: by the variables that package managers set, or by the `program` that was run. */
export function startForm(env: Readonly<Record<string, string | undefined>>, program = ''): string {
  const [manager = ''] = (env.npm_config_user_agent ?? '').split('/');
  const isOfProject = /[/\\]node_modules[/\\]\.bin[/\\]/u.test(program);
  return (Object.hasOwn(forms, manager) ? forms[manager] : isOfProject ? forms.npm : undefined) ?? plainForm;
}

const plainForm = 'chatform';
const forms: Readonly<Record<string, string>> = {
  npm: 'npx --no-install chatform',
  pnpm: 'pnpm exec chatform',
  yarn: 'yarn chatform',
  bun: 'bunx --no-install chatform',
};

/** Returns a function that puts `form` into commands, but not twice. `names` are the commands of chatform. */
export function typingCommands(form: string, names: readonly string[]): (text: string) => string {
  if (form === plainForm) return (text) => text;
  const before = [...Object.values(forms).map((start) => start.slice(0, -plainForm.length)), '\\ba '].join('|');
  const command = new RegExp(`(?<!${before})\\bchatform(?= (?:${names.join('|')})(?![\\w-]))`, 'gu');
  return (text) => text.replaceAll(command, form);
}

export function typedText(text: string, { typed }: Typing): string {
  return typed?.(text) ?? text;
}

/** The messages with their commands in the form in which chatform was started. */
export function typedDetails<Message extends { readonly detail: string }>(
  messages: readonly Message[],
  typing: Typing,
): readonly Message[] {
  return messages.map((message) => ({ ...message, detail: typedText(message.detail, typing) }));
}

/** A command up to the last word that can only be an argument, or a word. */
const unit =
  /(?:npx --no-install |pnpm exec |yarn |bunx --no-install )?chatform [a-z]+(?: [a-z]+)?(?: (?:--[a-z-]+|'(?:[^']|'\\'')*'|"\$\(printf '[^']*'\)"|(?=[^ ]*(?:[./][\w-]|\d))[\w@%+=:,./-]*[\w/-]))+[^ ]*|[^ ]+/gu;

/** The words between which prose may be wrapped: none within a command and its arguments. */
export function unbrokenWords(text: string): readonly string[] {
  return text.match(text.includes('chatform ') ? unit : /[^ ]+/gu) ?? [];
}
