import { approvalSubjects, subjectsByKind } from './approval-subjects.ts';
import { chainFamilies } from './chain-families.ts';
import { alertJobs, digestJob } from './features/alerts/index.ts';
import { expireAndRemindJob } from './features/approvals/index.ts';
import {
  createCheckpointClient,
  createEvmGateway,
  createSignerClient,
  evmAddresses,
  sourcesByFamily,
  startWatchers,
  withComparedDecimals,
} from './features/chains/index.ts';
import { createDiskStore, filesJobs, filesSweep } from './features/files/index.ts';
import { identityJobs, identitySweeps } from './features/identity/index.ts';
import { keepFlowsJob } from './features/ledger/index.ts';
import { noticeJobs } from './features/notices/index.ts';
import { operatorJobs } from './features/operator/index.ts';
import { createOutgoingJobs } from './features/outgoing/index.ts';
import { createChainListener, createChainRail, startContractCoins, startTending } from './features/rails/index.ts';
import { createCoinGecko, startRatePoller } from './features/rates/index.ts';
import { riskJobs } from './features/risk/index.ts';
import { fillValuesJob, startIndexing, transactionNoticeJobs } from './features/transactions/index.ts';
import {
  createWalletOpening,
  openMissingJob,
  walletOpeningJobs,
  withFreshAddresses,
} from './features/wallets/index.ts';
import { outgoingKinds } from './outgoing-kinds.ts';
import { auditJobs, checkpointJob } from './platform/audit/checkpoint.ts';
import { startSealing } from './platform/audit/sealing.ts';
import { systemClock } from './platform/clock.ts';
import { configSchemas, readChains, readCoins, readConfig } from './platform/config/config.ts';
import { openDatabase } from './platform/database/database.ts';
import { startJobs } from './platform/jobs/jobs.ts';
import { stopAll } from './platform/jobs/loop.ts';
import { startRelay } from './platform/jobs/relay.ts';
import { sweepJob, throttleSweep } from './platform/jobs/sweeping.ts';
import { startReporting } from './platform/process/component-states.ts';
import { serveHealth } from './platform/process/health.ts';
import { createLog } from './platform/process/log.ts';
import { exitOnUncaught, runProcess } from './platform/process/process.ts';
import { shutDownWith } from './platform/process/shutdown.ts';
import { smtpMailer } from './platform/text/mail.ts';
import { loadTexts } from './platform/text/texts.ts';
import { railFamilies } from './rail-families.ts';
import { createWorkerHealth } from './worker-health.ts';

const concurrentJobs = 8;
/** Beside those that a chain's loops keep for their locks: watching, traces, balances, tending. One is the report's. */
const freeConnections = 17;
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
  const signer = createSignerClient(config.SIGNER_SOCKET);
  const following = { database, gateways, familyOf: railFamilies(chains), log };
  const sending = { ...following, signer, kinds: outgoingKinds };
  const askCheckpoint = createCheckpointClient(config.SIGNER_SOCKET);
  const sources = sourcesByFamily([evmAddresses({ xpub: config.EVM_XPUB, gasTank: config.EVM_GAS_TANK })]);
  const opening = createWalletOpening(database, sources);
  const mailing = { mailer, publicUrl: config.PUBLIC_URL };

  const jobs = [
    ...identityJobs({
      ...mailing,
      mailSecret: config.MAIL_SECRET,
      previousMailSecrets: config.MAIL_SECRET_PREVIOUS,
    }),
    ...filesJobs(createDiskStore(config.FILES_DIR)),
    ...walletOpeningJobs(opening),
    ...createOutgoingJobs({ database, kinds: outgoingKinds, rails: [createChainRail(sending)] }),
    ...riskJobs(),
    ...transactionNoticeJobs(),
    ...alertJobs(),
    ...noticeJobs(mailing),
    ...operatorJobs({
      mailer,
      secrets: [config.OPERATOR_MAIL_SECRET ?? [], config.OPERATOR_MAIL_SECRET_PREVIOUS].flat(),
    }),
    ...auditJobs(askCheckpoint),
  ];
  const cronJobs = [
    sweepJob([throttleSweep, ...identitySweeps, filesSweep]),
    checkpointJob(askCheckpoint),
    openMissingJob(opening),
    fillValuesJob(),
    expireAndRemindJob(subjectsByKind(approvalSubjects(systemClock, chainFamilies, {}))),
    digestJob(),
    keepFlowsJob(),
  ];
  const runner = await startJobs({ database, log, concurrency: concurrentJobs }, jobs, cronJobs);
  const relay = startRelay(database, jobs, log);
  const sealing = startSealing(database, log);
  // A coin or chain that was added shows at once, not at the next full minute.
  await opening
    .openMissing()
    .catch((error: unknown) => log.warn({ err: error }, 'wallets are opened by the next round'));
  const listener = withFreshAddresses(createChainListener(following), { database, sources, chains });
  const watchers = startWatchers({ database, gateways, listener, log }, chains);
  const contractCoins = startContractCoins(
    following,
    chains.filter(({ family }) => family === 'evm').map(({ id }) => id),
  );
  const tending = startTending(sending, chains);
  const indexing = startIndexing(database, log);
  const prices = startRatePoller({
    database,
    source: createCoinGecko({
      url: config.PRICES_URL,
      apiKey: config.PRICES_API_KEY,
      coins: readCoins(config.CHAINS_FILE),
    }),
    log,
  });
  const signerSocket = config.SIGNER_SOCKET;
  const filesDirectory = config.FILES_DIR;
  const health = createWorkerHealth({ database, chains, gateways, mailer, signerSocket, filesDirectory });
  const healthServer = await serveHealth(config.WORKER_HTTP_PORT, health, log);
  const reporting = startReporting(database, health, log);
  log.info({ chains: [...gateways.keys()] }, 'working');

  // Not drained: another worker takes over what this one gives back.
  shutDownWith(log, { health, drainMs: 0 }, [
    () => stopAll([watchers, contractCoins, tending, indexing, prices]),
    () => stopAll([relay, sealing, reporting]),
    () => runner.stop(),
    () => healthServer.close(),
    async () => mailer.close(),
    () => database.close(),
  ]);
});
