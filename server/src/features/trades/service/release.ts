import type { Body, OutputInput } from '@causeway/contract/call.ts';
import { formatAmount, sayAmount } from '@causeway/contract/money.ts';
import type { releaseTrade } from '@causeway/contract/trades.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { CompaniesTx, Tx } from '../../../platform/database/database.ts';
import { announce } from '../../../platform/database/outbox.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import type { MoneyUseCase } from '../../../platform/http/route.ts';
import { newId } from '../../../platform/ids.ts';
import { actorOf, type Session, type SignedInContext } from '../../../platform/session.ts';
import { accountsByKind, amountOf, move, post, refusal } from '../../ledger/index.ts';
import {
  openSubmissions,
  paymentParts,
  type SubmissionParts,
  type SubmitPorts,
  type SubmittedPayment,
  submitAll,
} from '../../outgoing/index.ts';
import { setFromEscrow } from '../../transactions/index.ts';
import { prepareTransfers, type TransferKinds, writePromises } from '../../transfers/index.ts';
import { payableMinor } from '../domain.ts';
import { findRecipient, walletOfConfirmation } from '../store/confirmations.ts';
import { addMessage } from '../store/messages.ts';
import { insertRelease, isFailureUnfollowed } from '../store/releases.ts';
import { addLine, lockTrade, readReleases, setState, type TradeRow } from '../store/trades.ts';
import { asBuyer } from './content.ts';
import { moved, tradePostings } from './money.ts';

export type ReleasePorts = SubmitPorts & { transfers: TransferKinds };
type ReleaseContext = SignedInContext & ReleasePorts;
type ReleaseBody = Body<typeof releaseTrade>;

/**
 * Pays the seller: what is taken out of escrow is held, in the same transaction, for a transfer to the company's payee at the seller's address, which has
 * the code, the risk checks, the approvals and the authorisation of every other one. So the signer believes nothing new of a trade.
 */
export const releasing: MoneyUseCase<typeof releaseTrade, ReleasePorts, undefined> = {
  request({ code: _code, codeMethod: _method, ...request }) {
    return request;
  },
  makes: ({ id }) => id,
  work: release,
};

async function release(tx: Tx, context: ReleaseContext, body: ReleaseBody): Promise<OutputInput<typeof releaseTrade>> {
  const { id, tradeId, milestoneId, fee, feeLevel, codeMethod: method, code } = body;
  const proof = { method, code };
  const opened = await openSubmissions(tx, [{ context, proof, kind: context.transfers.kind }]);
  const trade = asBuyer(await lockTrade(tx, tradeId));
  const amountMinor = amountOf(body.amount, trade);
  await checkRelease(tx, trade, amountMinor, milestoneId);
  const recipient = await findRecipient(tx, trade.chainId, trade.asset, trade.payeeWallet);
  if (!recipient) throw new DomainError('tradePayeeMissing');
  invariant(trade.confirmationId, 'a frozen trade was confirmed');
  const walletId = await walletOfConfirmation(tx, trade.confirmationId);
  // What of a failed payment could not be frozen again is paid out of what is available.
  const fromEscrowMinor = amountMinor < trade.frozenMinor ? amountMinor : trade.frozenMinor;
  const draft = { id, walletId, payeeId: recipient.id, amount: body.amount, fee, invoiceNumber: trade.number };
  const [prepared] = await prepareTransfers(
    tx,
    { session: context.session, clock: context.clock, ...context.transfers },
    [{ ...draft, ...(feeLevel === undefined ? {} : { feeLevel }) }],
    fromEscrowMinor,
  );
  invariant(prepared, 'the payment was prepared');
  if ('refused' in prepared) throw await explained(tx, trade, prepared.refused);
  const accounts = await accountsByKind(tx, walletId, ['available', 'escrow']);
  const released = { trade, amountMinor, fromEscrowMinor, milestoneId, accounts, by: context.session };
  const submitted = { ...prepared.answer, context, proof };
  const [outcome] = await submitAll(tx, opened, [submitted], releaseParts(tx, released));
  invariant(outcome, 'the payment was decided on');
  if ('refused' in outcome) throw outcome.refused;
  tx.leave(writePromises(tx, [{ ...prepared.answer, companyId: tx.companyId }]));
  await addMessage(tx, tradeId, 'trade.released', {
    ...{ tradeNumber: trade.number, version: trade.version, transactionId: id, milestoneId },
    amount: formatAmount(amountMinor, trade.decimals),
  });
  await audit(tx, {
    actor: actorOf(context),
    action: 'trades.release',
    subjectKind: 'trade',
    subjectId: tradeId,
    detail: {
      name: trade.number,
      transactionId: id,
      amount: sayAmount(amountMinor, trade.decimals),
      coin: trade.asset,
    },
  });
  await announce(tx, moved(tradeId));
  const frozen = formatAmount(trade.frozenMinor - fromEscrowMinor, trade.decimals);
  return { id, tradeId, stage: outcome.answer, frozen };
}

