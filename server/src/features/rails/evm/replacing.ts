import { asEvm, type Fees, type Send } from '../../chains/index.ts';
import { lockTransaction } from '../../transactions/index.ts';
import type { SendingDependencies } from '../family.ts';
import { paymentOf } from '../service/payment.ts';
import { dispatch } from '../service/sending.ts';
import { topUp } from './allotting.ts';
import { evmGatewayOf } from './gateway.ts';
import { allotReplacement } from './nonces.ts';
import { resolveNonce } from './used-nonces.ts';

/**
 * Replaces a stuck payment under the same nonce; nodes want both fees at least 10 % higher, we raise them by 12.5 %. A
 * nonce that the chain has used is not paid for again.
 */
export async function replace(deps: SendingDependencies, send: Send): Promise<void> {
  if ((await resolveNonce(deps, send)) !== 'free') return;
  const stuck = asEvm(send);
  const fees = raised(stuck, await evmGatewayOf(deps, stuck.chainId).fees());
  const { database } = deps;
  const payment =
    stuck.kind === 'gas'
      ? null
      : await database.withCompany(stuck.companyId, async (tx) => {
          const transfer = await lockTransaction(tx, stuck.transferId);
          const payment = transfer && (await paymentOf(tx, transfer));
          // The treasury's network fee is in no company's books.
          return payment?.payer === 'company' ? payment : null;
        });
  const allotment = await database.withCompany(stuck.companyId, (tx) => allotReplacement(tx, stuck, fees, payment));
  if (allotment.outcome === 'allotted') await dispatch(deps, allotment.send);
  else if (allotment.outcome === 'short' && payment) {
    await topUp(deps, stuck.companyId, payment, allotment.missingWei * 2n);
  }
}

function raised(stuck: Fees, now: Fees): Fees {
  const atLeast = (old: bigint, usual: bigint) => {
    const least = (old * 1125n) / 1000n + 1n;
    return [least, usual].sort((a, b) => (a < b ? 1 : -1))[0] ?? least;
  };
  return {
    maxFeePerGas: atLeast(stuck.maxFeePerGas, now.maxFeePerGas),
    maxPriorityFeePerGas: atLeast(stuck.maxPriorityFeePerGas, now.maxPriorityFeePerGas),
  };
}
