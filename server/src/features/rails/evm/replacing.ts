import { asEvm, type Fees, type Send } from '../../chains/index.ts';
import { lockTransaction } from '../../transactions/index.ts';
import type { SendingDependencies } from '../family.ts';
import { type ChainPayment, paymentOf } from '../service/payment.ts';
import { dispatch } from '../service/sending.ts';
import { topUp } from './allotting.ts';
import { evmGatewayOf } from './gateway.ts';
import { type Allotment, allotEmpty, allotReplacement } from './nonces.ts';
import { resolveNonce } from './used-nonces.ts';

/**
 * Replaces a stuck payment under the same nonce; nodes want both fees at least 10 % higher, we raise them by 12.5 %. A
 * nonce that the chain has used is not paid for again.
 */
export async function replace(deps: SendingDependencies, send: Send): Promise<void> {
  if ((await resolveNonce(deps, send)) !== 'free') return;
  const stuck = asEvm(send);
  const fees = raised([stuck], await evmGatewayOf(deps, stuck.chainId).fees());
  const found = stuck.kind === 'gas' ? null : await paymentBy(deps, stuck);
  // The treasury's network fee is in no company's books.
  const payment = found?.payer === 'company' ? found : null;
  const allotment = await deps.database.withCompany(stuck.companyId, (tx) =>
    allotReplacement(tx, stuck, fees, payment),
  );
  await goOn(deps, allotment, payment);
}

/** Replaces a payment by an empty transaction: of value 0 to its own sender, under the same nonce (docs/adr/0078). */
export async function replaceByEmpty(deps: SendingDependencies, send: Send): Promise<void> {
  if ((await resolveNonce(deps, send)) !== 'free') return;
  const now = await evmGatewayOf(deps, send.chainId).fees();
  const payment = await paymentBy(deps, send);
  // The legs of a settlement are settled by it alone (docs/adr/0081).
  if (!payment || payment.isSettlement) return;
  const allotment = await deps.database.withCompany(send.companyId, (tx) =>
    allotEmpty(tx, payment, (signed) => raised(signed, now)),
  );
  await goOn(deps, allotment, payment);
}

function paymentBy({ database }: SendingDependencies, { companyId, transferId }: Send): Promise<ChainPayment | null> {
  return database.withCompany(companyId, async (tx) => {
    const transfer = await lockTransaction(tx, transferId);
    return transfer && (await paymentOf(tx, transfer));
  });
}

/** Signs and offers what was allotted; what is missing of its fee is advanced first, and the next round tries again. */
async function goOn(deps: SendingDependencies, allotment: Allotment, payment: ChainPayment | null): Promise<void> {
  if (allotment.outcome === 'allotted') await dispatch(deps, allotment.send);
  else if (allotment.outcome === 'short' && payment) {
    await topUp(deps, payment.companyId, payment, allotment.missingWei * 2n);
  }
}

/** Fees that nodes accept in the place of all these, and not below the usual ones. */
function raised(stuck: readonly Fees[], now: Fees): Fees {
  const above = (fee: keyof Fees) =>
    stuck.map((fees) => (fees[fee] * 1125n) / 1000n + 1n).reduce((most, one) => (one > most ? one : most), now[fee]);
  return { maxFeePerGas: above('maxFeePerGas'), maxPriorityFeePerGas: above('maxPriorityFeePerGas') };
}
