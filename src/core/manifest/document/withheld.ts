// Environment variables whose values no manifest may show. Their values are never inserted into texts, so no message, plan or
// file name contains them, whatever they are.

import { environmentName } from './application-variables.ts';

/** Names of variables, in upper case. */
export interface VariableNames {
  /** Variables whose values the application block and `${var.NAME}` show. */
  readonly application: ReadonlySet<string>;
  /** Variables that blocks read as secrets or that are declared as secret. */
  readonly secret: ReadonlySet<string>;
}

/**
 * `read`: an attribute reads the variable as a secret. `marked`: a declaration says `secret: true`. `at-base`: one of both at
 * the base of a request. `new`: the base does not show the variable, so it may be the secret of something else.
 */
export type WithheldReason = 'read' | 'marked' | 'at-base' | 'new';

export class WithheldVariables {
  readonly #reasons = new Map<string, WithheldReason>();

  constructor(base?: VariableNames) {
    this.add(base?.secret ?? [], 'at-base');
  }

  /** Returns whether a name was added. A variable keeps its first reason. */
  add(names: Iterable<string>, reason: WithheldReason): boolean {
    const before = this.#reasons.size;
    for (const name of names) if (!this.has(name)) this.#reasons.set(foldedName(name), reason);
    return this.#reasons.size > before;
  }

  has(name: string): boolean {
    return this.#reasons.has(foldedName(name));
  }

  reasonOf(name: string): WithheldReason | undefined {
    return this.#reasons.get(foldedName(name));
  }
}

/** Says why, and what to do. `whereShown` are sentences on what would show the value. */
export function whyWithheld(name: string, reason: WithheldReason, whereShown: string): string {
  const variable = environmentName(name);
  switch (reason) {
    case 'read':
      return `${name} is a secret: an attribute reads ${variable} as env. ${whereShown} Use another variable here.`;
    case 'marked':
      return `${name} is marked secret. ${whereShown} Use another variable here.`;
    case 'at-base':
      return `${name} is a secret at the base of this request. ${whereShown} Use another variable here.`;
    case 'new':
      return `The base of this request does not show ${variable}, which may be a secret elsewhere. While the manifests have errors, no message shows its value or what is wrong with it. Fix the other errors, or run chatform validate where you may see the value.`;
  }
}

/** The variables that a text which cannot be parsed seems to read as secrets. */
export function secretsNamedIn(text: string): string[] {
  return Array.from(text.matchAll(/\benv["']?\s*:\s*["']?(\w+)/gu), ([, name = '']) => name);
}

/** Environment variables on Windows are not case-sensitive. */
export function foldedName(name: string): string {
  return name.toUpperCase();
}
