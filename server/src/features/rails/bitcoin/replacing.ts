import type { Tx } from '../../../platform/database/database.ts';
import { addressKindOf, attemptsOf, insertSend, type Send, treasuryOwner } from '../../chains/index.ts';
import type { SendingDependencies } from '../family.ts';
import { dispatch } from '../service/sending.ts';
import { lockWithTransaction } from '../service/settling.ts';
import { lockSender } from '../store/holds.ts';
import { isLacking, type Lacking, type Selection } from './coin-selection.ts';
import { feeShares } from './fee-shares.ts';
import { sharedWith } from './joined.ts';
import {
  type BitcoinPlan,
  type JoinedShare,
  leadOf,
  paidBy,
  paymentsOf,
  paysLessThan,
  planFor,
  planOf,
  readPlan,
} from './plan.ts';
import { type Coin, changeOf, coinsOf } from './planning.ts';
import { rateOf, selectable } from './quoting.ts';
import { replacement } from './replacement.ts';
import { resolve } from './resolving.ts';
import { findFeeRates, findPromisedFee, raisedSends } from './store/fees.ts';
import { findRaisedTo } from './store/joined.ts';
import { isChangeUsed, reserveOutputs, spendableOutputs } from './store/outputs.ts';

/**
 * Replaces a payment that waits for a block by a dearer one that spends the same coins (BIP 125): when its fee was raised by a member, or
 * operators want it. A level that may wait a day is not replaced because it waits. An empty transaction is replaced by an empty one.
 */
export async function replace(deps: SendingDependencies, stuck: Send): Promise<void> {
  if (stuck.raw === null) return;
  if (stuck.isEmpty) {
    if (stuck.hastenedAt !== null) await replaceBy(deps, stuck, true);
    return;
  }
  const wanted = await deps.database.withCompany(stuck.companyId, (tx) => findWantedFee(tx, stuck));
  const isRaised = wanted !== null && paysLessThan(planOf(stuck), wanted.feeMinor);
  // The signer lets no acceleration pay more than its member has raised it to.
  const isWanted = stuck.hastenedAt !== null && planOf(stuck).parent === undefined;
  if (!isRaised && !isWanted) return;
  await replaceBy(deps, stuck, false);
}

/** The fee that a transaction is to have by what its initiator was promised, or of several who raised theirs the highest, and whose it is. */
async function findWantedFee(tx: Tx, send: Send): Promise<{ paymentId: string; feeMinor: bigint } | null> {
  if (planOf(send).joined !== undefined) return findRaisedTo(tx, paymentsOf(send));
  const promised = await findPromisedFee(tx, send.transferId);
  return promised && { paymentId: send.paymentId, feeMinor: promised.networkFeeMinor };
}

/** Replaces every payment whose fee a member has raised. */
export async function replaceRaised(deps: SendingDependencies, chainId: string): Promise<void> {
  const { database, log } = deps;
  for (const { companyId, paymentId } of await database.withoutCompany((tx) => raisedSends(tx, chainId))) {
    const [send] = await database.withCompany(companyId, (tx) => attemptsOf(tx, paymentId));
    if (!send) continue;
    await replace(deps, send).catch((error: unknown) =>
      log.warn({ err: error, chain: chainId, paymentId }, 'a payment whose fee was raised could not be replaced yet'),
    );
  }
}

/** Replaces a payment by one that returns its coins to their owner and pays no one (docs/adr/0078). */
export async function replaceByEmpty(deps: SendingDependencies, send: Send): Promise<void> {
  await replaceBy(deps, send, true);
}

async function replaceBy(deps: SendingDependencies, send: Send, isEmpty: boolean): Promise<void> {
  if ((await resolve(deps, send)) !== 'free') return;
  const dearer = await deps.database.withCompany(send.companyId, (tx) => planDearer(tx, send, isEmpty));
  if (dearer) await dispatch(deps, dearer);
}

