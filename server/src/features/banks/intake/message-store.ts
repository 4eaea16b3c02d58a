import { type RawBuilder, sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';
import type { BankConnectionProblem } from '../gateway.ts';

/** Messages of banks as they came. */

/** From a bank's folder, its HTTP API, or taken in by an operator. */
export type MessageSource = 'files' | 'api' | 'hand';

export interface StoredMessage {
  id: string;
  bank: string;
  name: string;
}

export async function writePart(tx: PlatformTx, messageId: string, number: number, content: Uint8Array): Promise<void> {
  await sql`insert into bank_message_part (message_id, number, content) values (${messageId}, ${number}, ${Buffer.from(content)})`.execute(
    tx,
  );
}

/** Writes a message whose parts are written; false when the bank's message of this content is there already. */
export async function insertMessage(
  tx: PlatformTx,
  message: StoredMessage & { sha256: Buffer; bytes: number; source: MessageSource },
): Promise<boolean> {
  const { id, bank, name, sha256, bytes, source } = message;
  const { rows } = await sql`
    insert into bank_message (id, bank_id, name, sha256, bytes, source)
    values (${id}, ${bank}, ${name}, ${sha256}, ${bytes}, ${source})
    on conflict (bank_id, sha256) where state <> 'copy' do nothing returning 1`.execute(tx);
  return rows.length === 1;
}

export interface KnownMessage {
  id: string;
  name: string;
  state: 'received' | 'read' | 'refused';
  receivedAt: Date;
}

/** The bank's message of this content. */
export async function findMessage(tx: PlatformTx, bank: string, sha256: Buffer): Promise<KnownMessage | null> {
  const { rows } = await sql<KnownMessage>`
    select id, name, state, received_at as "receivedAt" from bank_message
    where bank_id = ${bank} and sha256 = ${sha256} and state <> 'copy'`.execute(tx);
  return rows[0] ?? null;
}

/** Notes the same content under another name, once for each name. */
export async function noteCopy(
  tx: PlatformTx,
  message: StoredMessage & { sha256: Buffer; bytes: number; source: MessageSource },
): Promise<void> {
  const { id, bank, name, sha256, bytes, source } = message;
  await sql`
    insert into bank_message (id, bank_id, name, sha256, bytes, source, state)
    select ${id}, ${bank}, ${name}, ${sha256}, ${bytes}::bigint, ${source}, 'copy'
    where not exists (select from bank_message where bank_id = ${bank} and sha256 = ${sha256} and name = ${name})`.execute(
    tx,
  );
}

/** Messages that wait to be read, the oldest first. */
export async function waitingMessages(tx: PlatformTx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from bank_message where state = 'received' order by received_at, id limit 1000`.execute(tx);
  return rows.map(({ id }) => id);
}

export type WaitingToBeRead = StoredMessage & { source: MessageSource };

/** Locks a message that waits, and its bank's books, until the transaction's end; null when another worker has read it. */
export async function lockWaiting(tx: PlatformTx, id: string): Promise<WaitingToBeRead | null> {
  const { rows } = await sql<WaitingToBeRead>`
    select id, bank_id as bank, name, source from bank_message where id = ${id} and state = 'received' for update`.execute(
    tx,
  );
  const [message] = rows;
  if (!message) return null;
  // Messages of a bank are read one after another: each has to know what those before it said.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`banks.read/${message.bank}`}, 0))`.execute(tx);
  return message;
}

/** The bytes of a message, piece by piece. */
export async function* contentOf(tx: PlatformTx, messageId: string): AsyncGenerator<Uint8Array> {
  for (let number = 0; ; number += 1) {
    const { rows } = await sql<{ content: Buffer }>`
      select content from bank_message_part where message_id = ${messageId} and number = ${number}`.execute(tx);
    if (!rows[0]) return;
    yield rows[0].content;
  }
}

export async function markRead(
  tx: PlatformTx,
  id: string,
  { kind, reference, isCopy }: { kind: string | null; reference: string | null; isCopy: boolean },
): Promise<void> {
  await sql`
    update bank_message set state = ${isCopy ? 'copy' : 'read'}, kind = ${kind}, message_reference = ${reference}, read_at = now()
    where id = ${id}`.execute(tx);
}

/** Refuses a message that nothing was used of; `problem` is the id of a sentence. */
export async function markRefused(
  tx: PlatformTx,
  id: string,
  { problem, blanks }: { problem: string; blanks: Readonly<Record<string, string | number>> },
): Promise<void> {
  await sql`
    update bank_message set state = 'refused', problem = ${problem}, problem_blanks = ${JSON.stringify(blanks)}::jsonb, read_at = now()
    where id = ${id} and state = 'received'`.execute(tx);
}

/** Keeps how the connection to a bank was found; a problem that lasts keeps its beginning. */
export async function writeConnection(
  tx: PlatformTx,
  bank: string,
  found: { problem: BankConnectionProblem; detail: string } | null,
  hasFile: boolean,
): Promise<void> {
  const now: RawBuilder<unknown> = sql`now()`;
  await sql`
    insert into bank_connection_state as s (bank_id, checked_at, problem, problem_since, detail, last_file_at)
    select b.id, now(), ${found?.problem ?? null}, ${found ? now : null}, ${found?.detail ?? null}, ${hasFile ? now : null}
    from bank b where b.id = ${bank}
    on conflict (bank_id) do update set checked_at = now(), problem = excluded.problem, detail = excluded.detail,
      problem_since = case when excluded.problem = s.problem then s.problem_since else excluded.problem_since end,
      last_file_at = coalesce(excluded.last_file_at, s.last_file_at)`.execute(tx);
}
