import type { Database } from '../../../platform/database/database.ts';
import { attemptsOf, type BitcoinGateway, findFinalHeight, markSuperseded, type Send } from '../../chains/index.ts';
import type { SendingDependencies, SpentBy } from '../family.ts';
import { bitcoinGatewayOf } from './gateway.ts';
import { outpointsOf, planOf } from './plan.ts';

/** Asks the chain what became of the coins that a payment was to spend: it needs all of them. @throws NoAgreement */
export async function resolve(deps: Pick<SendingDependencies, 'database' | 'gateways'>, send: Send): Promise<SpentBy> {
  const spenders = await spendersOf(bitcoinGatewayOf(deps, send.chainId), send);
  if (spenders.length === 0) return 'free';
  const { companyId, paymentId, chainId } = send;
  const own = await hashesOf(deps.database, companyId, paymentId);
  if (spenders.some(({ hash }) => own.has(hash))) return 'ours';
  return deps.database.withCompany(companyId, async (tx) => {
    const finalHeight = await findFinalHeight(tx, chainId);
    if (finalHeight === null || spenders.every(({ height }) => height > finalHeight)) return 'other';
    await markSuperseded(tx, paymentId);
    return 'superseded';
  });
}

async function spendersOf(gateway: BitcoinGateway, send: Send): Promise<{ hash: string; height: number }[]> {
  const spenders: { hash: string; height: number }[] = [];
  for (const outpoint of outpointsOf(planOf(send))) {
    const spender = await gateway.spender(outpoint);
    if (spender) spenders.push(spender);
  }
  return spenders;
}

async function hashesOf(database: Database, companyId: string, paymentId: string): Promise<ReadonlySet<string>> {
  const attempts = await database.withCompany(companyId, (tx) => attemptsOf(tx, paymentId));
  return new Set(attempts.flatMap(({ hash }) => hash ?? []));
}
