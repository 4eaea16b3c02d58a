import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { chainFamiliesOf } from './chain-families.ts';
import {
  openAddressRegister,
  openKeystore,
  openSignerJournal,
  refuseExposedKeystore,
  serveSigner,
  startComparing,
} from './features/chains/index.ts';
import { createJudge } from './features/rails/index.ts';
import { outgoingKindsOf } from './outgoing-kinds.ts';
import { createCheckpointSigner } from './platform/audit/checkpoint.ts';
import { readChains } from './platform/config/chains.ts';
import { configSchemas, readConfig } from './platform/config/config.ts';
import { openSealsOf } from './platform/crypto/seal.ts';
import { openDatabase } from './platform/database/database.ts';
import { restoreModeCheck } from './platform/database/restore-mode.ts';
import { createHealth, HealthProblem, serveHealth } from './platform/process/health.ts';
import { databaseCheck, migrationsCheck } from './platform/process/health-checks.ts';
import { endHeartbeat, startHeartbeat } from './platform/process/heartbeat.ts';
import { createLog } from './platform/process/log.ts';
import { exitOnUncaught, runProcess } from './platform/process/process.ts';
import { shutDownWith } from './platform/process/shutdown.ts';
import { createSolvencySigner } from './platform/solvency/signing.ts';
import { journaled, keyFamilies, limitsOf, signersOf } from './signer-families.ts';

/**
 * The signer: the one process that holds keys. It listens on a unix socket (for its own user, or for the group of
 * the socket's folder) and on a loopback port for health; its database role reads records and stores the copy of its journal.
 */
async function main(): Promise<void> {
  const config = readConfig(configSchemas.signer, process.env);
  const chains = readChains(config.CHAINS_FILE);
  const log = createLog('signer', config.LOG_LEVEL);
  exitOnUncaught(log);
  refuseExposedKeystore(config.KEYSTORE_FILE);
  const keys = openKeystore(config.KEYSTORE_FILE, config.KEYSTORE_PASSPHRASE, keyFamilies);
  const database = openDatabase(config.DATABASE_SIGNER_URL, { poolSize: 2, applicationName: 'causeway-signer' });
  const { gasTank } = keys.publicKeys;
  const journal = await openSignerJournal({ database, file: config.SIGNER_JOURNAL_FILE, gasTank, families: journaled });
  const addresses = openAddressRegister({ file: config.SIGNER_JOURNAL_FILE, gasTank });
  const judge = createJudge({
    database,
    journal,
    log,
    families: signersOf(keys, chains, limitsOf(config)),
    kinds: outgoingKindsOf(chainFamiliesOf(chains)),
    openSeal: openSealsOf({
      companies: [config.AUTHORISATION_PUBLIC_KEY, ...config.AUTHORISATION_PUBLIC_KEY_PREVIOUS],
      operator: [
        config.OPERATOR_AUTHORISATION_PUBLIC_KEY ?? [],
        config.OPERATOR_AUTHORISATION_PUBLIC_KEY_PREVIOUS,
      ].flat(),
    }),
  });
  const checkpoint = createCheckpointSigner(database, keys.auditSecret);
  const solvency = createSolvencySigner(database, keys.auditSecret);
  const server = await serveSigner(config.SIGNER_SOCKET, { sign: judge.sign, checkpoint, solvency, addresses }, log, {
    isShared: config.SIGNER_SOCKET_MODE === '0660',
  });
  const comparing = startComparing(judge.compare, log);
  const heartbeat = startHeartbeat(database, 'signer', log);
  const health = createHealth();
  health.register(databaseCheck(database));
  health.register(migrationsCheck(database));
  health.register({ name: 'key-store', need: 'degraded', check: () => access(config.KEYSTORE_FILE, constants.R_OK) });
  health.register({
    name: 'journal',
    need: 'needed',
    check: async () => {
      const last = comparing.last();
      if (!last?.agrees) throw new HealthProblem(last ? 'journal' : 'journalUnread', { words: last?.finding ?? '' });
    },
  });
  // Nothing is signed while it holds.
  health.register(restoreModeCheck(database, 'needed'));
  const healthServer = await serveHealth(config.SIGNER_HTTP_PORT, health, log);
  // Not drained: there is one signer, and the worker waits for it.
  shutDownWith(log, { health, drainMs: 0 }, [
    () => server.close(),
    () => comparing.stop(),
    () => endHeartbeat(database, heartbeat),
    () => healthServer.close(),
    async () => journal.close(),
    async () => addresses.close(),
    () => database.close(),
  ]);
  log.info({ gasTank, auditKey: keys.publicKeys.auditKey, journalEntries: journal.tip().seq }, 'the signer is ready');
}

await runProcess(main);
