import { transactionLives } from '@causeway/contract/transactions-lives.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { findChain } from '../../chains/index.ts';
import { findContacts } from '../../identity/index.ts';
import { notify } from '../../notices/index.ts';
import { findPeople } from '../../organisation/index.ts';
import { findType, notifyOfTransaction } from '../../transactions/index.ts';
import type { Act } from '../acts/store.ts';

/**
 * Notices to a company of what operators have done about its payments, addresses and wallets, in the act's transaction, each act once. What ends
 * a payment has the notice of that end.
 */

/** The platform's own payments, of collected fees and of settlements, are not shown to the company. */
export async function tellOfPayment(
  tx: Tx,
  { subjectId, proposalId }: Pick<Act, 'subjectId' | 'proposalId'>,
  kind: 'transferSentAgain' | 'transferSpedUp' | 'transferReplacedEmpty',
): Promise<void> {
  const type = await findType(tx, subjectId);
  if (type === null || transactionLives[type].pays !== undefined) return;
  await notifyOfTransaction(tx, subjectId, { kind, sourceId: proposalId });
}

/** To all, as the notice that the address is held. */
export async function tellOfAddress(tx: Tx, { proposalId }: Act, chainId: string): Promise<void> {
  const values = { chain: (await findChain(tx, chainId))?.name ?? chainId };
  const mailTo = (await findContacts(tx)).map(({ userId }) => userId);
  await notify(tx, { kind: 'addressAccepted', sourceId: proposalId, values, link: null, mailTo });
}

/** To all, and by mail to those who may use the wallet's money. */
export async function tellOfWriteOff(
  tx: Tx,
  { subjectId, proposalId }: Act,
  { amount, coin }: { amount: string; coin: string },
): Promise<void> {
  const mailTo = (await findPeople(tx))
    .filter(({ status, permissions }) => status === 'active' && permissions.includes('transfer.create'))
    .map(({ id }) => id);
  const link = `/app/wallet/${subjectId}`;
  await notify(tx, { kind: 'deficitWrittenOff', sourceId: proposalId, values: { amount, coin }, link, mailTo });
}
