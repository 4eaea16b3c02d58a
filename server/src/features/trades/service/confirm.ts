import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { CodeMethod } from '@causeway/contract/identity.ts';
import type { confirmTrade } from '@causeway/contract/trades.ts';
import { audit } from '../../../platform/audit/record.ts';
import { databaseError, type Tx } from '../../../platform/database/database.ts';
import { announce } from '../../../platform/database/outbox.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import type { MoneyUseCase } from '../../../platform/http/route.ts';
import { newId } from '../../../platform/ids.ts';
import { actorOf, type Session, type SignedInContext } from '../../../platform/session.ts';
import { type ApprovalSubject, openTasks, readRoutes, requireReview } from '../../approvals/index.ts';
import type { ChainFamilies } from '../../chains/index.ts';
import { findAffiliations } from '../../organisation/index.ts';
import { usdCentsOf } from '../../outgoing/index.ts';
import { foreseeRisk, lockRisk, riskSentence } from '../../risk/index.ts';
import { riskSubjectOf } from '../../transfers/index.ts';
import { insertConfirmation, type PayingWallet } from '../store/confirmations.ts';
import { addMessage } from '../store/messages.ts';
import { lockTrade, readTrade, setState, type TradeRow } from '../store/trades.ts';
import { type Meaning, meaningOf } from './content.ts';
import { freeze, moved } from './money.ts';

export interface ConfirmPorts {
  /** Uses up the code that proves a confirmation. Throws codeWrong, codeBurnt, transferCodeMismatch, mfaNotBound, codeForAdministrator */
  verifyTradeCode(
    tx: Tx,
    request: { session: Session; method: CodeMethod; code: string; digest: string },
  ): Promise<{ method: string; id: string }>;
  families: ChainFamilies;
  tradeSubject: ApprovalSubject;
}

type ConfirmContext = SignedInContext & ConfirmPorts;

/** What a confirmation's task keeps of it. */
export interface TradeTask {
  tradeId: string;
  number: string;
  payeeName: string;
  payeeWallet: string;
  chainName: string;
  billOfLading: string | null;
}

/**
 * Confirms a trade: freezes its amount, and informs the platform at once or once it is approved. Nothing leaves the company by it: each payment to the
 * seller is submitted, judged and approved as a transfer (`release`), so risk is asked here without being counted.
 */
export const confirming: MoneyUseCase<typeof confirmTrade, ConfirmPorts, undefined> = {
  request({ code: _code, codeMethod: _method, ...request }) {
    return request;
  },
  makes: ({ id }) => id,
  work: confirm,
};

async function confirm(
  tx: Tx,
  context: ConfirmContext,
  body: Body<typeof confirmTrade>,
): Promise<OutputInput<typeof confirmTrade>> {
  const { session, families, tradeSubject } = context;
  const { id, tradeId } = body;
  const trade = await lockedAfterCode(tx, context, body);
  const { wallet, digest } = trade;
  await refuseByRisk(tx, context, trade, id, families);
  const { quantityMinor, asset, decimals } = trade.trade;
  const valueUsdCents = usdCentsOf({ price: wallet.price, coin: asset, decimals }, quantityMinor, context.clock.now());
  const [affiliation] = await findAffiliations(tx, [{ companyId: tx.companyId, memberId: session.userId }]);
  invariant(affiliation, 'a member who confirms belongs to the company');
  const [route] = await readRoutes(tx, [
    { companyId: tx.companyId, valueUsdCents, initiatorId: session.userId, affiliation },
  ]);
  invariant(route, 'a route was read');
  const routing = requireReview(route, { initiatorId: session.userId, valueUsdCents, taskId: newId() });
  const isReviewed = routing.review !== 'off';
  await keepConfirmation(tx, session, trade, id);
  const state = isReviewed ? 'waiting_approval' : 'frozen';
  await setState(tx, tradeId, { state, frozenMinor: quantityMinor, confirmationId: id });
  await freeze(tx, trade.trade, wallet.id, {
    step: isReviewed ? 'submitted' : 'frozen',
    by: session.userName,
    amountMinor: quantityMinor,
  });
  if (!isReviewed) await informConfirmed(tx, trade.trade, id);
  await audit(tx, {
    actor: actorOf(context),
    action: 'trades.confirm',
    subjectKind: 'trade',
    subjectId: tradeId,
    detail: { name: trade.trade.number, digest, proof: body.codeMethod },
  });
  await announce(tx, moved(tradeId));
  if (routing.review !== 'off') {
    const content = taskOf(trade.trade);
    tx.leave(
      openTasks(tx, [
        {
          companyId: tx.companyId,
          subject: tradeSubject,
          task: {
            ...{ subjectId: id, digest, routing, coin: asset, decimals, amountMinor: quantityMinor, valueUsdCents },
            initiator: { id: session.userId, name: session.userName },
            content: { ...content },
            search: [content.number, content.payeeName, content.payeeWallet],
          },
        },
      ]),
    );
  }
  return {
    id,
    tradeId,
    state: isReviewed ? 'created' : 'in_progress',
    approvalTaskId: routing.review === 'off' ? null : routing.taskId,
  };
}

