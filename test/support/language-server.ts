// Support: yaml-language-server from npm as a child process over stdio, to see what an editor shows.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import type { Readable, Writable } from 'node:stream';

const program = createRequire(import.meta.url).resolve('yaml-language-server/bin/yaml-language-server');

export interface Place {
  readonly line: number;
  readonly character: number;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

export class LanguageServer {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #waiting = new Map<number, (message: Message) => void>();
  readonly #diagnostics = new Map<string, (list: readonly { readonly message: string }[]) => void>();
  #received = Buffer.alloc(0);
  #lastId = 0;

  private constructor() {
    this.#child = spawn(process.execPath, [program, '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
    this.#child.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
  }

  /** `schema` is a file URI for every document. Nothing is downloaded. */
  static async start(schema: string): Promise<LanguageServer> {
    const server = new LanguageServer();
    await server.#ask('initialize', { processId: process.pid, rootUri: null, capabilities: {} });
    server.#tell('initialized', {});
    const settings = {
      yaml: {
        schemas: { [schema]: '*.yaml' },
        schemaStore: { enable: false },
        hover: true,
        completion: true,
        validate: true,
      },
    };
    server.#settings = settings.yaml;
    server.#tell('workspace/didChangeConfiguration', { settings });
    // The server reads its settings asynchronously. A reported mistake shows that it has.
    const problems = server.problemsOf('file:///start.yaml');
    server.open('file:///start.yaml', 'unknown: 1');
    await problems;
    return server;
  }

  #settings: unknown;

  open(uri: string, text: string): void {
    this.#tell('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
  }

  /** The labels of the completions. */
  async completion(uri: string, position: Place): Promise<readonly string[]> {
    const result = (await this.#ask('textDocument/completion', { textDocument: { uri }, position })) as {
      readonly items: readonly { readonly label: string }[];
    };
    return result.items.map(({ label }) => label);
  }

  /** The hover text, or an empty string. */
  async hover(uri: string, position: Place): Promise<string> {
    const result = (await this.#ask('textDocument/hover', { textDocument: { uri }, position })) as {
      readonly contents: { readonly value: string };
    } | null;
    return result?.contents.value ?? '';
  }

  /** Call it before the document is opened. */
  problemsOf(uri: string): Promise<readonly string[]> {
    return new Promise((resolve) => {
      this.#diagnostics.set(uri, (list) => resolve(list.map(({ message }) => message)));
    });
  }

  stop(): void {
    this.#child.kill();
  }

  #ask(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#lastId;
    this.#send({ jsonrpc: '2.0', id, method, params });
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ result, error }) =>
        error === undefined ? resolve(result) : reject(new Error(error.message)),
      );
    });
  }

  #tell(method: string, params: unknown): void {
    this.#send({ jsonrpc: '2.0', method, params });
  }

  #send(message: object): void {
    const body = JSON.stringify(message);
    this.#child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  #read(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    for (;;) {
      const end = this.#received.indexOf('\r\n\r\n');
      if (end === -1) return;
      const length = Number(/Content-Length: (\d+)/iu.exec(this.#received.toString('latin1', 0, end))?.[1]);
      if (this.#received.length < end + 4 + length) return;
      const message = JSON.parse(this.#received.toString('utf8', end + 4, end + 4 + length)) as Message;
      this.#received = this.#received.subarray(end + 4 + length);
      this.#take(message);
    }
  }

  #take(message: Message): void {
    const { id, method, params } = message;
    if (method === undefined) {
      if (id !== undefined) this.#waiting.get(id)?.(message);
    } else if (method === 'textDocument/publishDiagnostics') {
      const { uri, diagnostics } = params as { uri: string; diagnostics: readonly { readonly message: string }[] };
      this.#diagnostics.get(uri)?.(diagnostics);
    } else if (id !== undefined) {
      // The server requests its settings by section, and its registration.
      const items = (params as { items?: readonly { section?: string }[] } | undefined)?.items;
      const result = items?.map(({ section }) => (section === 'yaml' ? this.#settings : {})) ?? null;
      this.#send({ jsonrpc: '2.0', id, result });
    }
  }
}
