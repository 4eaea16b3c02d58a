import { sql } from 'kysely';
import { type Address, encodeFunctionData, erc20Abi, type Hex, keccak256 } from 'viem';
import type { ChainWorld, Company } from './chain-world.ts';

/** Payments made with our keys and without our knowledge, as by a database that a restore has replaced. */

async function derivationIndex(world: ChainWorld, company: Company): Promise<number> {
  const { rows } = await world.db.operator.withoutCompany((tx) =>
    sql<{ index: number }>`
      select derivation_index as index from chain_address where address = ${company.address}`.execute(tx),
  );
  const row = rows[0];
  if (!row) throw new Error('the company has an address');
  return row.index;
}

async function send(
  world: ChainWorld,
  account: ChainWorld['keys']['gasTank'],
  call: { to: Address; value?: bigint; data?: Hex },
): Promise<Hex> {
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId: world.config.chainId,
    nonce: await world.gateway.minedNonce(account.address, await world.gateway.head()),
    gas: 80_000n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 10n ** 9n,
    ...call,
  });
  let { outcome } = await world.gateway.broadcast(raw);
  // A node that answers late may have it: the same bytes are offered again, as the product does.
  for (let tries = 0; outcome === 'unknown' && tries < 5; tries += 1) {
    ({ outcome } = await world.gateway.broadcast(raw));
  }
  if (outcome !== 'accepted' && outcome !== 'known') throw new Error(`the chain did not take the payment: ${outcome}`);
  return keccak256(raw);
}

/** Pays USDT with the company's own key under its next nonce on the chain; returns the hash. */
export async function payOutside(
  world: ChainWorld,
  company: Company,
  payee: Address,
  amountMinor: bigint,
): Promise<Hex> {
  return payUsdt(world, world.keys.company(await derivationIndex(world, company)), payee, amountMinor);
}

/** The same with the key of a further address of the company's, which holds the coins. */
export async function payOutsideApart(
  world: ChainWorld,
  company: Company,
  from: Address,
  payment: { payee: Address; amountMinor: bigint },
): Promise<Hex> {
  const { rows } = await world.db.operator.withoutCompany((tx) =>
    sql<{ ordinal: number }>`
      select derivation_index as ordinal from chain_further_address where address = ${from}`.execute(tx),
  );
  const account = world.keys.company(await derivationIndex(world, company), rows[0]?.ordinal);
  return payUsdt(world, account, payment.payee, payment.amountMinor);
}

function payUsdt(
  world: ChainWorld,
  account: ChainWorld['keys']['gasTank'],
  payee: Address,
  amountMinor: bigint,
): Promise<Hex> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [payee, amountMinor] });
  return send(world, account, { to: world.chain.treasury.contracts.USDT, data });
}

/** Sends ETH from the gas tank under its next nonce on the chain. */
export function payFromTank(world: ChainWorld, to: Address, value: bigint): Promise<Hex> {
  return send(world, world.keys.gasTank, { to, value });
}
