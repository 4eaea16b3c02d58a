import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import {
  attemptsOf,
  deleteUnsigned,
  findAccountAddress,
  findFinalHeight,
  insertSend,
  markSuperseded,
  type Send,
} from '../../features/chains/index.ts';
import { accountsByKind, post } from '../../features/ledger/index.ts';
import type { Adoption, DeparturesOfCompany } from '../../features/rails/family.ts';
import type { RailFamily, SpentBy } from '../../features/rails/index.ts';
import { bookFinal, explainEach } from '../../features/rails/service/booking.ts';
import { departuresOf, recordUnexplained, type UnknownDeparture } from '../../features/rails/service/departures.ts';
import { endSettledHolds } from '../../features/rails/service/holds.ts';
import { lockUnsent } from '../../features/rails/service/refusing.ts';
import { resendLost } from '../../features/rails/service/resending.ts';
import { unexplainedByHash } from '../../features/rails/store/unexplained.ts';
import type { Tx } from '../../platform/database/database.ts';
import { invariant } from '../../platform/domain-error.ts';
import { newId } from '../../platform/ids.ts';
import { keyOf, type Outpoint, type Output, outputName, type UtxoChain } from './chain.ts';
import { type UtxoIntent, utxoJournal } from './signer-family.ts';

/**
 * Payments over a chain of unspent outputs: a payment spends outputs of several addresses of the company, pays the payee and its own
 * change address, and leaves the network fee to the miner. No nonce, no gas, no tank.
 */

/** What an attempt spends and pays; amounts as digits, since it is kept as JSON. */
export interface UtxoPlan {
  inputs: { hash: string; index: number; address: string; amountMinor: string }[];
  outputs: { address: string; amountMinor: string }[];
  /** What the miner gets. */
  feeMinor: string;
}

/** The network fee of every transaction here, and of the one that replaces it. */
export const networkFeeMinor = 1_000n;

function planOf(send: Send): UtxoPlan {
  return send.plan as UtxoPlan;
}

