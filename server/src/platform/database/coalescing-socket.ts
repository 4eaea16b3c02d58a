import { Socket } from 'node:net';

/**
 * A socket that sends what is written in one turn of the event loop in one system call. Statements issued together, and
 * a transaction's beginning with its first statement, so leave as one packet: on loopback a call costs more than most
 * statements take to run.
 */
export class CoalescingSocket extends Socket {
  #corked = false;

  override cork(): void {
    if (this.#corked) return;
    this.#corked = true;
    super.cork();
    // Runs when the promises of this turn have all gone as far as they can.
    process.nextTick(() => {
      this.#corked = false;
      super.uncork();
    });
  }

  /** Left to the end of the turn. */
  override uncork(): void {}

  override write(
    chunk: Uint8Array | string,
    encoding?: BufferEncoding | ((error?: Error | null) => void),
    callback?: (error?: Error | null) => void,
  ): boolean {
    this.cork();
    return typeof encoding === 'function' ? super.write(chunk, encoding) : super.write(chunk, encoding, callback);
  }
}
