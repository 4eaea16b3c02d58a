import type { Tx } from '../../../platform/database/database.ts';
import { addressKindOf, mostJoinedPayments, type Send } from '../../chains/index.ts';
import { handOverPayment } from '../../outgoing/index.ts';
import type { SendingDependencies } from '../family.ts';
import type { ChainPayment } from '../service/payment.ts';
import { createChainRail } from '../service/sending.ts';
import type { Candidate } from './joining.ts';
import { paymentsOf, planOf } from './plan.ts';
import { lockReady, mayBeJoined, nextApproved, sameTransaction } from './store/joined.ts';

/** What goes out of a wallet together (docs/adr/0094): found and handed over before a payment is planned, and found again after. */

/**
 * Hands over what else is approved in the wallet of a payment that is about to be planned, so that it can go out with it: with every check that its own
 * job makes. One that cannot be handed over now is its own job's.
 */
export async function handOverBeside(deps: SendingDependencies, payment: ChainPayment): Promise<void> {
  const { database, kinds, log } = deps;
  const { companyId } = payment;
  const outgoing = { database, kinds, rails: [createChainRail(deps)] };
  const next = (after: string | null) => database.withCompany(companyId, (tx) => nextApproved(tx, payment, after));
  if (!(await database.withCompany(companyId, (tx) => mayBeJoined(tx, payment.transferId)))) return;
  let handed = 0;
  for (let id = await next(null); id !== null && handed < mostJoinedPayments; id = await next(id)) {
    handed += 1;
    await handOverPayment(outgoing, companyId, id).catch((error: unknown) =>
      log.warn({ err: error, transferId: id }, 'a payment could not be handed over beside another yet'),
    );
  }
}

/** What could go out with a payment whose account is locked, and whom each pays; nothing where it goes alone. */
export async function readyBeside(
  tx: Tx,
  { chainId, transferId }: Pick<ChainPayment, 'chainId' | 'transferId'>,
): Promise<(Candidate & { payeeAccount: string })[]> {
  if (!(await mayBeJoined(tx, transferId))) return [];
  const ready = await lockReady(tx, { transferId, chainId }, mostJoinedPayments - 1);
  return ready.map(({ id, payeeAccount, amountMinor, promisedMinor }) => ({
    ...{ id, payeeAccount, promisedMinor },
    payment: { kind: addressKindOf(payeeAccount), amountMinor },
  }));
}

/** The attempts of other payments that are made by the same transaction as this one. */
export async function sharedWith(tx: Tx, send: Send): Promise<Send[]> {
  return planOf(send).joined === undefined ? [] : sameTransaction(tx, send, paymentsOf(send));
}
