import {
  attemptsOf,
  type BitcoinGateway,
  findFinalHeight,
  markSuperseded,
  outpointKey,
  type Send,
} from '../../chains/index.ts';
import type { SendingDependencies, SpentBy } from '../family.ts';
import { bitcoinGatewayOf } from './gateway.ts';
import { outpointsOf, paymentsOf, planOf } from './plan.ts';

/**
 * Asks the chain what became of the coins that a payment was to spend. A transaction needs all of its own, and one of the signed attempts is
 * enough: a coin that a dearer one added may be spent elsewhere. @throws NoAgreement
 */
export async function resolve(deps: Pick<SendingDependencies, 'database' | 'gateways'>, send: Send): Promise<SpentBy> {
  const { companyId, paymentId, chainId } = send;
  const attempts = await deps.database.withCompany(companyId, (tx) => attemptsOf(tx, paymentId));
  const signed = attempts.filter(({ hash }) => hash !== null);
  const possible = signed.length > 0 ? signed : [send];
  const spenders = await spendersOf(bitcoinGatewayOf(deps, chainId), possible);
  if (spenders.size === 0) return 'free';
  const own = new Set(signed.map(({ hash }) => hash));
  if ([...spenders.values()].some(({ hash }) => own.has(hash))) return 'ours';
  const prevented = possible.map((attempt) =>
    outpointsOf(planOf(attempt)).flatMap((outpoint) => spenders.get(outpointKey(outpoint)) ?? []),
  );
  if (prevented.some((by) => by.length === 0)) return 'free';
  return deps.database.withCompany(companyId, async (tx) => {
    const finalHeight = await findFinalHeight(tx, chainId);
    const isForGood = (by: readonly Spender[]) =>
      finalHeight !== null && by.some(({ height }) => height <= finalHeight);
    if (!prevented.every(isForGood)) return 'other';
    for (const id of [...paymentsOf(send)].sort()) await markSuperseded(tx, id);
    return 'superseded';
  });
}

interface Spender {
  hash: string;
  height: number;
}

/** What blocks have that spends what these attempts were to spend, by output. */
async function spendersOf(gateway: BitcoinGateway, attempts: readonly Send[]): Promise<ReadonlyMap<string, Spender>> {
  const outpoints = new Map(
    attempts.flatMap((attempt) => outpointsOf(planOf(attempt))).map((outpoint) => [outpointKey(outpoint), outpoint]),
  );
  const spenders = new Map<string, Spender>();
  for (const [key, outpoint] of outpoints) {
    const spender = await gateway.spender(outpoint);
    if (spender) spenders.set(key, spender);
  }
  return spenders;
}
