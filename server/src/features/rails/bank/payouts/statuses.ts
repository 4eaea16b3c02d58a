import { sql } from 'kysely';
import type { Database, PlatformTx, Tx } from '../../../../platform/database/database.ts';
import { announce, live } from '../../../../platform/database/outbox.ts';
import { kindOf, type OutgoingKinds, refuse } from '../../../outgoing/index.ts';
import { changeStage, lockTransaction, setBankReason } from '../../../transactions/index.ts';
import { refusalReason } from './reasons.ts';
import { insertAnswer, linesNamed, lockLine, setLineState } from './store.ts';

/** What a bank said (pain.002), as it was read and is not applied yet. */
interface Said {
  id: string;
  /** The bank's message that has it. */
  source: string;
  bank: string;
  level: 'message' | 'payment';
  originalMessage: string;
  instruction: string | null;
  endToEnd: string | null;
  uetr: string | null;
  state: string | null;
  status: string | null;
  reason: string | null;
  words: string | null;
}

type Answer = Pick<Said, 'state' | 'status' | 'reason' | 'words'>;
type Outcome = 'applied' | 'unknown' | 'repeated';

const atOnce = 1000;

/** The bank had it before: what it says of the second says nothing of the first (ISO 20022's external list "StatusReason"). */
const duplicate: ReadonlySet<string> = new Set(['DUPL', 'AM05', 'DU01', 'DU02', 'DU03', 'DU04', 'DU05']);

/**
 * Applies what banks said of our orders, in the order in which it was read. A payment that is accepted goes on, one that is refused ends and its
 * hold is given back; that it left is known by the booking alone. Each is applied once, under the payment's lock.
 */
export async function applyStatuses(database: Database, kinds: OutgoingKinds, signal?: AbortSignal): Promise<number> {
  let applied = 0;
  for (;;) {
    const statuses = await database.withoutCompany(newStatuses);
    for (const said of wholeLast(statuses)) {
      if (signal?.aborted) return applied;
      await applyOne(database, kinds, said);
      applied += 1;
    }
    if (statuses.length < atOnce) return applied;
  }
}

async function newStatuses(tx: PlatformTx): Promise<Said[]> {
  const { rows } = await sql<Said>`
    select s.id, s.source_id as source, m.bank_id as bank, s.level, s.original_message as "originalMessage", s.instruction, s.end_to_end as "endToEnd", s.uetr, s.state,
      s.status, s.reason, s.words
    from bank_status s join bank_message m on m.id = s.source_id where s.outcome is null order by s.id limit ${atOnce}`.execute(
    tx,
  );
  return rows;
}

/** Of one message, what it says of single payments comes first: that has the reasons, and the whole is said of those without a word of their own. */
function wholeLast(statuses: readonly Said[]): Said[] {
  const bySource = Map.groupBy(statuses, ({ source }) => source);
  return [...bySource.values()].flatMap((ofOne) => [
    ...ofOne.filter(({ level }) => level === 'payment'),
    ...ofOne.filter(({ level }) => level === 'message'),
  ]);
}

async function applyOne(database: Database, kinds: OutgoingKinds, said: Said): Promise<void> {
  const isDuplicate = said.state === 'rejected' && duplicate.has(said.reason ?? '');
  const lines = await database.withoutCompany((tx) => linesOf(tx, said));
  if (lines === null) return end(database, said.id, 'unknown');
  if (said.level === 'message') {
    // What is said of the whole is said of each where the whole is refused; otherwise each has a word of its own.
    if (said.state !== 'rejected' || isDuplicate) return end(database, said.id, isDuplicate ? 'repeated' : 'applied');
    await database.withoutCompany((tx) => refuseOrder(tx, said.originalMessage));
  }
  for (const { companyId, transactionId } of lines) {
    await database.withCompany(companyId, (tx) => applyTo(tx, kinds, transactionId, { said, isDuplicate }));
  }
  await end(database, said.id, isDuplicate ? 'repeated' : 'applied');
}

/** The payments that it is about; null: nothing of ours at this bank. */
async function linesOf(
  tx: PlatformTx,
  { bank, level, originalMessage, endToEnd, uetr, instruction }: Said,
): Promise<{ companyId: string; transactionId: string }[] | null> {
  if (level === 'payment') {
    const endToEnds = [endToEnd, instruction].filter((name) => name !== null);
    const found = await linesNamed(tx, bank, { uetrs: uetr === null ? [] : [uetr], endToEnds });
    return found.length === 1 ? found : null;
  }
  const { rows } = await sql<{ companyId: string; transactionId: string }>`
    select l.company_id as "companyId", l.transaction_id as "transactionId" from bank_order o join bank_order_line l on l.order_id = o.id
    where o.bank_id = ${bank} and o.message_id = ${originalMessage} order by l.transaction_id`.execute(tx);
  return rows.length === 0 ? null : rows;
}

async function refuseOrder(tx: PlatformTx, messageId: string): Promise<void> {
  await sql`update bank_order set state = 'refused', delivered_at = coalesce(delivered_at, now()) where message_id = ${messageId}`.execute(
    tx,
  );
}

async function end(database: Database, id: string, outcome: Outcome): Promise<void> {
  await database.withoutCompany((tx) =>
    sql`update bank_status set outcome = ${outcome} where id = ${id} and outcome is null`.execute(tx),
  );
}

/** Applies an answer to one payment, under its lock; another worker may have done so. */
async function applyTo(
  tx: Tx,
  kinds: OutgoingKinds,
  id: string,
  { said, isDuplicate }: { said: Said; isDuplicate: boolean },
): Promise<void> {
  const payment = await lockTransaction(tx, id);
  const line = await lockLine(tx, id);
  if (!payment || !line || !(await isNew(tx, said.id))) return;
  const isOpen = line.state === 'ordered' || line.state === 'accepted';
  // Of a whole message those that it was applied to before a crash are no longer open.
  if (said.level === 'message' && !isOpen) return;
  await insertAnswer(tx, id, said);
  if (said.level === 'payment') await markApplied(tx, said.id, isDuplicate ? 'repeated' : 'applied');
  if (isOpen && isEnd(said) && !isDuplicate) {
    await setLineState(tx, id, 'refused');
    await setBankReason(tx, id, { code: said.reason, words: said.words });
    await refuse(tx, kindOf(kinds, payment.type), payment, ['instructed', 'accepted'], {
      stage: 'failed',
      reason: refusalReason(said.state === 'cancelled' ? 'CANC' : said.reason),
    });
  } else if (line.state === 'ordered' && (isAccepted(said) || isDuplicate)) {
    await setLineState(tx, id, 'accepted');
    await changeStage(tx, id, ['instructed'], { stage: 'accepted' });
  }
  await announce(tx, [live('transaction', id)]);
}

/** Of a message each payment is looked at by what it was before; a status of its own is applied once. */
async function isNew(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`select from bank_status where id = ${id} and outcome is null for update`.execute(tx);
  return rows.length === 1;
}

async function markApplied(tx: Tx, id: string, outcome: Outcome): Promise<void> {
  await sql`update bank_status set outcome = ${outcome} where id = ${id}`.execute(tx);
}

function isEnd({ state }: Answer): boolean {
  return state === 'rejected' || state === 'cancelled';
}

function isAccepted({ state }: Answer): boolean {
  return state === 'accepted' || state === 'settled' || state === 'partly';
}
