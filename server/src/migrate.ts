import { registerChains } from './features/chains/index.ts';
import { ConfigError, configSchemas, readChains, readConfig } from './platform/config.ts';
import { createLog } from './platform/log.ts';
import { MigrationError, migrate, type Role } from './platform/migrations.ts';
import { addressesOf } from './platform/primary.ts';

/** Makes the roles, brings the schema up to date, and writes the chains of CHAINS_FILE into the registry. */
async function main(): Promise<void> {
  const config = readConfig(configSchemas.migrate, process.env);
  const log = createLog('migrate', config.LOG_LEVEL);
  const roles = [
    role('causeway_app', config.DATABASE_APP_URL),
    role('causeway_worker', config.DATABASE_WORKER_URL),
    role('causeway_signer', config.DATABASE_SIGNER_URL),
    role('causeway_operator', config.DATABASE_OPERATOR_URL),
  ];
  const ran = await migrate(config.DATABASE_OWNER_URL, roles);
  await registerChains(config.DATABASE_OWNER_URL, readChains(config.CHAINS_FILE));
  log.info({ ran }, ran.length === 0 ? 'schema is up to date' : 'schema migrated');
}

function role(name: Role['name'], url: string): Role {
  return { name, password: decodeURIComponent(new URL(addressesOf(url)[0] ?? url).password) };
}

try {
  await main();
} catch (error) {
  const plain = error instanceof ConfigError || error instanceof MigrationError;
  process.stderr.write(`${plain ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
}
