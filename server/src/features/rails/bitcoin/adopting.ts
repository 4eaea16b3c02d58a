import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import {
  accelerateKind,
  addressKindOf,
  attemptsOf,
  type BitcoinIntent,
  bitcoinJournal,
  deleteUnsigned,
  emptyKind,
  findAccountAddress,
  outpointKey,
  type SignedPayment,
  vsizeOf,
} from '../../chains/index.ts';
import type { Adoption } from '../family.ts';
import { treasuryAddress } from '../settlement/store.ts';
import { unexplainedByHash } from '../store/unexplained.ts';
import { feeShares } from './fee-shares.ts';
import { type BitcoinPlan, type JoinedShare, leadOf, outpointsOf, outputName, planFor, planOf } from './plan.ts';
import { findPromisedFee } from './store/fees.ts';
import { giveJournaled, giveOutputs, releaseOutputs } from './store/outputs.ts';

/** Entries of the signer's journal are taken over with their coins and outputs; no other payment may spend the coins. */
export const adoption: Adoption<BitcoinIntent> = {
  journal: bitcoinJournal,
  passSigned: giveJournaled,
  async accountOf(tx, { chainId, companyId, ...entry }) {
    const address = isOfTreasury(entry) ? await treasuryAddress(tx, chainId) : await findAccountAddress(tx, chainId);
    invariant(address !== null, `${companyId} has an address on ${chainId}`);
    return address;
  },
  isAttempt: (send, entry) => isDeepStrictEqual(contentOf(planOf(send)), contentOf(planOfEntry(entry))),
  async isBooked(tx, entries) {
    const hashes = entries.flatMap(({ txHash }) => txHash ?? []);
    const rows = await unexplainedByHash(tx, entries[0]?.chainId ?? '', hashes);
    const own = entries[0] ? placeOf(entries[0]) : null;
    return rows.some(({ state, output }) => state === 'booked' && (own === null || output === own));
  },
  outputOf: placeOf,
  async reserve(tx, entries, { chainId, companyId: ownerId }) {
    const [first] = entries;
    invariant(first, 'a payment is adopted by its entries');
    const taken = new Set(entries.flatMap((entry) => outpointsOf(planOfEntry(entry)).map(outpointKey)));
    const bundle = new Set(entries.flatMap((entry) => entry.bundle ?? []));
    for (const { paymentId, attempt, plan } of await unsignedOfOthers(tx, chainId, first.paymentId)) {
      // What was signed together is adopted together, each payment in its turn.
      if (bundle.has(paymentId)) continue;
      if (!outpointsOf(plan).some((outpoint) => taken.has(outpointKey(outpoint)))) continue;
      if (await deleteUnsigned(tx, paymentId, attempt)) await releaseOutputs(tx, leadOf({ paymentId, plan }));
    }
    for (const entry of entries) {
      const paymentId = entry.bundle?.[0] ?? entry.paymentId;
      await giveOutputs(tx, { ownerId, chainId, paymentId }, outpointsOf(planOfEntry(entry)));
    }
  },
  async attemptOf(tx, entry, fromAddress) {
    const { paymentId, transferId, chainId, amountMinor, kind, bundle } = entry;
    const [latest] = await attemptsOf(tx, paymentId);
    const joined = bundle && (await sharesOf(tx, entry, bundle));
    const isEmpty = kind === emptyKind;
    return {
      paymentId,
      attempt: (latest?.attempt ?? 0) + 1,
      kind: 'transfer',
      transferId,
      chainId,
      fromAddress,
      amountMinor: isEmpty ? 0n : amountMinor,
      isEmpty,
      plan: { ...planOfEntry(entry), ...(joined !== undefined && { joined }) },
    };
  },
};

/** The output of an entry that makes several payments which is this one's, as unexplained payments name it. */
function placeOf({ bundle, paymentId }: SignedPayment<BitcoinIntent>): string | null {
  return bundle === undefined ? null : outputName(bundle.indexOf(paymentId));
}

/**
 * What each payment of an entry pays of its fee, which the journal does not say: as another of them was given it, or by what those that the database has were
 * promised. What a lost one was promised is not known: it has no bound.
 */
export async function sharesOf(
  tx: Tx,
  entry: BitcoinIntent,
  bundle: readonly string[],
): Promise<readonly JoinedShare[]> {
  const { kind, inputs, outputs, feeMinor } = entry;
  const content = contentOf(planOfEntry(entry));
  for (const paymentId of bundle) {
    const known = (await attemptsOf(tx, paymentId)).find((send) => isDeepStrictEqual(contentOf(planOf(send)), content));
    const shares = known && planOf(known).joined;
    if (shares) return shares;
  }
  const paid = kind === emptyKind ? [] : outputs.slice(0, bundle.length);
  const promisedMinor: bigint[] = [];
  for (const id of bundle) {
    const promised = kind === emptyKind ? null : await findPromisedFee(tx, id);
    promisedMinor.push(promised?.networkFeeMinor ?? feeMinor);
  }
  const shares = feeShares({
    feeMinor,
    inputs: inputs.length,
    kinds: paid.map(({ address }) => addressKindOf(address)),
    changeKind: outputs.length > paid.length ? 'p2wpkh' : null,
    promisedMinor,
  });
  return bundle.map((paymentId, place) => ({ paymentId, shareMinor: (shares[place] ?? 0n).toString() }));
}

function isOfTreasury({ inputs }: Pick<BitcoinIntent, 'inputs'>): boolean {
  return inputs.every(({ ordinal }) => ordinal === null);
}

/** The plan of an attempt whose journal entry this is. */
function planOfEntry({ kind, inputs, outputs, feeMinor }: BitcoinIntent): BitcoinPlan {
  const kinds = outputs.map(({ address }) => addressKindOf(address));
  const companyIndex = inputs[0]?.derivationIndex ?? 0;
  const [first] = inputs;
  const parent = kind === accelerateKind && first ? { parent: outpointKey(first) } : {};
  return planFor({ companyIndex, inputs, outputs, feeMinor, vsize: vsizeOf(inputs.length, kinds), ...parent });
}

/** What of a plan the chain sees. */
function contentOf({ inputs, outputs, feeMinor }: BitcoinPlan) {
  return {
    inputs: inputs.map(outpointKey),
    outputs: outputs.map(({ address, amountMinor }) => ({ address, amountMinor })),
    feeMinor,
  };
}

async function unsignedOfOthers(
  tx: Tx,
  chainId: string,
  paymentId: string,
): Promise<{ paymentId: string; attempt: number; plan: BitcoinPlan }[]> {
  const { rows } = await sql<{ paymentId: string; attempt: number; plan: BitcoinPlan }>`
    select payment_id as "paymentId", attempt, plan from chain_send
    where company_id = company_id() and chain_id = ${chainId} and hash is null and payment_id <> ${paymentId}`.execute(
    tx,
  );
  return rows;
}
