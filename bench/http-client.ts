import { connect, type Socket } from 'node:net';

/**
 * One kept-alive HTTP/1.1 connection that sends one request at a time and reads responses by their length. Bare, because
 * the load generator shares the cores with the server and must cost little.
 */
export class Connection {
  readonly #socket: Socket;
  #received = '';
  #answered: ((answer: Answer) => void) | null = null;
  #failed: ((error: Error) => void) | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => this.#take(chunk));
    socket.on('error', (error) => this.#failed?.(error));
    socket.on('close', () => this.#failed?.(new Error('the connection was closed')));
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1' });
      socket.once('error', reject);
      socket.once('connect', () => resolve(new Connection(socket)));
    });
  }

  request(method: string, path: string, headers: Readonly<Record<string, string>>, body = ''): Promise<Answer> {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const length = `content-length: ${Buffer.byteLength(body)}\r\n`;
    return new Promise((resolve, reject) => {
      // The server closes what was idle for long; such a request would never be answered.
      if (this.#socket.destroyed) return reject(new Error('the connection was closed'));
      this.#answered = resolve;
      this.#failed = reject;
      this.#socket.write(`${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('')}${length}\r\n${body}`);
    });
  }

  close(): void {
    this.#failed = null;
    this.#socket.destroy();
  }

  #take(chunk: string): void {
    this.#received += chunk;
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.#received.slice(0, end);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (this.#received.length < end + 4 + length) return;
    const body = this.#received.slice(end + 4, end + 4 + length);
    this.#received = this.#received.slice(end + 4 + length);
    this.#answered?.({ status: Number(head.slice(9, 12)), body });
  }
}

export interface Answer {
  status: number;
  /** As bytes, one character each. */
  body: string;
}
