import { ownersOf } from '../../chains/index.ts';
import type { DeparturesOfCompany, FollowingDependencies } from '../family.ts';
import { recordUnexplained, type UnknownDeparture } from '../service/departures.ts';
import { findAccount } from '../store/holds.ts';
import { bitcoinGatewayOf } from './gateway.ts';

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
      : [{ output: `vout:${index}`, toAddress, amountMinor }],
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
      await recordUnexplained(tx, companyId, { chainId, address }, [
        { ...common, ...first, networkFeeMinor: receipt.networkFeeMinor },
        ...others.map((movement) => ({ ...common, ...movement, networkFeeMinor: 0n })),
      ]);
      return [];
    },
  };
}