/** The trade, locked behind the guard of codes and risk, as submissions take their locks. @throws DomainError those of `meaningOf` and of the code, walletFrozen, insufficientBalance */
async function lockedAfterCode(
  tx: Tx,
  { session, verifyTradeCode }: ConfirmContext,
  { codeMethod: method, code, ...content }: Body<typeof confirmTrade>,
): Promise<Meaning> {
  const seen = await meaningOf(tx, content, await readTrade(tx, content.tradeId));
  refuseUnpayable(seen.trade, seen.wallet);
  await verifyTradeCode(tx, { session, method, code, digest: seen.digest });
  await lockRisk(tx, [tx.companyId]);
  const meaning = await meaningOf(tx, content, await lockTrade(tx, content.tradeId));
  invariant(meaning.digest === seen.digest, 'a version of a trade says one thing');
  return meaning;
}

/** @throws DomainError companyFrozen, walletFrozen, insufficientBalance */
function refuseUnpayable({ quantityMinor }: TradeRow, wallet: PayingWallet): void {
  if (wallet.companyFrozen) throw new DomainError('companyFrozen');
  if (wallet.isFrozen) throw new DomainError('walletFrozen');
  if (wallet.availableMinor < quantityMinor) throw new DomainError('insufficientBalance');
}

/** @throws DomainError riskRefused where a payment of it would be refused now */
async function refuseByRisk(
  tx: Tx,
  { session, locale, clock }: SignedInContext,
  { trade, wallet }: Meaning,
  id: string,
  families: ChainFamilies,
): Promise<void> {
  const { chainId, asset: coin, decimals, quantityMinor, payeeWallet: payeeAccount } = trade;
  const valueUsdCents = usdCentsOf({ price: wallet.price, coin, decimals }, quantityMinor, clock.now());
  const subject = {
    id,
    chainId,
    coin,
    decimals,
    quantityMinor,
    payeeAccount,
    initiatorId: session.userId,
    valueUsdCents,
  };
  const verdict = await foreseeRisk(tx, riskSubjectOf(families, subject));
  if (!verdict.allowed) throw new DomainError('riskRefused', { reason: riskSentence(locale, verdict) });
}

/** @throws DomainError idTaken */
async function keepConfirmation(tx: Tx, session: Session, { trade, wallet, digest }: Meaning, id: string) {
  const initiator = { initiatorId: session.userId, initiatorName: session.userName };
  try {
    await insertConfirmation(tx, { id, tradeId: trade.id, digest, walletId: wallet.id, ...initiator });
  } catch (error) {
    if (databaseError(error)?.constraint === 'trade_confirmation_pkey') throw new DomainError('idTaken');
    throw error;
  }
}

function taskOf({ id, number, payeeName, payeeWallet, chainName, billOfLading }: TradeRow): TradeTask {
  return { tradeId: id, number, payeeName, payeeWallet, chainName, billOfLading };
}

/** Tells the platform that the amount is frozen. */
export function informConfirmed(tx: Tx, { id, version, number }: TradeRow, confirmationId: string): Promise<void> {
  return addMessage(tx, id, 'trade.confirmed', { tradeNumber: number, version, confirmationId });
}
