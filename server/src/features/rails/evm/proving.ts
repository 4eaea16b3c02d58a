import type { ProofProblem } from '@causeway/contract/operator-exceptions-rules.ts';
import type { Hex } from 'viem';
import type { Tx } from '../../../platform/database/database.ts';
import { asEvm, attemptsOf, coinsByContract, findFinalHeight, keepFound, type Send } from '../../chains/index.ts';
import type { Proof, SendingDependencies } from '../family.ts';
import type { ChainPayment } from '../service/payment.ts';
import { lockWithTransaction, seeMined } from '../service/settling.ts';
import { evmGatewayOf } from './gateway.ts';
import { movementsOf } from './movements.ts';

/**
 * What a transaction on the chain proves about a payment of ours whose outcome no one knows. Both proofs need its nonce in a final
 * transaction of its address: one that pays just what the payment is to pay, or one that does not, so that the payment never will.
 * @throws NoAgreement
 */
export async function prove(
  deps: SendingDependencies,
  attempt: Send,
  payment: ChainPayment,
  hash: string,
): Promise<Proof> {
  const send = asEvm(attempt);
  const gateway = evmGatewayOf(deps, send.chainId);
  const [transaction, receipt] = await Promise.all([gateway.transaction(hash as Hex), gateway.receipt(hash)]);
  if (!transaction || !receipt) return problem('notFound');
  const { finalHeight, coins, attempts } = await deps.database.withCompany(send.companyId, async (tx) => ({
    finalHeight: await findFinalHeight(tx, send.chainId),
    coins: await coinsByContract(tx, send.chainId),
    attempts: await attemptsOf(tx, send.paymentId),
  }));
  if (transaction.from !== send.fromAddress) return problem('otherSender');
  if (transaction.nonce !== send.nonce) return problem('otherNonce');
  if (finalHeight === null || receipt.height > finalHeight) return problem('notFinal');
  const block = { height: receipt.height, hash: receipt.blockHash };
  const known = attempts.find((one) => one.hash === transaction.hash);
  // An empty transaction has used its nonce, and the ordinary road gives its hold back.
  if (known?.isEmpty) return { outcome: 'notPaid' };
  if (known) return { outcome: 'paid', record: (tx) => seeMined(tx, known, block) };
  const [movement, ...others] = movementsOf(send.fromAddress, transaction, receipt, coins);
  const isPayment =
    others.length === 0 &&
    movement?.coin === payment.coin &&
    movement.amountMinor === payment.amountMinor &&
    movement.to?.toLowerCase() === payment.payeeAccount.toLowerCase();
  if (!isPayment) return { outcome: 'notPaid' };
  const { raw } = transaction;
  if (!receipt.succeeded || raw === null) return problem('failed');
  return {
    outcome: 'paid',
    async record(tx: Tx) {
      const { send: latest } = await lockWithTransaction(tx, send);
      if (!latest) return;
      const found = (await attemptsOf(tx, send.paymentId)).find((one) => one.hash === transaction.hash);
      await seeMined(
        tx,
        found ??
          (await keepFound(tx, asEvm(latest), {
            ...transaction,
            raw,
            isEmpty: false,
            amountMinor: payment.amountMinor,
          })),
        block,
      );
    },
  };
}

function problem(what: ProofProblem): Proof {
  return { outcome: 'unproved', problem: what };
}
