import * as z from 'zod';
import { ConfigError } from '../../../platform/config/config.ts';
import {
  createLinkedLog,
  headerHash,
  type Link,
  type LoadedEntry,
  type LogDisk,
  openLinkedLog,
} from '../../../platform/crypto/linked-log.ts';

/**
 * The addresses that were opened apart (docs/adr/0106-…): a file of the signer's beside its journal, which no restore of the database takes back. An
 * address is in it, on the disk, before anyone sees it, so that its place is given once, and the worker can open it again in a database that was put back.
 */

const place = z.int().min(1).max(499_999_999);
const family = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/);

/** An address, by whose it is and its place: among those opened apart, of all companies, each has another one. */
const registered = z.strictObject({ companyId: z.uuid(), family, place });
export type RegisteredAddress = z.output<typeof registered>;

/** `place`: the least that may be given. */
export const registerRequest = registered;
export const registerAnswer = z.object({ place });

/** How far a reader has come: the number and hash of an entry; number 0 before the first. */
const mark = z.strictObject({ seq: z.int().min(0), hash: z.string().max(64) });
export type RegisterMark = z.output<typeof mark>;

export const registeredRequest = z.strictObject({ after: mark });
export const registeredAnswer = z.object({ entries: z.array(registered), mark });
type Registered = z.output<typeof registeredAnswer>;

/** The port to the register. Rejects when the signer does not answer, or cannot write: then nothing may be shown. */
export interface AddressRegister {
  /** Takes a place for an address. Asking again takes another one. @returns the place, at least the one that was asked for */
  register(address: RegisteredAddress): Promise<number>;
  /** What follows a mark, in order, a page of it; from the beginning where the mark is of another register. None: the reader has all. */
  after(mark: RegisterMark): Promise<Registered>;
}

export interface OpenRegister extends AddressRegister {
  close(): void;
}

const pageSize = 500;

/**
 * Opens the register, and makes one where there is none: whatever it had is in the database, unless that was put back as well.
 * @param file of the signer's journal, beside which it is
 * @throws ConfigError when it is damaged, another installation's, or held by another process
 */
export function openAddressRegister({
  file,
  gasTank,
  disk,
}: {
  file: string;
  gasTank: string;
  disk?: LogDisk | undefined;
}): OpenRegister {
  const path = `${file}.addresses`;
  const header = { register: 'causeway-addresses', version: 1, gasTank };
  const entries: (RegisteredAddress & Link)[] = [];
  let last = 0;

  function remember({ seq, hash, fields }: LoadedEntry): RegisteredAddress {
    const read = registered.safeParse({
      companyId: fields['companyId'],
      family: fields['family'],
      place: fields['place'],
    });
    if (!read.success) throw new ConfigError(`${path}: entry ${seq} is no address`);
    entries.push({ ...read.data, seq, hash });
    last = Math.max(last, read.data.place);
    return read.data;
  }
  const open = () => openLinkedLog(path, header, { onEntry: remember, onNote: () => undefined }, disk);
  const found = open();
  if (!found) createLinkedLog(path, header);
  const log = found ?? open();
  if (!log) throw new ConfigError(`${path} was made and is not there`);

  const hashOf = (seq: number) => (seq === 0 ? headerHash(header) : entries[seq - 1]?.hash);
  return {
    async register({ companyId, family: name, place: least }) {
      const next = Math.max(least, last + 1);
      return remember(log.append({ at: new Date().toISOString(), companyId, family: name, place: next })).place;
    },
    async after({ seq, hash }) {
      const from = hashOf(seq) === hash ? seq : 0;
      const page = entries.slice(from, from + pageSize);
      const end = from + page.length;
      return {
        entries: page.map((entry) => ({ companyId: entry.companyId, family: entry.family, place: entry.place })),
        mark: { seq: end, hash: hashOf(end) ?? '' },
      };
    },
    close: () => log.close(),
  };
}
