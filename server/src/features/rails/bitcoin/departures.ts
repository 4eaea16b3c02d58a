import type { Tx } from '../../../platform/database/database.ts';
import {
  type BlocksSeen,
  bitcoinJournal,
  coinsByContract,
  ownersOf,
  type Send,
  sendsByHash,
  signedTogether,
} from '../../chains/index.ts';
import type { DeparturesOfCompany, FollowingDependencies } from '../family.ts';
import { recordUnexplained, type UnknownDeparture } from '../service/departures.ts';
import { findAccount } from '../store/holds.ts';
import { unexplainedByHash } from '../store/unexplained.ts';
import { sharesOf } from './adopting.ts';
import { bitcoinGatewayOf } from './gateway.ts';
import { outputName, planOf } from './plan.ts';
import { knownTransfers } from './store/joined.ts';

/**
 * What left addresses of an owner's and no attempt names, one row for each output that is paid to others; what it paid to the owner itself is
 * change. No transaction is open.
 */
export async function readDeparture(
  deps: Pick<FollowingDependencies, 'database' | 'gateways'>,
  chainId: string,
  { hash, block, companyId, coins }: UnknownDeparture,
): Promise<DeparturesOfCompany> {
  const gateway = bitcoinGatewayOf(deps, chainId);
  const [found, receipt] = await Promise.all([gateway.transaction(hash), gateway.receipt(hash)]);
  if (!found || receipt?.blockHash !== block.hash) throw new Error(`${hash} has left block ${block.height}`);
  const { outputs } = found.transaction;
  const own = await deps.database.withoutCompany(async (tx) => {
    const owners = await ownersOf(
      tx,
      chainId,
      outputs.flatMap(({ address }) => address ?? []),
    );
    return new Set(owners.filter((owner) => owner.companyId === companyId).map(({ address }) => address));
  });
  const paid = outputs.flatMap(({ address: toAddress, amountMinor }, index) =>
    amountMinor === 0n || (toAddress !== null && own.has(toAddress))
      ? []
      : [{ output: outputName(index), toAddress, amountMinor }],
  );
  const [first = { output: 'none', toAddress: null, amountMinor: 0n }, ...others] = paid;
  return {
    companyId,
    async write(tx) {
      const address = await findAccount(tx, chainId, companyId);
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
      // Of several payments that the signer made together each has its part of the fee: some may belong to transfers that the database has.
      const entry = await signedTogether(tx, bitcoinJournal, chainId, hash);
      const shares = entry?.bundle ? await sharesOf(tx, entry, entry.bundle) : null;
      const feeOf = (output: string, isFirst: boolean): bigint => {
        if (shares === null) return isFirst ? receipt.networkFeeMinor : 0n;
        return BigInt(shares.find((_, place) => outputName(place) === output)?.shareMinor ?? 0n);
      };
      await recordUnexplained(
        tx,
        companyId,
        { chainId, address },
        [first, ...others].map((movement, place) => ({
          ...common,
          ...movement,
          networkFeeMinor: feeOf(movement.output, place === 0),
        })),
      );
      return [];
    },
  };
}

/**
 * Payments that blocks have in a transaction of ours together with others, and whose transfers a restored database has lost: no attempt is theirs, so
 * that they are unexplained, though the transaction is not.
 */
export async function readLost(
  { database }: Pick<FollowingDependencies, 'database'>,
  { chainId, contents }: BlocksSeen,
): Promise<DeparturesOfCompany[]> {
  const blockOf = new Map(
    contents.flatMap(({ block, departures }) => departures.map(({ hash }) => [hash, block] as const)),
  );
  if (blockOf.size === 0) return [];
  const sends = await database.withoutCompany((tx) => sendsByHash(tx, chainId, [...blockOf.keys()]));
  const joined = sends.filter((send) => !send.isEmpty && planOf(send).joined !== undefined);
  const once = new Map(joined.map((send) => [`${send.companyId}/${send.hash}`, send]));
  return [...once.values()].map((send) => ({
    companyId: send.companyId,
    async write(tx) {
      const block = blockOf.get(send.hash ?? '');
      if (block) await recordLost(tx, send, block);
      return [];
    },
  }));
}

async function recordLost(tx: Tx, send: Send, block: { height: number; hash: string }): Promise<void> {
  const { chainId, companyId, hash } = send;
  const plan = planOf(send);
  const shares = plan.joined ?? [];
  const known = await knownTransfers(
    tx,
    shares.map(({ paymentId }) => paymentId),
  );
  const recorded = await unexplainedByHash(tx, chainId, [hash ?? '']);
  const lost = shares.flatMap(({ paymentId, shareMinor }, place) => {
    const paid = plan.outputs[place];
    const output = outputName(place);
    if (known.has(paymentId) || !paid || recorded.some((row) => row.output === output)) return [];
    return [
      { output, toAddress: paid.address, amountMinor: BigInt(paid.amountMinor), networkFeeMinor: BigInt(shareMinor) },
    ];
  });
  if (lost.length === 0) return;
  const coin = (await coinsByContract(tx, chainId)).get('native') ?? null;
  const address = await findAccount(tx, chainId, companyId);
  const common = {
    ...{ chainId, hash: hash ?? '', fromAddress: address, nonce: null, coin, succeeded: true, raw: null },
    ...{ gasLimit: null, maxFeePerGas: null, maxPriorityFeePerGas: null },
    ...{ blockNumber: block.height, blockHash: block.hash },
  };
  await recordUnexplained(
    tx,
    companyId,
    { chainId, address },
    lost.map((movement) => ({ ...common, ...movement })),
  );
}
