// Support: yaml-language-server from npm as a child process over stdio, to see what an editor shows.
import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createMessageConnection, type MessageConnection } from 'vscode-jsonrpc/node';

const program = createRequire(import.meta.url).resolve('yaml-language-server/bin/yaml-language-server');

export interface Place {
  readonly line: number;
  readonly character: number;
}

interface Diagnostics {
  readonly uri: string;
  readonly diagnostics: readonly { readonly message: string }[];
}

export class LanguageServer {
  readonly #child: ChildProcess;
  readonly #connection: MessageConnection;
  readonly #diagnostics = new Map<string, (problems: readonly string[]) => void>();

  /** `schema` is a file URI for every document. Nothing is downloaded. */
  private constructor(schema: string) {
    const child = spawn(process.execPath, [program, '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
    this.#child = child;
    this.#connection = createMessageConnection(child.stdout, child.stdin);
    this.#connection.onRequest('workspace/configuration', ({ items }: { items: readonly { section?: string }[] }) =>
      items.map(({ section }) => (section === 'yaml' ? settingsFor(schema) : {})),
    );
    // It also asks for its registration.
    this.#connection.onRequest(() => null);
    this.#connection.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics }: Diagnostics) =>
      this.#diagnostics.get(uri)?.(diagnostics.map(({ message }) => message)),
    );
    this.#connection.listen();
  }

  static async start(schema: string): Promise<LanguageServer> {
    const server = new LanguageServer(schema);
    const connection = server.#connection;
    await connection.sendRequest('initialize', { processId: process.pid, rootUri: null, capabilities: {} });
    await connection.sendNotification('initialized', {});
    const settings = { yaml: settingsFor(schema) };
    await connection.sendNotification('workspace/didChangeConfiguration', { settings });
    // The server reads its settings asynchronously. A reported mistake shows that it has.
    const problems = server.problemsOf('file:///start.yaml');
    server.open('file:///start.yaml', 'unknown: 1');
    await problems;
    return server;
  }

  open(uri: string, text: string): void {
    const textDocument = { uri, languageId: 'yaml', version: 1, text };
    void this.#connection.sendNotification('textDocument/didOpen', { textDocument });
  }

  /** The labels of the completions. */
  async completion(uri: string, position: Place): Promise<readonly string[]> {
    const { items } = await this.#connection.sendRequest<{ items: readonly { label: string }[] }>(
      'textDocument/completion',
      { textDocument: { uri }, position },
    );
    return items.map(({ label }) => label);
  }

  /** The hover text, or an empty string. */
  async hover(uri: string, position: Place): Promise<string> {
    const result = await this.#connection.sendRequest<{ contents: { value: string } } | null>('textDocument/hover', {
      textDocument: { uri },
      position,
    });
    return result?.contents.value ?? '';
  }

  /** Call it before the document is opened. */
  problemsOf(uri: string): Promise<readonly string[]> {
    return new Promise((resolve) => this.#diagnostics.set(uri, resolve));
  }

  stop(): void {
    this.#connection.dispose();
    this.#child.kill();
  }
}

function settingsFor(schema: string): object {
  return {
    schemas: { [schema]: '*.yaml' },
    schemaStore: { enable: false },
    hover: true,
    completion: true,
    validate: true,
  };
}
