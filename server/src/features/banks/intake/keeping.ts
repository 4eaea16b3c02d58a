import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Database, PlatformTx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import {
  findMessage,
  insertMessage,
  type KnownMessage,
  type MessageSource,
  noteCopy,
  writePart,
} from './message-store.ts';

/** A file's bytes as they are kept: so many in one row. */
const partBytes = 512 * 1024;

/** The content is there already: nothing is written. */
class KnownContent extends Error {}

/** A file that has arrived as a whole, on this machine. */
export interface ArrivedFile {
  bank: string;
  /** Its name at the bank. */
  name: string;
  path: string;
  source: MessageSource;
}

/**
 * The same for bytes that are at hand, in the caller's transaction: stored raw, once.
 * @returns the message that had this content before; null when it is new
 */
export async function keepContent(
  tx: PlatformTx,
  { content, ...message }: Omit<ArrivedFile, 'path'> & { content: Buffer },
): Promise<KnownMessage | null> {
  const sha256 = createHash('sha256').update(content).digest();
  const row = { id: newId(), ...message, sha256, bytes: content.length };
  if (!(await insertMessage(tx, row))) {
    await noteCopy(tx, row);
    return findMessage(tx, message.bank, sha256);
  }
  for (let number = 0; number * partBytes < content.length; number += 1) {
    await writePart(tx, row.id, number, content.subarray(number * partBytes, (number + 1) * partBytes));
  }
  return null;
}

/**
 * Stores a file raw, once: the same content is one message, whatever it is called and however often it comes.
 * @returns the message that had this content before; null when it is new
 */
export async function keepMessage(database: Database, file: ArrivedFile): Promise<KnownMessage | null> {
  const { bank, name, source } = file;
  const id = newId();
  let kept = { sha256: Buffer.alloc(0), bytes: 0 };
  try {
    await database.withoutCompany(async (tx) => {
      const hash = createHash('sha256');
      let bytes = 0;
      let number = 0;
      for await (const chunk of createReadStream(file.path, { highWaterMark: partBytes }) as AsyncIterable<Buffer>) {
        hash.update(chunk);
        bytes += chunk.length;
        await writePart(tx, id, number, chunk);
        number += 1;
      }
      kept = { sha256: hash.digest(), bytes };
      if (!(await insertMessage(tx, { id, bank, name, source, ...kept }))) throw new KnownContent();
    });
    return null;
  } catch (error) {
    if (!(error instanceof KnownContent)) throw error;
  }
  return database.withoutCompany(async (tx) => {
    await noteCopy(tx, { id, bank, name, source, ...kept });
    return findMessage(tx, bank, kept.sha256);
  });
}