/** @throws DomainError tradeNotFrozen, tradeDisputed, tradeAmountTooHigh, tradeMilestone */
async function checkRelease(tx: Tx, trade: TradeRow, amountMinor: bigint, milestoneId: string | null): Promise<void> {
  if (trade.state !== 'frozen') throw new DomainError('tradeNotFrozen');
  if (trade.phase === 'disputed') throw new DomainError('tradeDisputed');
  const payable = payableMinor(trade);
  if (amountMinor > payable) {
    throw refusal('tradeAmountTooHigh', { most: sayAmount(payable, trade.decimals), coin: trade.asset }, 'amount');
  }
  if (milestoneId === null) return;
  const milestone = trade.milestones.find((each) => each.id === milestoneId);
  const releases = await readReleases(tx, trade.id);
  const isReleased = releases.some((each) => each.milestoneId === milestoneId && each.status !== 'failed');
  if (!milestone?.reached || isReleased || milestone.amountMinor !== amountMinor)
    throw new DomainError('tradeMilestone');
}

/** Too little is available: of a payment that has just failed, what comes back is not the trade's yet, and is a moment later (docs/adr/0113-…). */
async function explained(tx: Tx, trade: TradeRow, refused: unknown): Promise<unknown> {
  const isShort = refused instanceof DomainError && refused.key === 'amountAboveBalanceMinusFee';
  return isShort && (await isFailureUnfollowed(tx, trade.id)) ? new DomainError('tradePaymentEnding') : refused;
}

interface Released {
  trade: TradeRow;
  amountMinor: bigint;
  fromEscrowMinor: bigint;
  milestoneId: string | null;
  accounts: Record<'available' | 'escrow', { id: string }>;
  by: Session;
}

/** Written where the transfer is accepted, before what it holds: a wrong code and a denial by risk are kept, and must move nothing. */
function releaseParts(tx: Tx, released: Released): SubmissionParts<SubmittedPayment> {
  return {
    write: (_: CompaniesTx, accepted) => [
      ...paymentParts.write(tx, accepted),
      ...accepted.map(({ payment }) => writeRelease(tx, payment.id, released)),
    ],
    events: paymentParts.events,
  };
}

/** Statements are issued in this order, so the hold that follows finds the money; nothing awaits another's result. */
function writeRelease(tx: Tx, transactionId: string, released: Released): Promise<unknown> {
  const { trade, amountMinor, fromEscrowMinor, milestoneId, accounts, by } = released;
  const sourceId = newId();
  const writes: Promise<unknown>[] = [
    insertRelease(tx, { transactionId, tradeId: trade.id, milestoneId, amountMinor, fromEscrowMinor }),
    addLine(tx, trade.id, { id: sourceId, step: 'released', by: by.userName, byId: by.userId, amountMinor }),
    setState(tx, trade.id, { state: 'frozen', frozenMinor: trade.frozenMinor - fromEscrowMinor }),
  ];
  if (fromEscrowMinor > 0n) {
    writes.push(
      setFromEscrow(tx, transactionId, fromEscrowMinor),
      post(tx, {
        id: newId(),
        kind: tradePostings.release,
        sourceId,
        description: 'taken out of escrow for a payment to the seller',
        legs: move(accounts.escrow.id, accounts.available.id, fromEscrowMinor),
      }),
    );
  }
  return Promise.all(writes);
}
