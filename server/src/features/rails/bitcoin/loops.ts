import type { BitcoinChainConfig } from '../../../platform/config/chains.ts';
import { type Loop, stopAll } from '../../../platform/jobs/loop.ts';
import type { FollowingDependencies } from '../family.ts';
import { startFeeRates } from './fee-rates.ts';
import { bitcoinGatewayOf } from './gateway.ts';
import { type MempoolDependencies, startMempool } from './mempool.ts';

/** How often the nodes are asked what a block costs. */
const feeRatesEveryMs = 20_000;

/** Advisory locks that they hold for each chain. */
export const bitcoinLocksPerChain = 2;

/** What Bitcoin's chains have beside a watcher: their mempools are read, and what blocks cost is published. */
export function startBitcoinLoops(
  deps: MempoolDependencies & Pick<FollowingDependencies, 'gateways'>,
  chains: readonly BitcoinChainConfig[],
): Pick<Loop, 'stop'> {
  const loops = chains.flatMap(({ id, pollIntervalMs, fees }) => {
    const gateway = bitcoinGatewayOf(deps, id);
    return [
      startMempool(deps, gateway, pollIntervalMs),
      startFeeRates(deps, gateway, { bounds: fees, everyMs: feeRatesEveryMs }),
    ];
  });
  return { stop: () => stopAll(loops) };
}
