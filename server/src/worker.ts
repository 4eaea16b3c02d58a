import { startTendingApprovals } from './features/approvals/index.ts';
import {
  createCheckpointClient,
  createEvmGateway,
  createSignerClient,
  startWatchers,
  withComparedDecimals,
} from './features/chains/index.ts';
import { createDiskStore, filesJobs, filesSweep } from './features/files/index.ts';
import { identityJobs, identitySweeps } from './features/identity/index.ts';
import { noticeJobs } from './features/notices/index.ts';
import { createCoinGecko, startRatePoller } from './features/rates/index.ts';
import {
  createChainListener,
  createTransferJobs,
  startContractCoins,
  startIndexing,
  startTending,
  transferNoticeJobs,
  transferSubject,
} from './features/transfers/index.ts';
import { createWalletOpening, startWalletOpening, walletOpeningJobs } from './features/wallets/index.ts';
import { auditJobs, startCheckpoints } from './platform/audit/checkpoint.ts';
import { startSealing } from './platform/audit/sealing.ts';
import { configSchemas, readChains, readCoins, readConfig } from './platform/config.ts';
import { openDatabase } from './platform/database.ts';
import { serveHealth } from './platform/health.ts';
import { startJobs } from './platform/jobs.ts';
import { createLog } from './platform/log.ts';
import { smtpMailer } from './platform/mail.ts';
import { exitOnUncaught, runProcess } from './platform/process.ts';
import { startRelay } from './platform/relay.ts';
import { shutDownWith } from './platform/shutdown.ts';
import { startSweeping, throttleSweep } from './platform/sweeping.ts';
import { loadTexts } from './platform/texts.ts';
import { createWorkerHealth } from './worker-health.ts';

const concurrentJobs = 8;
/** Beside those that a chain's loops keep for their locks: watching, traces, balances, tending. */
const freeConnections = 16;
const locksPerChain = 4;

/** The worker: relay, jobs, chain watchers, prices. As many as you like; a chain's watcher holds a lock. */
await runProcess(async () => {
  const config = readConfig(configSchemas.worker, process.env);
  const chains = readChains(config.CHAINS_FILE);
  const log = createLog('worker', config.LOG_LEVEL);
  exitOnUncaught(log);
  loadTexts();
  const database = openDatabase(config.DATABASE_WORKER_URL, {
    poolSize: freeConnections + locksPerChain * chains.length,
    applicationName: 'causeway-worker',
  });
  const mailer = smtpMailer(config.SMTP_URL, config.MAIL_FROM);
  const gateways = new Map(
    await Promise.all(
      chains.map(async (chain) => {
        const gateway = await withComparedDecimals({ database, gateway: createEvmGateway(chain), chain, log });
        return [chain.id, gateway] as const;
      }),
    ),
  );
  const sending = { database, gateways, signer: createSignerClient(config.SIGNER_SOCKET), log };
  const askCheckpoint = createCheckpointClient(config.SIGNER_SOCKET);
  const opening = createWalletOpening(database, config.EVM_XPUB, config.EVM_GAS_TANK);
  const mailing = { mailer, publicUrl: config.PUBLIC_URL };

  const jobs = [
    ...identityJobs({
      ...mailing,
      mailSecret: config.MAIL_SECRET,
      previousMailSecrets: config.MAIL_SECRET_PREVIOUS,
    }),
    ...filesJobs(createDiskStore(config.FILES_DIR)),
    ...walletOpeningJobs(opening),
    ...createTransferJobs(sending),
    ...transferNoticeJobs(),
    ...noticeJobs(mailing),
    ...auditJobs(askCheckpoint),
  ];
  const runner = await startJobs({ database, log, concurrency: concurrentJobs }, jobs);
  const relay = startRelay(database, jobs, log);
  const sealing = startSealing(database, log);
  const checkpoints = startCheckpoints(database, askCheckpoint, log);
  const walletOpening = await startWalletOpening(opening, log);
  const listener = createChainListener({ database, gateways, log });
  const watchers = startWatchers({ database, gateways, listener, log }, chains);
  const contractCoins = startContractCoins({ database, gateways, log }, [...gateways.keys()]);
  const tending = startTending(sending, chains);
  const indexing = startIndexing(database, log);
  const approvals = startTendingApprovals({ database, subjects: { transfer: transferSubject }, log });
  const prices = startRatePoller({
    database,
    source: createCoinGecko({
      url: config.PRICES_URL,
      apiKey: config.PRICES_API_KEY,
      coins: readCoins(config.CHAINS_FILE),
    }),
    log,
  });
  const sweeping = startSweeping(database, [throttleSweep, ...identitySweeps, filesSweep], log);
  const signerSocket = config.SIGNER_SOCKET;
  const filesDirectory = config.FILES_DIR;
  const health = createWorkerHealth({ database, chains, gateways, mailer, signerSocket, filesDirectory });
  const healthServer = await serveHealth(config.WORKER_HTTP_PORT, health, log);
  log.info({ chains: [...gateways.keys()] }, 'working');

  const stopWatching = () =>
    Promise.all([
      watchers.stop(),
      contractCoins.stop(),
      tending.stop(),
      indexing.stop(),
      prices.stop(),
      walletOpening.stop(),
    ]);
  // Not drained: another worker takes over what this one gives back.
  shutDownWith(log, { health, drainMs: 0 }, [
    stopWatching,
    () => approvals.stop(),
    () => sweeping.stop(),
    () => Promise.all([relay.stop(), sealing.stop(), checkpoints.stop()]),
    () => runner.stop(),
    () => healthServer.close(),
    async () => mailer.close(),
    () => database.close(),
  ]);
});