/** The company's addresses on a chain, its account first. */
async function ownAddresses(tx: Tx, chainId: string): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select address from chain_own_address where company_id = company_id() and chain_id = ${chainId}
    order by ordinal`.execute(tx);
  return rows.map(({ address }) => address);
}

/** Outputs that open attempts of the company plan to spend, or that the signer has ever signed for: it serves no other payment. */
async function reserved(tx: Tx, chainId: string): Promise<Set<string>> {
  const { rows } = await sql<{ plan: Pick<UtxoPlan, 'inputs'> }>`
    select plan from chain_send where company_id = company_id() and chain_id = ${chainId} and final_at is null
    union all select plan from signer_journal where company_id = company_id() and chain_id = ${chainId}`.execute(tx);
  return new Set(rows.flatMap(({ plan }) => plan.inputs.map(keyOf)));
}

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

export function createUtxoFamily(chain: UtxoChain): RailFamily {
  const spenders = (send: Send) => planOf(send).inputs.flatMap((input: Outpoint) => chain.spender(input) ?? []);

  return {
    waits: false,
    prepare({ database }, payment) {
      const { companyId, transferId, chainId, fromAddress, payeeAccount, amountMinor } = payment;
      return database.withCompany(companyId, async (tx) => {
        if (!(await lockUnsent(tx, transferId))) return null;
        // One payment of a company chooses its inputs at a time.
        await sql`select from chain_address where company_id = company_id() and chain_id = ${chainId} for update`.execute(
          tx,
        );
        const addresses = await ownAddresses(tx, chainId);
        const taken = await reserved(tx, chainId);
        const inputs: UtxoPlan['inputs'] = [];
        const needed = amountMinor + networkFeeMinor;
        for (const address of addresses) {
          for (const output of chain.unspent(address)) {
            if (taken.has(keyOf(output))) continue;
            if (sum(inputs.map((input) => BigInt(input.amountMinor))) >= needed) break;
            const { hash, index } = output;
            inputs.push({ hash, index, address, amountMinor: output.amountMinor.toString() });
          }
        }
        const change = sum(inputs.map((input) => BigInt(input.amountMinor))) - needed;
        // What is needed is on its way back from a payment as change; tending asks again.
        if (change < 0n) return null;
        const outputs: Output[] = [
          { address: payeeAccount, amountMinor },
          ...(change === 0n ? [] : [{ address: addresses.at(-1) ?? fromAddress, amountMinor: change }]),
        ];
        return insertSend(tx, {
          paymentId: transferId,
          attempt: 1,
          kind: 'transfer',
          transferId,
          chainId,
          fromAddress,
          amountMinor,
          plan: planFor(inputs, outputs),
        });
      });
    },

    signRequest(send) {
      const { companyId, transferId, paymentId } = send;
      return { kind: 'transfer', companyId, transferId, paymentId, plan: { ...planOf(send) } };
    },

    takeBack: (tx, send) => deleteUnsigned(tx, send.paymentId, send.attempt),

    async resolve({ database }, send): Promise<SpentBy> {
      const found = spenders(send);
      const [first] = found;
      if (!first) return 'free';
      const isOurs = await database.withCompany(send.companyId, async (tx) => {
        const { rows } = await sql`select from chain_send where company_id = company_id()
          and payment_id = ${send.paymentId} and hash = any (${found.map(({ hash }) => hash)}::text[])`.execute(tx);
        return rows.length > 0;
      });
      if (isOurs) return 'ours';
      return database.withCompany(send.companyId, async (tx) => {
        const finalHeight = await findFinalHeight(tx, send.chainId);
        if (finalHeight === null || first.height > finalHeight) return 'other';
        await markSuperseded(tx, send.paymentId);
        return 'superseded';
      });
    },

    /** The same inputs and payee; the higher fee comes from the change. */
    async replace({ database }, stuck) {
      const { inputs, outputs, feeMinor } = planOf(stuck);
      const [paid, change] = outputs;
      if (!paid || !change) return;
      const left = BigInt(change.amountMinor) - networkFeeMinor;
      if (left <= 0n) return;
      await database.withCompany(stuck.companyId, (tx) =>
        insertSend(tx, {
          ...stuck,
          attempt: stuck.attempt + 1,
          plan: {
            inputs,
            outputs: [paid, { address: change.address, amountMinor: left.toString() }],
            feeMinor: (BigInt(feeMinor) + networkFeeMinor).toString(),
          },
        }),
      );
    },

    // A transaction of outputs that a block has paid all of them.
    hasPaid: (_payment, receipt) => receipt.succeeded,

    /** Out of the fees that the company paid, and else out of its own: what is lacking is its shortfall. */
    async postNetworkFee(tx, { nativeWalletId }, source, fee) {
      const {
        chain: contra,
        fee: fees,
        deficit,
      } = await accountsByKind(tx, nativeWalletId, ['chain', 'fee', 'deficit']);
      const covered = fee > fees.balanceMinor ? fees.balanceMinor : fee;
      await post(tx, {
        id: newId(),
        ...source,
        description: 'network fee',
        legs: [
          { accountId: fees.id, amountMinor: -covered },
          { accountId: deficit.id, amountMinor: covered - fee },
          { accountId: contra.id, amountMinor: fee },
        ].filter(({ amountMinor }) => amountMinor !== 0n),
      });
    },

    adoption,
    readDepartures: (deps, seen) =>
      departuresOf(deps, seen, async (departure) => departureOf(chain, seen.chainId, departure)),
    async onRead() {},
    async onHead() {},
    async count() {},
    lookAfter: (deps, chainId, isRestoring) => [
      { what: 'explain', run: () => explainEach(deps, chainId, (row) => bookFinal(deps, row)) },
      { what: 'end holds', run: () => endSettledHolds(deps, chainId) },
      ...(isRestoring ? [] : [{ what: 'resend', run: () => resendLost(deps, chainId) }]),
    ],
  };
}

function planFor(inputs: UtxoPlan['inputs'], outputs: readonly Output[]): UtxoPlan {
  return {
    inputs,
    feeMinor: networkFeeMinor.toString(),
    outputs: outputs.map(({ address, amountMinor }) => ({ address, amountMinor: amountMinor.toString() })),
  };
}

async function accountOf(tx: Tx, chainId: string): Promise<string> {
  const account = await findAccountAddress(tx, chainId);
  invariant(account !== null, `the company has an address on ${chainId}`);
  return account;
}

/** The plan of an attempt whose journal entry this is: without the signer's paths of keys. */
function planOfEntry({ inputs, outputs, feeMinor }: UtxoIntent): UtxoPlan {
  return {
    inputs: inputs.map(({ hash, index, address, amountMinor }) => ({
      hash,
      index,
      address,
      amountMinor: amountMinor.toString(),
    })),
    outputs: outputs.map(({ address, amountMinor }) => ({ address, amountMinor: amountMinor.toString() })),
    feeMinor: feeMinor.toString(),
  };
}

/** Entries are taken over with their inputs and outputs; no other payment may spend the inputs. */
const adoption: Adoption<UtxoIntent> = {
  journal: utxoJournal,
  // Planning asks the journal itself which outputs are taken.
  async passSigned() {},
  accountOf: (tx, { chainId }) => accountOf(tx, chainId),
  isAttempt: (send, entry) => isDeepStrictEqual(planOf(send), planOfEntry(entry)),
  async isBooked(tx, entries) {
    const hashes = entries.flatMap(({ txHash }) => txHash ?? []);
    const rows = await unexplainedByHash(tx, entries[0]?.chainId ?? '', hashes);
    return rows.some(({ state }) => state === 'booked');
  },
  async reserve(tx, entries, { chainId }) {
    const [first] = entries;
    const taken = new Set(entries.flatMap(({ inputs }) => inputs.map(keyOf)));
    const { rows } = await sql<{ paymentId: string; attempt: number; plan: UtxoPlan }>`
      select payment_id as "paymentId", attempt, plan from chain_send
      where company_id = company_id() and chain_id = ${chainId} and hash is null
        and payment_id <> ${first?.paymentId ?? null}`.execute(tx);
    const crossing = rows.filter(({ plan }) => plan.inputs.some((input) => taken.has(keyOf(input))));
    for (const { paymentId, attempt } of crossing) await deleteUnsigned(tx, paymentId, attempt);
  },
  async attemptOf(tx, entry, fromAddress) {
    const { paymentId, transferId, chainId, amountMinor } = entry;
    const [latest] = await attemptsOf(tx, paymentId);
    const attempt = (latest?.attempt ?? 0) + 1;
    const payment = { paymentId, attempt, kind: 'transfer', transferId, chainId, fromAddress, amountMinor } as const;
    return { ...payment, plan: planOfEntry(entry) };
  },
};

/** What a transaction paid to others, one row for each; what it paid to the company itself is change. */
function departureOf(
  chain: UtxoChain,
  chainId: string,
  { hash, block, companyId, coins }: UnknownDeparture,
): DeparturesOfCompany {
  const transaction = chain.transaction(hash);
  if (transaction?.height !== block.height) throw new Error(`${hash} has left block ${block.height}`);
  const { spent, outputs } = transaction;
  const feeMinor =
    sum(spent.map(({ amountMinor }) => amountMinor)) - sum(outputs.map(({ amountMinor }) => amountMinor));
  return {
    companyId,
    async write(tx) {
      const own = new Set(await ownAddresses(tx, chainId));
      const address = await accountOf(tx, chainId);
      const paid = outputs.flatMap(({ address: toAddress, amountMinor }, index) =>
        own.has(toAddress) ? [] : [{ output: outputName(index), toAddress, amountMinor }],
      );
      const [first = { output: 'none', toAddress: null, amountMinor: 0n }, ...others] = paid;
      const common = {
        chainId,
        hash,
        fromAddress: address,
        nonce: null,
        coin: coins.get('native') ?? null,
        succeeded: true,
        raw: null,
        gasLimit: null,
        maxFeePerGas: null,
        maxPriorityFeePerGas: null,
        blockNumber: block.height,
        blockHash: block.hash,
      };
      await recordUnexplained(tx, companyId, { chainId, address }, [
        { ...common, ...first, networkFeeMinor: feeMinor },
        ...others.map((movement) => ({ ...common, ...movement, networkFeeMinor: 0n })),
      ]);
      return [];
    },
  };
}
