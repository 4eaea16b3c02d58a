import { addBankPayee as addBankCall } from '@causeway/contract/bank-payees.ts';
import type { saveNewPayees } from '@causeway/contract/batches.ts';
import type { Body, OutputInput } from '@causeway/contract/call.ts';
import { addCryptoPayee as addCryptoCall } from '@causeway/contract/payees.ts';
import * as z from 'zod/mini';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { fieldMessages } from '../../../platform/http/call-input.ts';
import { actorOf, type OpenContext } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import { addBankPayee, addCryptoPayee } from '../../payees/index.ts';
import { readDirectory } from '../reading/directory.ts';
import { walletsFor } from '../reading/find-payee.ts';
import { type NewPayee, newPayeeOf } from '../reading/new-payee.ts';
import { findWritten, findWrittenOf, type NewRow, raiseVersion } from '../store/drafts.ts';
import { findWrong } from '../store/rows.ts';
import { markDuplicates } from './duplicates.ts';
import { type DraftsPorts, editable, existing } from './ports.ts';
import { giveMeaning } from './read.ts';

/** So many are saved with one call: for each address a node is asked what is there. */
const mostAtOnce = 50;

interface Candidate {
  payee: NewPayee;
  /** Rows that name it; the first is the one that is reported. */
  rows: (NewRow & { number: number })[];
}

type Result = OutputInput<typeof saveNewPayees>;

/**
 * Saves the payees that rows describe, one after another, each in a transaction of its own by the rules of every new payee (address checks,
 * black list, look-alikes, approval where the company has it on). Then the rows are read again, and mean the saved payees.
 * @throws DomainError batchChanged, batchNotFound, batchSubmitted
 */
export async function saveNew(
  context: OpenContext & DraftsPorts,
  { batchId, version }: Body<typeof saveNewPayees>,
): Promise<Result> {
  const { database, session } = context;
  const { companyId } = session;
  const candidates = await database.withCompany(companyId, async (tx) => {
    await editable(tx, batchId, version);
    return candidatesOf(tx, context, batchId);
  });
  const refused: Result['refused'] = [];
  let saved = 0;
  const tried = candidates.slice(0, mostAtOnce);
  for (const { payee, rows } of tried) {
    const sentence = await save(context, payee);
    const [first] = rows;
    if (sentence === null) saved += 1;
    else if (first) refused.push({ rowId: first.id, number: first.number, sentence });
  }
  const next = await database.withCompany(companyId, async (tx) => {
    await editable(tx, batchId, null);
    // As they are written now: nodes were asked meanwhile, and people may have mended them.
    const ids = tried.flatMap(({ rows }) => rows.map(({ id }) => id));
    await giveMeaning(tx, context, batchId, await findWrittenOf(tx, batchId, ids));
    await markDuplicates(tx, batchId);
    if (saved > 0) {
      const detail = { name: (await existing(tx, batchId)).name, rows: String(saved) };
      await audit(tx, {
        actor: actorOf(context),
        action: 'batches.savePayees',
        subjectKind: 'batch',
        subjectId: batchId,
        detail,
      });
    }
    await announce(tx, [live('batch', batchId), live('payee')]);
    return raiseVersion(tx, batchId);
  });
  return { version: next, saved, refused, remaining: candidates.length - tried.length };
}

/** Each account once, whichever rows name it. */
async function candidatesOf(tx: Tx, { families }: DraftsPorts, batchId: string): Promise<Candidate[]> {
  const directory = await readDirectory(tx, families);
  const wrong = new Set(
    (await findWrong(tx, batchId))
      .filter(({ problems }) => problems.some(({ key }) => key === 'payeeNotSaved'))
      .map(({ number }) => number),
  );
  const found = new Map<string, Candidate>();
  for (const row of await findWritten(tx, batchId, 0)) {
    if (!wrong.has(row.number)) continue;
    const wallets = walletsFor(directory, row.written);
    if ('key' in wallets) continue;
    const payee = newPayeeOf(directory, row.written, wallets);
    if ('lacks' in payee) continue;
    const { label: _, ...account } = payee.body;
    const key = JSON.stringify(account);
    const known = found.get(key);
    if (known) known.rows.push(row);
    else found.set(key, { payee, rows: [row] });
  }
  return [...found.values()];
}

/** @returns null once it is saved; else why not, in the reader's language */
async function save(context: OpenContext & DraftsPorts, payee: NewPayee): Promise<string | null> {
  const { database, locale, session } = context;
  const call = payee.kind === 'crypto' ? addCryptoCall : addBankCall;
  const parsed = z.safeParse(call.body, payee.body);
  if (!parsed.success) {
    const [problem = 'field.invalid'] = Object.values(fieldMessages(parsed.error, payee.body));
    return translate(locale, problem);
  }
  try {
    if (payee.kind === 'crypto') await addCryptoPayee(context, parsed.data as Body<typeof addCryptoCall>);
    else {
      await database.withCompany(session.companyId, (tx) =>
        addBankPayee(tx, context, parsed.data as Body<typeof addBankCall>),
      );
    }
    return null;
  } catch (error) {
    if (error instanceof DomainError) return translate(locale, `error.${error.key}`, error.details);
    throw error;
  }
}
