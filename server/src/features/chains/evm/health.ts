import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { type HealthCheck, HealthProblem } from '../../../platform/process/health.ts';
import { chainGauge } from '../../../platform/process/metrics.ts';
import { gasTankOwner } from '../store/addresses.ts';
import { tankThresholdOf } from '../store/tank-thresholds.ts';
import type { EvmGateway } from './gateway.ts';

/** The worker's check of an EVM chain's gas tank. */

const tankCoins = chainGauge(
  'causeway_gas_tank_coins',
  'What the gas tank holds of the chain’s own coin, in whole coins, rounded',
);
const tankWarning = chainGauge(
  'causeway_gas_tank_warn_payments',
  'Below so many payments the gas tank is low, as operators have set it',
);
const tankPayments = chainGauge(
  'causeway_gas_tank_payments',
  'Payments whose network fee the gas tank can still advance, at the present fee',
);

/** Gas of a token transfer with the advance that pays for it, generously. */
const gasOfPayment = 150_000n;
const weiPerCoin = 1e18;

export function gasTankCheck(database: Database, gateway: EvmGateway): HealthCheck {
  const { chainId } = gateway;
  return {
    name: `gas-tank:${chainId}`,
    need: 'degraded',
    keepMs: 30_000,
    async check() {
      const address = await tankAddress(database, chainId);
      if (address === null) throw new HealthProblem('noTank');
      const [head, fees] = await Promise.all([gateway.head(), gateway.fees()]);
      const balance = await gateway.balance(null, address, head);
      const payments = paymentsOf(balance, fees.maxFeePerGas);
      tankCoins.set({ chain: chainId }, Number(balance) / weiPerCoin);
      tankPayments.set({ chain: chainId }, payments);
      const { warnPayments } = await database.withoutCompany((tx) => tankThresholdOf(tx, chainId));
      tankWarning.set({ chain: chainId }, warnPayments);
      if (payments < warnPayments) throw new HealthProblem('tankLow', { payments });
    },
  };
}

/** Payments whose network fee a balance can still advance at a fee; wei, wei per gas. */
export function paymentsOf(balanceWei: bigint, maxFeePerGas: bigint): number {
  const payments = balanceWei / (gasOfPayment * maxFeePerGas || 1n);
  return payments > 1_000_000_000n ? 1_000_000_000 : Number(payments);
}

async function tankAddress(database: Database, chainId: string): Promise<`0x${string}` | null> {
  const { rows } = await database.withoutCompany((tx) =>
    sql<{ address: `0x${string}` }>`
      select address from chain_address where chain_id = ${chainId} and company_id = ${gasTankOwner}::uuid`.execute(tx),
  );
  return rows[0]?.address ?? null;
}
