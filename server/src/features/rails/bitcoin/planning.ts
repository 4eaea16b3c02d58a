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
import { handOverBeside, readyBeside } from './joined.ts';
import { type Joint, joinPayments } from './joining.ts';
import { type BitcoinPlan, planFor, readPlan } from './plan.ts';
import { companyIndexOf, type Impossible, type Planned } from './planned.ts';
import { rateOf, selectable } from './quoting.ts';
import { type FeeRates, findFeeRates, findPromisedFee } from './store/fees.ts';
import { waitForTurn } from './store/joined.ts';
import {
  findChangeAddress,
  findJournaledUse,
  giveOutputs,
  reserveOutputs,
  type SpendableOutput,
  spendableOutputs,
} from './store/outputs.ts';

/** Which coins a payment spends, alone or with others, and what comes back: planned under the lock of the company's account, once. */

export type Coin = SpendableOutput & SelectedCoin;

const ownerOf = ({ payer, companyId }: Pick<ChainPayment, 'payer' | 'companyId'>): string =>
  payer === 'treasury' ? treasuryOwner : companyId;

export async function prepare(deps: SendingDependencies, payment: ChainPayment): Promise<Send | null> {
  const { companyId, transferId } = payment;
  if (!payment.isAcceleration && !payment.isSettlement) await handOverBeside(deps, payment);
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
  // Before the payment itself is locked: of several that are ready, those that wait here can go out with the one that plans.
  await waitForTurn(tx, payment);
  if (!(await lockUnsent(tx, transferId))) return 'waits';
  // One payment of an owner chooses its coins at a time.
  await lockSender(tx, chainId, fromAddress);
  const rates = await findFeeRates(tx, chainId);
  const change = await changeOf(tx, payment);
  if (rates === null || change === null) return 'waits';
  const beside = payment.isSettlement ? [] : await readyBeside(tx, payment);
  const chosen = await choose(tx, payment, rates, beside);
  // What is needed may be on its way back as change: tending asks again.
  if (chosen === 'waits' || 'impossible' in chosen) return chosen;
  const { selection, joint } = chosen;
  const { inputs, changeMinor, feeMinor, vsize } = selection;
  if (!(await isCovered(tx, payment, feeMinor))) return 'waits';
  const isReserved = await reserveOutputs(tx, { ownerId: ownerOf(payment), chainId, paymentId: transferId }, inputs);
  invariant(isReserved, 'coins stay spendable while their owner is locked');
  const paid = [{ id: transferId, payeeAccount, amountMinor }, ...besideIn(joint, beside)];
  const outputs = [
    ...paid.map((one) => ({ address: one.payeeAccount, amountMinor: one.amountMinor, ordinal: null })),
    ...(changeMinor === 0n ? [] : [{ ...change, amountMinor: changeMinor }]),
  ];
  const companyIndex = await companyIndexOf(tx, payment);
  const joined = joint?.payments.map(({ id: paymentId }, place) => ({
    paymentId,
    shareMinor: (joint.sharesMinor[place] ?? 0n).toString(),
  }));
  const common = { companyIndex, inputs, outputs, feeMinor, vsize };
  const attempt = { attempt: 1, kind: 'transfer', chainId, fromAddress } as const;
  const planned = planFor({ ...common, ...(joined !== undefined && { joined }) });
  const sends: Send[] = [];
  for (const { id, amountMinor: paidMinor } of paid) {
    sends.push(
      await insertSend(tx, { ...attempt, paymentId: id, transferId: id, amountMinor: paidMinor, plan: planned }),
    );
  }
  const [send] = sends;
  invariant(send, 'the payment has its attempt');
  return { send };
}

type Beside = Awaited<ReturnType<typeof readyBeside>>[number];

/** Whom the payments are to pay that go out with the first. */
function besideIn(joint: Joint<Coin> | null, beside: readonly Beside[]) {
  return (joint?.payments ?? []).flatMap(({ id }) => {
    const one = beside.find((each) => each.id === id);
    return one ? [{ id, payeeAccount: one.payeeAccount, amountMinor: one.payment.amountMinor }] : [];
  });
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

interface Chosen {
  selection: Selection<Coin>;
  /** What goes out with the payment; null where it goes alone. */
  joint: Joint<Coin> | null;
}

/**
 * Chooses coins that the signer has used for nothing else: after a restore its journal knows more than the database. They are for the payment alone, or
 * for those of the ones beside it that are served at least as well together.
 */
async function choose(
  tx: Tx,
  payment: ChainPayment,
  rates: FeeRates,
  beside: readonly Beside[],
): Promise<Chosen | { impossible: Impossible } | 'waits'> {
  const { chainId, transferId } = payment;
  const ownerId = ownerOf(payment);
  const promised = await findPromisedFee(tx, transferId);
  for (;;) {
    const coins = (await spendableOutputs(tx, ownerId, chainId)).map(selectable);
    const alone = select(payment, coins, rates, promised?.networkFeeMinor ?? null);
    if (isLacking(alone)) return obstacleOf(alone);
    const joint =
      promised && beside.length > 0 ? join(payment, promised.networkFeeMinor, { beside, coins, rates }) : null;
    const selection = joint?.selection ?? alone;
    const used = await findJournaledUse(tx, chainId, selection.inputs);
    const foreign = used.filter(({ paymentId }) => paymentId !== transferId);
    if (foreign.length === 0) return { selection, joint };
    for (const { outpoint, paymentId } of foreign) await giveOutputs(tx, { ownerId, chainId, paymentId }, [outpoint]);
  }
}

function join(
  { transferId, payeeAccount, amountMinor }: ChainPayment,
  promisedMinor: bigint,
  { beside, coins, rates }: { beside: readonly Beside[]; coins: readonly Coin[]; rates: FeeRates },
): Joint<Coin> | null {
  const own = { id: transferId, payment: { kind: addressKindOf(payeeAccount), amountMinor }, promisedMinor };
  const others = beside.map(({ id, payment, promisedMinor: promised }) => ({ id, payment, promisedMinor: promised }));
  return joinPayments([own, ...others], {
    coins,
    feeRate: rateOf(rates.normal),
    floorRate: rateOf(rates.minimum),
    longTermFeeRate: rateOf(rates.economy),
  });
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
