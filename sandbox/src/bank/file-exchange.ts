import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../failure.ts';
import { syncDirectory } from '../journal.ts';
import { notification, statementMessage } from './camt.ts';
import type { Turn } from './ledger.ts';
import type { OutgoingFile } from './model.ts';
import { takeFile } from './orders.ts';
import { statusMessage } from './pain-status.ts';
import type { Reader } from './store.ts';

/**
 * The folders behind the SFTP server. `/out` has what the customer writes; a file without the ending `.tmp` is taken from there.
 * `/in` has what the bank writes, as `.tmp` first; it stays until the customer moves it to `/in/done`.
 */
export type FileExchange = {
  /** The root that SFTP clients see. */
  root: string;
  /** Takes what has arrived and writes what is due; calls do not overlap. */
  run(): Promise<void>;
  /** Writes a file again: under its name or, as a copy, under another one; or its first half alone, without `.tmp`. @returns the name */
  again(name: string, how: 'same' | 'copy' | 'half'): Promise<string>;
  /** The text of a file for the customer. */
  contentOf(name: string): string | undefined;
};

export type ExchangeOptions = {
  dir: string;
  read: () => Reader;
  change: <Result>(work: (turn: Turn) => Result) => Promise<Result>;
};

export const FOLDERS = ['out', 'in', 'in/done'] as const;

export async function openExchange({ dir, read, change }: ExchangeOptions): Promise<FileExchange> {
  const root = join(dir, 'sftp');
  const taken = join(dir, 'taken');
  for (const folder of [...FOLDERS.map((name) => join(root, name)), taken])
    await mkdir(folder, { recursive: true, mode: 0o700 });
  let turn: Promise<void> = Promise.resolve();

  async function takeNew(): Promise<void> {
    for (const name of (await readdir(join(root, 'out'))).sort()) {
      if (name.endsWith('.tmp')) continue;
      // Moved under a name of its own first: each delivery is known by it, also when the bank stops in between.
      await rename(join(root, 'out', name), join(taken, `${Date.now()}-${randomUUID()}~${name}`)).catch(ignoreMissing);
    }
    for (const id of (await readdir(taken)).sort()) {
      if (read().get('received', id) !== undefined) continue;
      const content = await readFile(join(taken, id));
      await change((tx) => takeFile(tx, id, id.slice(id.indexOf('~') + 1), content));
    }
  }

  async function writeDue(): Promise<void> {
    for (const file of read().all('files')) {
      if (file.state !== 'due') continue;
      // A bank that was stopped between writing and noting it does not send the file twice.
      if (!(await isThere(join(root, 'in', file.name))) && !(await isThere(join(root, 'in/done', file.name))))
        await write(file.name, render(read(), file));
      await setState(file.name, 'sent');
    }
  }

  async function write(name: string, content: string): Promise<void> {
    const target = join(root, 'in', name);
    const handle = await open(`${target}.tmp`, 'w', 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(`${target}.tmp`, target);
    await syncDirectory(join(root, 'in'));
  }

  const setState = (name: string, state: OutgoingFile['state']): Promise<void> =>
    change((tx) => {
      const file = tx.get('files', name);
      if (file !== undefined) tx.put('files', name, { ...file, state });
    });

  async function runOnce(): Promise<void> {
    await takeNew();
    await writeDue();
  }

  const contentOf = (name: string): string | undefined => {
    const file = read().get('files', name);
    return file === undefined ? undefined : render(read(), file);
  };

  return {
    root,
    contentOf,
    run() {
      turn = turn.then(runOnce, runOnce);
      return turn;
    },
    async again(name, how) {
      const content = contentOf(name);
      if (content === undefined) throw new Error('there is no such file');
      if (how === 'half') {
        await writeFile(join(root, 'in', name), content.slice(0, Math.floor(content.length / 2)), { mode: 0o600 });
        await setState(name, 'cut');
        return name;
      }
      const target = how === 'same' ? name : name.replace(/\.xml$/, `-${randomUUID().slice(0, 8)}.xml`);
      await write(target, content);
      if (how === 'same') await setState(name, 'sent');
      return target;
    },
  };
}

function render(records: Reader, file: Readonly<OutgoingFile>): string {
  const head = { id: file.id, at: file.at };
  const { content } = file;
  const needed = <Value>(value: Value | undefined): Value => {
    if (value === undefined) throw new Error(`the file ${file.name} refers to a record that is missing`);
    return value;
  };
  const booking = (id: string) => needed(records.get('bookings', id));
  switch (content.kind) {
    case 'notification': {
      const bookings = content.bookings.map(booking);
      return notification(head, needed(records.get('accounts', needed(bookings[0]).account)), bookings);
    }
    case 'statement': {
      const statement = needed(records.get('statements', content.statement));
      return statementMessage(
        head,
        needed(records.get('accounts', statement.account)),
        statement,
        statement.bookings.map(booking),
      );
    }
    case 'status':
      return statusMessage(head, content, (id) => records.get('payments', id));
  }
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function ignoreMissing(error: unknown): void {
  if (!hasCode(error, 'ENOENT')) throw error;
}