async function planDearer(tx: Tx, seen: Send, isEmpty: boolean): Promise<Send | null> {
  const together = await lockTogether(tx, seen);
  const send = together?.find(({ paymentId }) => paymentId === seen.paymentId);
  if (!together || !send) return null;
  const attempts = await attemptsOf(tx, seen.paymentId);
  const [latest] = attempts;
  if (latest?.attempt !== send.attempt) return null;
  const { chainId, companyId, fromAddress } = send;
  const { companyId: owner } = await lockSender(tx, chainId, fromAddress);
  const payer = owner === treasuryOwner ? 'treasury' : 'company';
  const ownerId = payer === 'treasury' ? owner : companyId;
  const rates = await findFeeRates(tx, chainId);
  // An empty transaction takes the place of what was signed: the signer lets it spend nothing that no signed attempt spends.
  const base = isEmpty ? attempts.find(({ hash }) => hash !== null) : send;
  if (!base) return null;
  const former = planOf(base);
  const read = readPlan(former);
  const paid = base.isEmpty ? [] : paidBy(read);
  const formerChange = read.outputs[paid.length] ?? null;
  // The same address as before takes the change, so that one address serves one payment.
  const change = formerChange ?? (await changeOf(tx, { payer, chainId, fromAddress }));
  if (rates === null || change === null) return null;
  // Another payment spends what comes back from this one: it would be lost with it.
  if (base.hash !== null && (await isChangeUsed(tx, ownerId, chainId, base.hash))) return null;
  const wanted = await findWantedFee(tx, send);
  const outputs = isEmpty ? [] : paid;
  const raised = wanted && paysLessThan(former, wanted.feeMinor) ? wanted : null;
  const replaced = {
    inputs: coinsOf(former),
    outputs: outputs.map(({ address, amountMinor }) => ({ kind: addressKindOf(address), amountMinor })),
    changeKind: 'p2wpkh',
    feeMinor: BigInt(former.feeMinor),
    vsize: former.vsize,
  } as const;
  const feeRate =
    raised === null || isEmpty
      ? rateOf(rates.urgent)
      : Math.floor((Number(raised.feeMinor) * 1000) / former.vsize) / 1000;
  // What spends nothing but what is replaced: an empty transaction, and one that accelerates a deposit.
  const isAlone = isEmpty || former.parent !== undefined;
  const coins = isAlone ? [] : (await spendableOutputs(tx, ownerId, chainId)).map(selectable);
  // Where that is too little for the rate, an empty transaction pays what nodes take at the least.
  const found = firstPossible(
    (isEmpty ? [feeRate, 0] : [feeRate]).map((rate) => replacement<Coin>(replaced, { feeRate: rate, coins })),
  );
  if (found === null) return null;
  const added = found.inputs.slice(former.inputs.length);
  if (!(await reserveOutputs(tx, { ownerId, chainId, paymentId: leadOf(send) }, added))) return null;
  const { address, ordinal } = change;
  const back = found.changeMinor === 0n ? [] : [{ address, ordinal, amountMinor: found.changeMinor }];
  const { companyIndex, parent } = former;
  const joined = isEmpty ? equalShares(former, found.feeMinor) : raisedShares(former, found.feeMinor, raised ?? send);
  const plan = planFor({
    ...found,
    companyIndex,
    outputs: [...outputs, ...back],
    ...(parent !== undefined && { parent }),
    ...(joined !== undefined && { joined }),
  });
  let own: Send | null = null;
  for (const { paymentId, transferId, attempt, kind, amountMinor } of together) {
    const ids = { paymentId, transferId, attempt: attempt + 1, kind };
    const dearer = { ...ids, chainId, fromAddress, amountMinor: isEmpty ? 0n : amountMinor, isEmpty, plan };
    const inserted = await insertSend(tx, dearer);
    if (paymentId === send.paymentId) own = inserted;
  }
  return own;
}

/**
 * Locks all payments of a transaction that is to be replaced, in their order, and their attempts of it.
 * @returns null when a block has it, it is final, or one of the payments has another attempt by now
 */
async function lockTogether(tx: Tx, seen: Send): Promise<Send[] | null> {
  const locked: Send[] = [];
  for (const one of [seen, ...(await sharedWith(tx, seen))].sort((a, b) => (a.paymentId < b.paymentId ? -1 : 1))) {
    const { send } = await lockWithTransaction(tx, one);
    if (!send || send.minedBlock !== null || send.finalAt !== null) return null;
    locked.push(send);
  }
  for (const send of locked) if ((await attemptsOf(tx, send.paymentId))[0]?.attempt !== send.attempt) return null;
  return locked;
}

/** What is added to the fee of several payments is borne by the one whose initiator raised it, or that operators hastened. */
function raisedShares(
  { joined, feeMinor: formerMinor }: BitcoinPlan,
  feeMinor: bigint,
  { paymentId: bearer }: { paymentId: string },
): JoinedShare[] | undefined {
  const addedMinor = feeMinor - BigInt(formerMinor);
  return joined?.map(({ paymentId, shareMinor }) => ({
    paymentId,
    shareMinor: (BigInt(shareMinor) + (paymentId === bearer ? addedMinor : 0n)).toString(),
  }));
}

/** An empty transaction pays no one: its fee, which no company pays, is spread evenly. */
function equalShares({ joined, inputs }: BitcoinPlan, feeMinor: bigint): JoinedShare[] | undefined {
  if (joined === undefined) return undefined;
  const shared = { feeMinor, inputs: inputs.length, kinds: [], changeKind: 'p2wpkh' } as const;
  const shares = feeShares({ ...shared, promisedMinor: joined.map(() => feeMinor) });
  return joined.map(({ paymentId }, place) => ({ paymentId, shareMinor: (shares[place] ?? 0n).toString() }));
}

function firstPossible(found: readonly (Selection<Coin> | Lacking)[]): Selection<Coin> | null {
  return found.find((one): one is Selection<Coin> => !isLacking(one)) ?? null;
}
