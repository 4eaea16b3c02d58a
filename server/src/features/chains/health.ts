import { request } from 'node:http';
import { sql } from 'kysely';
import { Gauge } from 'prom-client';
import type { ChainConfig } from '../../platform/config.ts';
import type { Database } from '../../platform/database.ts';
import { type HealthCheck, HealthProblem } from '../../platform/health.ts';
import { registry } from '../../platform/metrics.ts';
import { createRpcEndpoint } from './adapters/rpc-endpoint.ts';
import type { ChainGateway } from './gateway.ts';
import { gasTankOwner } from './store.ts';

/** The worker's checks of what is outside: signer, nodes, how far each chain is read, what the gas tank holds. */

const nodeHeight = new Gauge({
  name: 'causeway_chain_node_height',
  help: 'Height of each configured node, as it says itself',
  labelNames: ['chain', 'node'],
  registers: [registry],
});
const cursorAge = new Gauge({
  name: 'causeway_chain_cursor_age_seconds',
  help: 'Since a block of the chain was last read, by whichever worker reads it',
  labelNames: ['chain'],
  registers: [registry],
});
const tankCoins = new Gauge({
  name: 'causeway_gas_tank_coins',
  help: 'What the gas tank holds of the chain’s own coin, in whole coins, rounded',
  labelNames: ['chain'],
  registers: [registry],
});
const tankPayments = new Gauge({
  name: 'causeway_gas_tank_payments',
  help: 'Payments whose network fee the gas tank can still advance, at the present fee',
  labelNames: ['chain'],
  registers: [registry],
});

/** A chain of which no block was read for so long is not followed; the slowest EVM chains make one in 15 seconds. */
const unfollowedAfterSeconds = 300;
/** Below this the tank is to be filled. */
const fewPayments = 20;
/** Gas of a token transfer with the advance that pays for it, generously. */
const gasOfPayment = 150_000n;
const weiPerCoin = 1e18;

/** One check for each node, by its place in the configuration: its address may hold a key. */
export function nodeChecks(chains: readonly ChainConfig[]): HealthCheck[] {
  return chains.flatMap((chain) =>
    chain.rpcUrls.map((url, index): HealthCheck => {
      const node = `${index + 1}`;
      const endpoint = createRpcEndpoint(chain, node, url);
      return {
        name: `node:${chain.id}:${node}`,
        need: 'degraded',
        keepMs: 10_000,
        async check() {
          const height = await endpoint.ask('eth_blockNumber', []).catch((error: unknown) => {
            // Endpoints name no address in their errors.
            throw new HealthProblem(error instanceof Error ? error.message : 'no answer');
          });
          nodeHeight.set({ chain: chain.id, node }, Number(height));
        },
      };
    }),
  );
}

/** Whether blocks of the chain are read, by this worker or another. */
export function watcherCheck(database: Database, chainId: string): HealthCheck {
  return {
    name: `watcher:${chainId}`,
    need: 'degraded',
    async check() {
      const { rows } = await database.withoutCompany((tx) =>
        sql<{ age: number }>`
          select extract(epoch from now() - updated_at)::float8 as age from chain_cursor
          where chain_id = ${chainId}`.execute(tx),
      );
      const age = rows[0]?.age;
      if (age === undefined) throw new HealthProblem('no block has been read yet');
      cursorAge.set({ chain: chainId }, age);
      if (age > unfollowedAfterSeconds) throw new HealthProblem(`no block has been read for ${Math.round(age)} s`);
    },
  };
}

export function gasTankCheck(database: Database, gateway: ChainGateway): HealthCheck {
  const { chainId } = gateway;
  return {
    name: `gas-tank:${chainId}`,
    need: 'degraded',
    keepMs: 30_000,
    async check() {
      const address = await tankAddress(database, chainId);
      if (address === null) throw new HealthProblem('the gas tank’s address is not opened yet');
      const [head, fees] = await Promise.all([gateway.head(), gateway.fees()]);
      const balance = await gateway.balance(null, address, head);
      const payments = balance / (gasOfPayment * fees.maxFeePerGas || 1n);
      tankCoins.set({ chain: chainId }, Number(balance) / weiPerCoin);
      tankPayments.set({ chain: chainId }, Number(payments));
      if (payments < fewPayments) throw new HealthProblem(`the gas tank can advance ${payments} payments; fill it`);
    },
  };
}

async function tankAddress(database: Database, chainId: string): Promise<`0x${string}` | null> {
  const { rows } = await database.withoutCompany((tx) =>
    sql<{ address: `0x${string}` }>`
      select address from chain_address where chain_id = ${chainId} and company_id = ${gasTankOwner}::uuid`.execute(tx),
  );
  return rows[0]?.address ?? null;
}

/** The signer answers on its socket; whatever it answers, it is there. */
export function signerCheck(socketPath: string): HealthCheck {
  return {
    name: 'signer',
    need: 'degraded',
    check: () =>
      new Promise<void>((resolve, reject) => {
        const asked = request({ socketPath, path: '/', agent: false, timeout: 2000 }, (response) => {
          response.resume();
          resolve();
        });
        asked.on('timeout', () => asked.destroy(new HealthProblem('the signer does not answer')));
        asked.on('error', reject);
        asked.end();
      }),
  };
}
