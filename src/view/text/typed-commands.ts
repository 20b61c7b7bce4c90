// Prints commands in messages as people have to type them here.

/** How chatform was started, from the variables that package managers set. */
export function startForm(env: Readonly<Record<string, string | undefined>>): string {
  const [manager = ''] = (env.npm_config_user_agent ?? '').split('/');
  return Object.hasOwn(forms, manager) ? (forms[manager] ?? plainForm) : plainForm;
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

/** A command up to the last word that can only be an argument, or a word. */
const unit =
  /(?:npx --no-install |pnpm exec |yarn |bunx --no-install )?chatform [a-z]+(?: [a-z]+)?(?: (?:--[a-z-]+|'(?:[^']|'\\'')*'|"\$\(printf '[^']*'\)"|(?=[^ ]*(?:[./][\w-]|\d))[\w@%+=:,./-]*[\w/-]))+[^ ]*|[^ ]+/gu;

/** The words between which prose may be wrapped: none within a command and its arguments. */
export function unbrokenWords(text: string): readonly string[] {
  return text.match(text.includes('chatform ') ? unit : /[^ ]+/gu) ?? [];
}
