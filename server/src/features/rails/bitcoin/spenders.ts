import { type BitcoinGateway, type Outpoint, outpointKey } from '../../chains/index.ts';

/** A transaction that a block has. */
export interface Spender {
  hash: string;
  height: number;
}

/** What blocks have that spends these outputs, by output. @throws NoAgreement */
export async function spendersOf(
  gateway: BitcoinGateway,
  outpoints: readonly Outpoint[],
): Promise<ReadonlyMap<string, Spender>> {
  const spenders = new Map<string, Spender>();
  for (const [key, outpoint] of new Map(outpoints.map((each) => [outpointKey(each), each]))) {
    const spender = await gateway.spender(outpoint);
    if (spender) spenders.set(key, spender);
  }
  return spenders;
}
