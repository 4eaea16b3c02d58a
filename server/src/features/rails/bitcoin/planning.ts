import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { addressKindOf, insertSend, type Send, treasuryOwner } from '../../chains/index.ts';
import { accountsByKind } from '../../ledger/index.ts';
import type { SendingDependencies } from '../family.ts';
import type { ChainPayment } from '../service/payment.ts';
import { failTransfer, lockUnsent } from '../service/refusing.ts';
import { lockSender } from '../store/holds.ts';
import { planAcceleration } from './accelerating.ts';
import { isLacking, type Lacking, type Coin as SelectedCoin, type Selection, selectCoins } from './coin-selection.ts';
import { type BitcoinPlan, planFor, readPlan } from './plan.ts';
import { companyIndexOf, type Impossible, type Planned } from './planned.ts';
import { rateOf, selectable } from './quoting.ts';
import { type FeeRates, findFeeRates, findPromisedFee } from './store/fees.ts';
import {
  findChangeAddress,
  findJournaledUse,
  giveOutputs,
  reserveOutputs,
  type SpendableOutput,
  spendableOutputs,
} from './store/outputs.ts';

/** Which coins a payment spends, and what comes back: planned under the lock of the company's account, once. */

export type Coin = SpendableOutput & SelectedCoin;

const ownerOf = ({ payer, companyId }: Pick<ChainPayment, 'payer' | 'companyId'>): string =>
  payer === 'treasury' ? treasuryOwner : companyId;

export async function prepare(deps: SendingDependencies, payment: ChainPayment): Promise<Send | null> {
  const { companyId, transferId } = payment;
  const planned = await deps.database.withCompany(companyId, (tx) =>
    payment.isAcceleration ? planAcceleration(tx, payment) : plan(tx, payment),
  );
  if (planned === 'waits') return null;
  if ('send' in planned) return planned.send;
  await failTransfer(deps, companyId, transferId, 'failed', planned.impossible);
  return null;
}

async function plan(tx: Tx, payment: ChainPayment): Promise<Planned> {
  const { chainId, transferId, fromAddress, payeeAccount, amountMinor } = payment;
  if (!(await lockUnsent(tx, transferId))) return 'waits';
  // One payment of an owner chooses its coins at a time.
  await lockSender(tx, chainId, fromAddress);
  const rates = await findFeeRates(tx, chainId);
  const change = await changeOf(tx, payment);
  if (rates === null || change === null) return 'waits';
  const chosen = await choose(tx, payment, rates);
  // What is needed may be on its way back as change: tending asks again.
  if (chosen === 'waits' || 'impossible' in chosen) return chosen;
  const { inputs, changeMinor, feeMinor, vsize } = chosen.selection;
  if (!(await isCovered(tx, payment, feeMinor))) return 'waits';
  const isReserved = await reserveOutputs(tx, { ownerId: ownerOf(payment), chainId, paymentId: transferId }, inputs);
  invariant(isReserved, 'coins stay spendable while their owner is locked');
  const outputs = [
    { address: payeeAccount, amountMinor, ordinal: null },
    ...(changeMinor === 0n ? [] : [{ ...change, amountMinor: changeMinor }]),
  ];
  const companyIndex = await companyIndexOf(tx, payment);
  const common = { paymentId: transferId, attempt: 1, kind: 'transfer', transferId, chainId, fromAddress } as const;
  const send = await insertSend(tx, {
    ...common,
    amountMinor,
    plan: planFor({ companyIndex, inputs, outputs, feeMinor, vsize }),
  });
  return { send };
}

/**
 * A company pays no network fee for a settlement, which is the platform's: it leaves once the platform's own fees in the wallet cover the
 * network's.
 */
async function isCovered(tx: Tx, payment: ChainPayment, feeMinor: bigint): Promise<boolean> {
  if (!payment.isSettlement || payment.payer === 'treasury') return true;
  const { fee } = await accountsByKind(tx, payment.nativeWalletId, ['fee']);
  return fee.balanceMinor >= feeMinor;
}

/** Where what a payment does not need goes: the treasury has one address, a company many for change. Null until some are open. */
export async function changeOf(
  tx: Tx,
  { payer, chainId, fromAddress }: Pick<ChainPayment, 'payer' | 'chainId' | 'fromAddress'>,
): Promise<{ address: string; ordinal: number | null } | null> {
  return payer === 'treasury' ? { address: fromAddress, ordinal: null } : findChangeAddress(tx, chainId);
}

/** The coins of a plan again: a payment has been given them. */
export function coinsOf(plan: BitcoinPlan): Coin[] {
  return readPlan(plan).inputs.map((input) => selectable({ ...input, isFinal: true }));
}

/** Chooses coins that the signer has used for nothing else: after a restore its journal knows more than the database. */
async function choose(
  tx: Tx,
  payment: ChainPayment,
  rates: FeeRates,
): Promise<{ selection: Selection<Coin> } | { impossible: Impossible } | 'waits'> {
  const { chainId, transferId } = payment;
  const ownerId = ownerOf(payment);
  const promised = await findPromisedFee(tx, transferId);
  for (;;) {
    const coins = (await spendableOutputs(tx, ownerId, chainId)).map(selectable);
    const found = select(payment, coins, rates, promised?.networkFeeMinor ?? null);
    if (isLacking(found)) return obstacleOf(found);
    const used = await findJournaledUse(tx, chainId, found.inputs);
    const foreign = used.filter(({ paymentId }) => paymentId !== transferId);
    if (foreign.length === 0) return { selection: found };
    for (const { outpoint, paymentId } of foreign) await giveOutputs(tx, { ownerId, chainId, paymentId }, [outpoint]);
  }
}

function select(
  { transferId, payeeAccount, amountMinor }: ChainPayment,
  coins: readonly Coin[],
  rates: FeeRates,
  promisedMinor: bigint | null,
): Selection<Coin> | Lacking {
  const common = {
    coins,
    outputs: [{ kind: addressKindOf(payeeAccount), amountMinor }],
    feeRate: rateOf(rates.normal),
    changeKind: 'p2wpkh',
    longTermFeeRate: rateOf(rates.economy),
    consolidate: consolidated,
    seed: transferId,
  } as const;
  return promisedMinor === null
    ? selectCoins({ ...common, mode: 'rate' })
    : selectCoins({ ...common, mode: 'exact-fee', feeMinor: promisedMinor, floorRate: rateOf(rates.minimum) });
}

/** Small coins that are joined with a payment's while fees are low. */
const consolidated = 20;

function obstacleOf({ limit }: Lacking): { impossible: Impossible } | 'waits' {
  if (limit === 'fee') return { impossible: 'stage.reason.networkFeeTooLow' };
  if (limit === 'weight') return { impossible: 'stage.reason.tooManyCoins' };
  return 'waits';
}
