import { createGateway, untracedReport } from './features/chains/index.ts';
import { reconcileSteadily, treasuryHoldings } from './features/rails/index.ts';
import { type ChainConfig, readChains } from './platform/config/chains.ts';
import { configSchemas, readConfig } from './platform/config/config.ts';
import { type Database, openDatabase } from './platform/database/database.ts';
import { runCommand } from './platform/process/process.ts';

/** Reconciles every wallet with its chain: one line for each mismatch, exit code 1 when there is any. */
async function main(): Promise<void> {
  const config = readConfig(configSchemas.verify, process.env);
  const database = openDatabase(config.DATABASE_OPERATOR_URL, { poolSize: 1, applicationName: 'causeway-verify' });
  try {
    for (const chain of readChains(config.CHAINS_FILE)) await verify(database, chain);
  } finally {
    await database.close();
  }
}

async function verify(database: Database, chain: ChainConfig): Promise<void> {
  const { result, failure } = await reconcileSteadily(database, createGateway(chain));
  if (!result) {
    process.stdout.write(`${chain.id}: could not be compared: ${failure}\n`);
    process.exitCode = 1;
    return;
  }
  for (const { companyId, walletId, coin, addresses, expectedMinor, actualMinor } of result.mismatches) {
    process.stdout.write(
      `${companyId} ${walletId} ${coin} ${addresses.join(' ')}: ledger ${expectedMinor}, chain ${actualMinor}, difference ${actualMinor - expectedMinor}\n`,
    );
  }
  process.stdout.write(
    `${chain.id}: block ${result.height ?? 'none'}, ${result.wallets} wallets, ${result.mismatches.length} mismatches\n`,
  );
  if (result.mismatches.length > 0) process.exitCode = 1;
  const held = await treasuryHoldings(database, createGateway(chain));
  if (held !== null) {
    const coins = held.coins.map(({ coin, minor }) => `${minor} ${coin}`);
    process.stdout.write(
      `${chain.id}: block ${held.height}, treasury ${held.address}: ${coins.join(', ') || 'nothing'} (minor units)\n`,
    );
  }
  const reports = await database.withoutCompany(untracedReport);
  for (const { chainId, blocks, fromHeight, oldestSeconds, problem } of reports) {
    if (chainId !== chain.id) continue;
    process.stdout.write(
      `${chainId}: ${blocks} blocks from ${fromHeight} on wait for traces, the oldest for ${oldestSeconds} s (${problem ?? 'not tried yet'}); coins sent by contracts may be missing\n`,
    );
  }
}

await runCommand(main);
