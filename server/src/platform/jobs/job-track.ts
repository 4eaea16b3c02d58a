/** More than the jobs that can end between a lost connection and the end of the pool. */
const maxRemembered = 10_000;

export interface Limits {
  /** How long a pool that ends waits for its running jobs; a job that takes longer may be repeated beside itself. */
  patienceMs: number;
  /** A pool that runs nothing and has not asked for a job for so long is stuck; it asks every half second. */
  silenceMs: number;
}

/**
 * What a pool's jobs have come to, kept beside Graphile Worker's own account: that can be lost with the database. A pool
 * that failed to get a job is stuck: the answer that was lost may have held a job, which stays locked in the pool's name
 * until the pool ends, and after some failures the pool asks for no jobs any more without saying so.
 */
export class JobTrack {
  /** Ids of jobs that were done, the latest last. */
  readonly done = new Set<string>();
  /** Resolves when the pool takes no more jobs and those that ran have ended. */
  readonly ended: Promise<void>;
  readonly #limits: Limits;
  #running = 0;
  #isClosed = false;
  #hasFailed = false;
  #askedAt = performance.now();
  #end: () => void = () => undefined;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  async run(id: string, task: () => Promise<void>): Promise<void> {
    this.#running += 1;
    try {
      await task();
      this.#remember(id);
    } finally {
      this.#running -= 1;
      // A job that was on its way when the pool closed may still begin in this turn.
      if (this.#isClosed) setImmediate(() => this.#endIfIdle());
    }
  }

  /** The pool asks for a job. */
  asked(): void {
    this.#askedAt = performance.now();
  }

  /** The pool asked for a job, and got an error or no answer. */
  failed(): void {
    this.#hasFailed = true;
  }

  /** Whether the pool should be replaced by another. */
  get isStuck(): boolean {
    if (this.#isClosed) return false;
    if (this.#hasFailed) return true;
    return this.#running === 0 && performance.now() - this.#askedAt > this.#limits.silenceMs;
  }

  /** The pool begins to end. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    setTimeout(() => this.#end(), this.#limits.patienceMs).unref();
    setImmediate(() => this.#endIfIdle());
  }

  #endIfIdle(): void {
    if (this.#running === 0) this.#end();
  }

  #remember(id: string): void {
    this.done.add(id);
    for (const oldest of this.done) {
      if (this.done.size <= maxRemembered) return;
      this.done.delete(oldest);
    }
  }
}
