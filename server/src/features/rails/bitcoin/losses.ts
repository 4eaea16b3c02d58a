import type { Database } from '../../../platform/database/database.ts';
import { type BitcoinGateway, type Outpoint, outpointKey, sendsByHash } from '../../chains/index.ts';
import { type Depth, type Loss, lossOf } from './coin-loss.ts';
import { outpointsOf, planOf } from './plan.ts';
import { outpointOf } from './reading.ts';
import { spendersOf } from './spenders.ts';
import { findLostCoins, findMissing } from './store/lost-coins.ts';

/** A coin that no node has; `loss` is null while it may come back. */
export interface LostOutput extends Outpoint {
  loss: Loss | null;
}

interface Asking {
  database: Database;
  gateway: BitcoinGateway;
  depth: Depth;
}

interface OfPayment {
  companyId: string;
  paymentId: string;
}

/** Coins of ours that come from one another, unmined: nodes take no longer lines. */
const longestLine = 25;

/** Which of these outputs, which no block spends, no node has any more, by output. @throws NoAgreement */
export async function findLosses(
  asking: Asking,
  payment: OfPayment,
  outpoints: readonly Outpoint[],
  line = 0,
): Promise<ReadonlyMap<string, LostOutput>> {
  const { database, gateway, depth } = asking;
  const { chainId } = gateway;
  // What the watchers know is there; only the rest is asked of the nodes.
  const missing = await database.withoutCompany((tx) => findMissing(tx, chainId, payment.companyId, outpoints));
  const losses = new Map<string, LostOutput>();
  for (const outpoint of missing) {
    if ((await gateway.transaction(outpoint.hash)) !== null) continue;
    const [known, [maker]] = await database.withoutCompany(async (tx) => [
      await findLostCoins(tx, chainId, outpoint),
      await sendsByHash(tx, chainId, [outpoint.hash]),
    ]);
    const needs = maker ? outpointsOf(planOf(maker)) : (known?.needs ?? []).map(outpointOf);
    const spenders = await spendersOf(gateway, needs);
    const unspent = needs.filter((need) => !spenders.has(outpointKey(need)));
    const starving = maker && line < longestLine ? await findLosses(asking, maker, unspent, line + 1) : new Map();
    const loss = lossOf(
      {
        isOurs: maker !== undefined,
        conflicts: [...spenders.values()],
        isStarved: [...starving.values()].some((coin: LostOutput) => coin.loss !== null),
        lostBlock: known?.lostBlock ?? null,
      },
      depth,
    );
    losses.set(outpointKey(outpoint), { ...outpoint, loss });
  }
  return losses;
}
