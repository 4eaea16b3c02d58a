import { openKeystore, refuseExposedKeystore, serveSigner } from './features/chains/index.ts';
import { createJudge, openSignerJournal, startComparing } from './features/transfers/index.ts';
import { createCheckpointSigner } from './platform/audit/checkpoint.ts';
import { configSchemas, readChains, readConfig } from './platform/config.ts';
import { openDatabase } from './platform/database.ts';
import { serveHealth } from './platform/health.ts';
import { createLog } from './platform/log.ts';
import { runProcess } from './platform/process.ts';
import { restoreModeCheck } from './platform/restore-mode.ts';
import { createOpenSeal } from './platform/seal.ts';
import { shutDownWith } from './platform/shutdown.ts';

/**
 * The signer: the one process that holds keys. It listens on a unix socket (for its own user, or for the group of
 * the socket's folder) and on a loopback port for health; its database role reads records and stores the copy of its journal.
 */
async function main(): Promise<void> {
  const config = readConfig(configSchemas.signer, process.env);
  const log = createLog('signer', config.LOG_LEVEL);
  refuseExposedKeystore(config.KEYSTORE_FILE);
  const keys = openKeystore(config.KEYSTORE_FILE, config.KEYSTORE_PASSPHRASE);
  const database = openDatabase(config.DATABASE_SIGNER_URL, { poolSize: 2, applicationName: 'causeway-signer' });
  const { gasTank } = keys.publicKeys;
  const journal = await openSignerJournal({ database, file: config.SIGNER_JOURNAL_FILE, gasTank });
  const judge = createJudge({
    database,
    journal,
    log,
    keys,
    chains: readChains(config.CHAINS_FILE),
    openSeal: createOpenSeal(config.AUTHORISATION_PUBLIC_KEY, ...config.AUTHORISATION_PUBLIC_KEY_PREVIOUS),
    limits: {
      maxNetworkFeeWei: config.SIGNER_MAX_NETWORK_FEE_WEI,
      maxAdvanceWei: config.SIGNER_MAX_ADVANCE_WEI,
      maxAdvancesPerHour: config.SIGNER_MAX_ADVANCES_PER_HOUR,
    },
  });
  const checkpoint = createCheckpointSigner(database, keys.auditSecret);
  const server = await serveSigner(config.SIGNER_SOCKET, { sign: judge.sign, checkpoint }, log, {
    isShared: config.SIGNER_SOCKET_MODE === '0660',
  });
  const comparing = startComparing(judge, log);
  const health = await serveHealth(
    config.SIGNER_HTTP_PORT,
    {
      database: async () => {
        await database.pool.query('select 1');
      },
      journal: async () => {
        const last = comparing.last();
        if (!last?.agrees) throw new Error(last?.finding ?? 'it was not yet compared with the database');
      },
      restoreMode: restoreModeCheck(database),
    },
    log,
  );
  shutDownWith(log, [
    () => server.close(),
    () => comparing.stop(),
    () => health.close(),
    async () => journal.close(),
    () => database.close(),
  ]);
  log.info({ gasTank, auditKey: keys.publicKeys.auditKey, journalEntries: journal.tip().seq }, 'the signer is ready');
}

await runProcess(main);
