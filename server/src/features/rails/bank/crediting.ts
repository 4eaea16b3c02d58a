import { type Tx, together } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { postBatch } from '../../ledger/index.ts';
import { insertTransactions, type NewTransaction, reached } from '../../transactions/index.ts';
import { findOpenRechargeNotices, matchRechargeNotice, repayDeficit } from '../../wallets/index.ts';
import {
  type Credit,
  type CreditWallet,
  creditWallet,
  insertCredits,
  lockUnsettled,
  release,
  type UnsettledMoney,
} from './store.ts';

/**
 * Credits moneys of one currency at one bank to the current company, each once: a deposit with its stages, the posting from the bank to
 * what is available, less the fee, and the end of the announcement of the same amount. What was held in suspense is given free in
 * the same transaction. Frozen, below the minimum or switched off: it is the company's money all the same.
 * @returns how many were credited; another worker may have been quicker with the others
 */
export async function creditMoneys(
  tx: Tx,
  { bank, asset }: { bank: string; asset: string },
  matched: ReadonlyMap<string, string>,
): Promise<number> {
  const moneys = await lockUnsettled(tx, [...matched.keys()]);
  if (moneys.length === 0) return 0;
  const wallet = await creditWallet(tx, bank, asset);
  invariant(wallet, `the company has a wallet of ${asset} at ${bank}`);
  return (await creditLocked(tx, wallet, moneys, matched)).length;
}

/** Credits moneys that the transaction has locked. @returns the deposits, in their order */
export async function creditLocked(
  tx: Tx,
  wallet: CreditWallet,
  moneys: readonly UnsettledMoney[],
  matched: ReadonlyMap<string, string>,
): Promise<string[]> {
  const credits = moneys.map((money): Credit => {
    invariant(money.amountMinor > 0n, `money ${money.id} came in`);
    return { transactionId: newId(), money, matchedBy: matched.get(money.id) ?? 'account' };
  });
  await insertTransactions(
    tx,
    credits.map((credit) => transactionOf(credit, wallet)),
  );
  const posting = postBatch(
    tx,
    credits.map((credit) => postingOf(credit, wallet)),
  );
  await together([posting, insertCredits(tx, credits)]);
  invariant(
    (await posting).every((outcome) => outcome === 'posted'),
    'what a bank brings is posted',
  );
  for (const { money } of credits) {
    if (money.state === 'suspense') await release(tx, money.id, newId());
  }
  await endNotices(tx, wallet.walletId, credits);
  const [first] = credits;
  if (first && wallet.deficitMinor < 0n) {
    for (const { transactionId } of credits) await repayDeficit(tx, wallet.walletId, transactionId);
  }
  await announce(tx, [
    ...credits.flatMap(({ transactionId }) => [reached(transactionId, 'credited'), live('transaction', transactionId)]),
    live('balance', wallet.walletId),
  ]);
  return credits.map(({ transactionId }) => transactionId);
}

/** The fee is taken from what arrives, and is never more than that. */
function feeOf({ money }: Credit, { feeMinor }: CreditWallet): bigint {
  return feeMinor < money.amountMinor ? feeMinor : money.amountMinor;
}

function transactionOf(credit: Credit, wallet: CreditWallet): NewTransaction {
  const { transactionId, money } = credit;
  return {
    id: transactionId,
    type: 'fiat_deposit',
    walletId: wallet.walletId,
    coin: money.asset,
    quantityMinor: money.amountMinor,
    feeMinor: feeOf(credit, wallet),
    payerName: money.payerName,
    payerAccount: money.payerAccount,
    payeeAccount: wallet.accountNumber,
    description: money.remittance,
    bankReference: money.reference ?? money.transactionReference,
    endToEndId: money.endToEnd,
    uetr: money.uetr,
    ...(money.valueOn === null ? {} : { valueDate: money.valueOn }),
    timeline: [{ stage: 'received' }, { stage: 'credited' }],
  };
}

function postingOf(credit: Credit, wallet: CreditWallet) {
  const feeMinor = feeOf(credit, wallet);
  const { amountMinor } = credit.money;
  return {
    id: newId(),
    kind: 'deposit.credited',
    sourceId: credit.transactionId,
    description: 'deposit credited',
    legs: [
      { accountId: wallet.bankId, amountMinor: -amountMinor },
      { accountId: wallet.availableId, amountMinor: amountMinor - feeMinor },
      { accountId: wallet.feeId, amountMinor: feeMinor },
    ],
  };
}

/** An announcement ends with the deposit of its amount, the earliest first. */
async function endNotices(tx: Tx, walletId: string, credits: readonly Credit[]): Promise<void> {
  const open = await findOpenRechargeNotices(tx, { walletId });
  for (const { transactionId, money } of credits) {
    const at = open.findIndex(({ amountMinor }) => amountMinor === money.amountMinor);
    const notice = open[at];
    if (!notice) continue;
    open.splice(at, 1);
    await matchRechargeNotice(tx, { noticeId: notice.id, transactionId });
  }
}
