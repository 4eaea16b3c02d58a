import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { Database } from '../../platform/database/database.ts';
import {
  BankFileError,
  bankFileSentence,
  describeBankFile,
  findBanks,
  keepMessage,
  readBankFile,
} from '../banks/index.ts';
import { RefusedError } from './command-errors.ts';

/**
 * What was understood of a file of a bank, as JSON. Nothing is stored.
 * @throws RefusedError with the sentence that says why the file cannot be read
 */
export async function readBankFileDry(path: string): Promise<string> {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* hashed(): AsyncGenerator<Uint8Array> {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  try {
    const understood = await describeBankFile(hashed(), 'en-us');
    const file = { name: basename(path), bytes, sha256: hash.digest('hex') };
    return `${forTerminal(JSON.stringify({ file, ...understood }, null, 2))}\n`;
  } catch (error) {
    if (error instanceof BankFileError) throw new RefusedError(bankFileSentence(error, 'en-us'));
    throw new RefusedError(fileSentence(path, error));
  }
}

/**
 * Takes a bank's file in by hand, as if it had been fetched: stored raw, once, and read and posted by the worker. One that cannot be read is
 * not stored. Without a bank it is of the only one that there is.
 * @throws RefusedError with the sentence that says why not
 */
export async function importBankFile(
  database: Database,
  path: string,
  named: string | undefined,
): Promise<{ file: string; bank: string; result: string }> {
  const banks = (await database.withoutCompany(findBanks)).map(({ id }) => id);
  const bank = named ?? (banks.length === 1 ? banks[0] : undefined);
  if (bank === undefined || !banks.includes(bank)) {
    throw new RefusedError(`Name the bank with --bank: ${banks.join(', ') || 'this installation has none'}.`);
  }
  try {
    for await (const _ of readBankFile(createReadStream(path) as AsyncIterable<Buffer>));
    const known = await keepMessage(database, { bank, name: basename(path), path, source: 'hand' });
    const result =
      known === null
        ? 'Stored. The worker reads it within seconds.'
        : `Nothing was done: the same content was taken in as ${known.name} at ${known.receivedAt.toISOString()} and is ${known.state}.`;
    return { file: basename(path), bank, result };
  } catch (error) {
    if (error instanceof BankFileError) throw new RefusedError(bankFileSentence(error, 'en-us'));
    throw new RefusedError(fileSentence(path, error));
  }
}

/** @throws what is not about the file */
function fileSentence(path: string, error: unknown): string {
  const { code } = error as { code?: unknown };
  const shown = path.replaceAll(/\p{C}/gu, '\ufffd');
  if (code === 'ENOENT') return `There is no file ${shown}.`;
  if (code === 'EISDIR') return `${shown} is a folder, not a file.`;
  if (code === 'EACCES' || code === 'EPERM') return `${shown} cannot be read: permission denied.`;
  throw error;
}

/** JSON escapes the characters below space alone; a bank's text may have others that would steer a terminal. */
function forTerminal(json: string): string {
  return json.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character === '\n'
      ? character
      : [...Array(character.length).keys()]
          .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
          .join(''),
  );
}
