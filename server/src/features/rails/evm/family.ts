import type { Address } from 'viem';
import type { Tx } from '../../../platform/database/database.ts';
import {
  asEvm,
  type BlockContent,
  deleteUnsigned,
  type EvmBlockContent,
  type EvmGateway,
  type EvmReceipt,
  forgetBalances,
  type Receipt,
  type ResentPayment,
  type Send,
  waitForTraces,
} from '../../chains/index.ts';
import type { RailFamily } from '../family.ts';
import type { ChainPayment } from '../service/payment.ts';
import { resendLost } from '../service/resending.ts';
import { lockSender } from '../store/holds.ts';
import { evmAdoption } from './adopting.ts';
import { readDepartures } from './departures.ts';
import { carryOutDecisions } from './explanations.ts';
import { evmGatewayOf } from './gateway.ts';
import { endExplainedHolds } from './holds.ts';
import { postNetworkFee } from './network-fees.ts';
import { compareAtHead, countHolds } from './nonce-guard.ts';
import { prove } from './proving.ts';
import { replace, replaceByEmpty } from './replacing.ts';
import { prepare, signRequest } from './sending.ts';
import { setNextNonce } from './store/senders.ts';
import { resolveNonce } from './used-nonces.ts';

/** EVM chains: a payment has a nonce and gas, which the gas tank advances. */
export const evmFamily: RailFamily = {
  waits: false,
  prepare,
  signRequest,
  takeBack,
  resolve: resolveNonce,
  prove,
  replace,
  replaceByEmpty,
  hasPaid: (payment, receipt) => hasPaid(payment, asEvmReceipt(receipt)),
  postNetworkFee: (tx, { nativeWalletId }, source, fee) => postNetworkFee(tx, source, nativeWalletId, fee),
  adoption: evmAdoption,
  readDepartures,
  async onRead(tx, chainId, above, contents) {
    await waitForTraces(tx, chainId, above, contents.map(asEvmContent));
    await forgetBalances(tx, chainId, above);
  },
  onHead: compareAtHead,
  count: async (database, chainId) => void (await countHolds(database, chainId)),
  lookAfter(deps, chainId, isRestoring) {
    const gateway = evmGatewayOf(deps, chainId);
    return [
      { what: 'explain', run: () => carryOutDecisions(deps, chainId) },
      { what: 'end holds', run: () => endExplainedHolds(deps, gateway) },
      ...(isRestoring
        ? []
        : [{ what: 'resend', run: () => resendLost(deps, chainId, (payment) => isNonceUsed(gateway, payment)) }]),
    ];
  },
};

/** What the chain has used already cannot be mined again; its transaction is explained in another way. */
async function isNonceUsed(gateway: EvmGateway, { fromAddress, nonce }: ResentPayment): Promise<boolean> {
  if (fromAddress === null || nonce === null) return false;
  return (await gateway.minedNonce(fromAddress as Address, await gateway.head())) > nonce;
}

/** The nonce too, when it is the last one given out: the next one waits for a signature. */
async function takeBack(tx: Tx, attempt: Send): Promise<boolean> {
  const send = asEvm(attempt);
  const { nextNonce } = await lockSender(tx, send.chainId, send.fromAddress);
  const taken = await deleteUnsigned(tx, send.paymentId, send.attempt);
  if (taken && send.attempt === 1 && nextNonce === send.nonce + 1) {
    await setNextNonce(tx, send.chainId, send.fromAddress, send.nonce);
  }
  return taken;
}

/** A token's transaction may succeed without paying; only its Transfer of the whole amount to the payee counts. */
function hasPaid({ contract, payeeAccount, amountMinor }: ChainPayment, receipt: EvmReceipt): boolean {
  if (!receipt.succeeded || contract === null) return receipt.succeeded;
  return receipt.tokenTransfers.some(
    (moved) =>
      moved.contract.toLowerCase() === contract.toLowerCase() &&
      moved.to.toLowerCase() === payeeAccount.toLowerCase() &&
      moved.amountMinor === amountMinor,
  );
}

/** What the gateway of an EVM chain reads has the fields of its family. */
const asEvmReceipt = (receipt: Receipt) => receipt as EvmReceipt;
const asEvmContent = (content: BlockContent) => content as EvmBlockContent;
