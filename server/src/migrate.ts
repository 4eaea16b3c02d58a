import { chainFamiliesOf } from './chain-families.ts';
import { registerBanks } from './features/banks/index.ts';
import { registerChains } from './features/chains/index.ts';
import { bankRegistryDigest, readBanks } from './platform/config/banks.ts';
import { readChains, readCoins } from './platform/config/chains.ts';
import { configSchemas, readConfig } from './platform/config/config.ts';
import { migrate, type Role } from './platform/database/migrations.ts';
import { addressesOf } from './platform/database/primary.ts';
import { createLog } from './platform/process/log.ts';
import { runCommand } from './platform/process/process.ts';

/** Makes the roles, brings the schema up to date, and writes the chains of CHAINS_FILE and the banks of BANK_REGISTRY_FILE into the registry. */
async function main(): Promise<void> {
  const config = readConfig(configSchemas.migrate, process.env);
  const log = createLog('migrate', config.LOG_LEVEL);
  // Read first: nothing is changed under a list of chains or banks that cannot be used.
  const chains = readChains(config.CHAINS_FILE);
  const coins = readCoins(config.CHAINS_FILE);
  const banks = config.BANK_REGISTRY_FILE === undefined ? null : readBanks(config.BANK_REGISTRY_FILE);
  const roles = [
    role('causeway_app', config.DATABASE_APP_URL),
    role('causeway_worker', config.DATABASE_WORKER_URL),
    role('causeway_signer', config.DATABASE_SIGNER_URL),
    role('causeway_operator', config.DATABASE_OPERATOR_URL),
    ...(config.DATABASE_CONSOLE_URL === undefined ? [] : [role('causeway_console', config.DATABASE_CONSOLE_URL)]),
  ];
  const ran = await migrate(config.DATABASE_OWNER_URL, roles);
  await registerChains(config.DATABASE_OWNER_URL, chainFamiliesOf(chains), chains, coins);
  if (banks !== null && config.BANK_REGISTRY_FILE !== undefined) {
    await registerBanks(config.DATABASE_OWNER_URL, banks, bankRegistryDigest(config.BANK_REGISTRY_FILE));
  }
  log.info({ ran }, ran.length === 0 ? 'schema is up to date' : 'schema migrated');
}

function role(name: Role['name'], url: string): Role {
  return { name, password: decodeURIComponent(new URL(addressesOf(url)[0] ?? url).password) };
}

await runCommand(main);
