import { addressSources } from './address-sources.ts';
import { approvalSubjects, subjectsByKind } from './approval-subjects.ts';
import { cardIssuerOf } from './card-issuer.ts';
import { chainFamiliesOf } from './chain-families.ts';
import { alertJobs, digestJob, startRateAlerts } from './features/alerts/index.ts';
import { expireAndRemindJob } from './features/approvals/index.ts';
import {
  createBankApi,
  filesGateway,
  httpAccounts,
  httpVerification,
  startBankIntake,
  useCalendarFile,
  visitedByHttp,
} from './features/banks/index.ts';
import { batchJobs, stopMissedJob } from './features/batches/index.ts';
import { cardJobs, cardRemindersJob, startCardReconciling } from './features/cards/index.ts';
import {
  type ChainGateway,
  createCheckpointClient,
  createEvmGateway,
  createGateway,
  createRegisterClient,
  createSignerClient,
  createSolvencyClient,
  sourcesByFamily,
  startWatchers,
  withComparedDecimals,
} from './features/chains/index.ts';
import { collectionJobs, noteMissedJob, tendRequestsJob } from './features/collections/index.ts';
import {
  createVenues,
  exchangeKinds,
  expiredQuotesSweep,
  startHedging,
  startPositionBooking,
} from './features/exchange/index.ts';
import { createDiskStore, filesJobs, filesSweep } from './features/files/index.ts';
import { identityJobs, identitySweeps } from './features/identity/index.ts';
import { keepFlowsJob } from './features/ledger/index.ts';
import { noticeJobs } from './features/notices/index.ts';
import {
  actJobs,
  bankActs,
  exceptionActHandlers,
  freezingActs,
  freezingJobs,
  jobDecisionJobs,
  operatorJobs,
  solvencyJob,
  startAnnouncing,
  startInstallationReports,
  startPriceNotices,
  treasuryActs,
  treasuryJobs,
  verifyingJobs,
} from './features/operator/index.ts';
import { findTimeZone } from './features/organisation/index.ts';
import { lapseRequestsJob, otcJobs } from './features/otc/index.ts';
import { createOutgoingJobs } from './features/outgoing/index.ts';
import { payeeVerificationJob } from './features/payees/index.ts';
import { payoutJobs } from './features/payments/index.ts';
import {
  applyStatuses,
  bankOrders,
  bankRailJobs,
  bitcoinLocksPerChain,
  createBankRail,
  createChainListener,
  createChainRail,
  settleMoneys,
  settlementJobs,
  startBitcoinLoops,
  startContractCoins,
  startTending,
  sweepsJob,
} from './features/rails/index.ts';
import { ratesSweep, startRatePoller } from './features/rates/index.ts';
import { riskJobs } from './features/risk/index.ts';
import { followReleasesJob, remindOfTradesJob, startTradeDelivery, tradeJobs } from './features/trades/index.ts';
import { fillValuesJob, startIndexing, transactionNoticeJobs } from './features/transactions/index.ts';
import {
  createOnReached,
  createRegisteredOpening,
  createWalletOpening,
  lateRechargesJob,
  openMissingJob,
  walletOpeningJobs,
  withFreshAddresses,
} from './features/wallets/index.ts';
import { createPost, sealingKeys, startDelivering, webhookJobs, webhooksSweep } from './features/webhooks/index.ts';
import { outgoingKindsOf } from './outgoing-kinds.ts';
import { auditJobs, checkpointJob } from './platform/audit/checkpoint.ts';
import { startSealing } from './platform/audit/sealing.ts';
import { systemClock } from './platform/clock.ts';
import { byFiles, byHttp, readBankConnections } from './platform/config/bank-connections.ts';
import { type ChainConfig, isBitcoinChain, isEvmChain, readChains } from './platform/config/chains.ts';
import { ConfigError, configSchemas, readConfig, supportOf, webhookRulesOf } from './platform/config/config.ts';
import { readLiquidity } from './platform/config/liquidity.ts';
import { readPriceSources } from './platform/config/price-sources.ts';
import { createOpenSeal } from './platform/crypto/seal.ts';
import { type Database, openDatabase } from './platform/database/database.ts';
import { requestLogSweep } from './platform/http/request-log.ts';
import { startJobs } from './platform/jobs/jobs.ts';
import { stopAll } from './platform/jobs/loop.ts';
import { startRelay } from './platform/jobs/relay.ts';
import { sweepJob, throttleSweep } from './platform/jobs/sweeping.ts';
import { startReporting } from './platform/process/component-states.ts';
import { serveHealth } from './platform/process/health.ts';
import { endHeartbeat, startHeartbeat } from './platform/process/heartbeat.ts';
import { createLog, type Log } from './platform/process/log.ts';
import { exitOnUncaught, runProcess } from './platform/process/process.ts';
import { shutDownWith } from './platform/process/shutdown.ts';
import { smtpMailer } from './platform/text/mail.ts';
import { loadTexts } from './platform/text/texts.ts';
import { railFamilies } from './rail-families.ts';
import { rateSources } from './rate-sources.ts';
import { createWorkerHealth } from './worker-health.ts';

const concurrentJobs = 8;
/** Beside those that a chain's loops keep for their locks: watching, traces, balances, tending. Two are the reports'. */
const freeConnections = 20;
const locksPerChain = 4;

async function gatewayOf(chain: ChainConfig, database: Database, log: Log): Promise<ChainGateway> {
  if (!isEvmChain(chain)) return createGateway(chain);
  return withComparedDecimals({ database, gateway: createEvmGateway(chain), chain, log });
}

/** The worker: relay, jobs, chain watchers, prices. As many as you like; a chain's watcher holds a lock. */
await runProcess(async () => {
  const config = readConfig(configSchemas.worker, process.env);
  const chains = readChains(config.CHAINS_FILE);
  const families = chainFamiliesOf(chains);
  const outgoingKinds = outgoingKindsOf(families);
  const connections = readBankConnections(config.BANK_CONNECTIONS_FILE);
  const priceSources = readPriceSources(config.PRICE_SOURCES_FILE);
  const liquidity = readLiquidity(config.LIQUIDITY_FILE);
  const apis = byHttp(connections).map((connection) => ({ connection, api: createBankApi(connection) }));
  if (connections.length > 0 && config.AUTHORISATION_PUBLIC_KEY === undefined) {
    throw new ConfigError('AUTHORISATION_PUBLIC_KEY is missing: no payment is ordered from a bank without it.');
  }
  const log = createLog('worker', config.LOG_LEVEL);
  exitOnUncaught(log);
  loadTexts();
  useCalendarFile(config.BANK_CALENDAR_FILE);
  const database = openDatabase(config.DATABASE_WORKER_URL, {
    poolSize:
      freeConnections +
      locksPerChain * chains.length +
      bitcoinLocksPerChain * chains.filter(isBitcoinChain).length +
      connections.length +
      liquidity.length,
    applicationName: 'causeway-worker',
  });
  const mailer = smtpMailer(config.SMTP_URL, config.MAIL_FROM);
  const gateways = new Map(
    await Promise.all(chains.map(async (chain) => [chain.id, await gatewayOf(chain, database, log)] as const)),
  );
  const signer = createSignerClient(config.SIGNER_SOCKET);
  const following = { database, gateways, familyOf: railFamilies(chains, config.BITCOIN_XPUB), log };
  const sending = { ...following, signer, kinds: outgoingKinds };
  const askCheckpoint = createCheckpointClient(config.SIGNER_SOCKET);
  const sources = sourcesByFamily(addressSources(config, chains));
  const openers = apis.map(({ connection, api }) => httpAccounts(connection, api));
  const verifications = apis.map(({ api }) => httpVerification(api));
  const opening = createWalletOpening(database, sources, { openers, log });
  const mailing = { mailer, publicUrl: config.PUBLIC_URL };
  const register = createRegisterClient(config.SIGNER_SOCKET);
  const collecting = { ...mailing, sources, register, clock: systemClock };

  const subjects = subjectsByKind(approvalSubjects(systemClock, families, {}));

  const sealKeys = [config.AUTHORISATION_PUBLIC_KEY ?? [], config.AUTHORISATION_PUBLIC_KEY_PREVIOUS].flat();
  const openSeal = createOpenSeal(...sealKeys);
  const bankRail = createBankRail({ database, kinds: outgoingKinds, openSeal, log });

  // Null: none is connected, and nothing is asked of one.
  const cardIssuer = cardIssuerOf(config);

  const jobs = [
    ...identityJobs({
      ...mailing,
      mailSecret: config.MAIL_SECRET,
      previousMailSecrets: config.MAIL_SECRET_PREVIOUS,
      timeZoneOf: findTimeZone,
    }),
    ...filesJobs(createDiskStore(config.FILES_DIR)),
    ...walletOpeningJobs(opening),
    ...createOutgoingJobs(
      { database, kinds: outgoingKinds, rails: [createChainRail(sending), bankRail] },
      Object.values(exchangeKinds),
    ),
    ...payoutJobs(outgoingKinds, verifications),
    ...batchJobs(outgoingKinds),
    ...riskJobs(),
    ...transactionNoticeJobs(),
    ...alertJobs(),
    ...webhookJobs(),
    ...collectionJobs(collecting),
    ...otcJobs(),
    ...tradeJobs(),
    ...cardJobs(cardIssuer),
    payeeVerificationJob(verifications),
    ...noticeJobs(mailing),
    ...operatorJobs({
      mailer,
      secrets: [config.OPERATOR_MAIL_SECRET ?? [], config.OPERATOR_MAIL_SECRET_PREVIOUS].flat(),
    }),
    ...actJobs({ ...freezingActs, ...treasuryActs, ...bankActs, ...exceptionActHandlers(sending) }),
    ...freezingJobs({ subjects, support: supportOf(config) }),
    ...treasuryJobs(),
    ...bankRailJobs(),
    ...jobDecisionJobs(),
    ...auditJobs(askCheckpoint),
  ];
  const cronJobs = [
    sweepJob([
      throttleSweep,
      requestLogSweep,
      ...identitySweeps,
      filesSweep,
      ratesSweep,
      expiredQuotesSweep,
      webhooksSweep,
    ]),
    checkpointJob(askCheckpoint),
    openMissingJob(opening),
    lateRechargesJob(),
    cardRemindersJob(),
    fillValuesJob(),
    expireAndRemindJob(subjects),
    digestJob(),
    lapseRequestsJob(),
    followReleasesJob(),
    remindOfTradesJob(),
    tendRequestsJob(collecting),
    noteMissedJob(collecting),
    stopMissedJob(outgoingKinds),
    keepFlowsJob(),
    ...settlementJobs(),
    sweepsJob(),
    solvencyJob({ gateways, ask: createSolvencyClient(config.SIGNER_SOCKET) }),
    ...verifyingJobs({ database, gateways }),
  ];
  const runner = await startJobs({ database, log, concurrency: concurrentJobs }, jobs, cronJobs);
  const relay = startRelay(database, jobs, log);
  const sealing = startSealing(database, log);
  // A coin or chain that was added shows at once, not at the next full minute.
  await opening
    .openMissing()
    .catch((error: unknown) => log.warn({ err: error }, 'wallets are opened by the next round'));
  const onReached = createOnReached({ database, sources, chains });
  const listener = withFreshAddresses(createChainListener(following), onReached);
  const beforeReading = createRegisteredOpening({ database, sources, register, log });
  const watchers = startWatchers({ database, gateways, listener, log, beforeReading }, chains);
  const contractCoins = startContractCoins(
    following,
    chains.filter(({ family }) => family === 'evm').map(({ id }) => id),
  );
  const bitcoin = startBitcoinLoops({ ...following, onReached }, chains.filter(isBitcoinChain));
  const tending = startTending(sending, chains);
  const intake = startBankIntake(
    {
      database,
      log,
      async settle(signal) {
        await applyStatuses(database, outgoingKinds, signal);
        return settleMoneys(database, signal);
      },
      orders: bankOrders(database, outgoingKinds),
    },
    [
      ...byFiles(connections).map((connection) => ({
        gateway: filesGateway(connection),
        pollIntervalMs: connection.pollIntervalMs,
      })),
      ...apis.map(({ connection, api }) => visitedByHttp(database, connection, api)),
    ],
  );
  const cards = cardIssuer === null ? [] : [startCardReconciling({ database, issuer: cardIssuer, log })];
  const booking = startPositionBooking(database, log);
  const hedging = await startHedging(database, createVenues(database, liquidity), log);
  const indexing = startIndexing(database, log);
  const announcing = startAnnouncing(database, log);
  const priceNotices = startPriceNotices(database, log);
  const sourcesOfRates = rateSources(config, priceSources);
  const prices = startRatePoller({ database, sources: sourcesOfRates, rules: priceSources, log });
  const rateAlerts = startRateAlerts(database, log);
  const delivering = startDelivering({
    database,
    keys: sealingKeys(config.WEBHOOK_SECRET, config.WEBHOOK_SECRET_PREVIOUS),
    post: createPost(webhookRulesOf(config)),
    clock: systemClock,
    log,
  });
  const { TRADE_PLATFORM_URL: url, TRADE_CONFIRMATION_SECRET: tradeSecret } = config;
  const confirmations =
    url === undefined || tradeSecret === undefined
      ? []
      : [startTradeDelivery({ database, clock: systemClock, log, url, secret: tradeSecret })];
  const signerSocket = config.SIGNER_SOCKET;
  const filesDirectory = config.FILES_DIR;
  const health = createWorkerHealth({
    ...{ database, chains, gateways, mailer, signerSocket, filesDirectory },
    priceSources: sourcesOfRates.map(({ name }) => name),
    cardIssuer,
    hasTradePlatform: confirmations.length > 0,
  });
  const healthServer = await serveHealth(config.WORKER_HTTP_PORT, health, log);
  const reporting = startReporting(database, health, log);
  const reports = startInstallationReports({
    database,
    chains,
    gateways,
    filesDirectory,
    gasTank: config.EVM_GAS_TANK,
    log,
  });
  const heartbeat = startHeartbeat(database, 'worker', log);
  log.info({ chains: [...gateways.keys()] }, 'working');

  // Not drained: another worker takes over what this one gives back.
  shutDownWith(log, { health, drainMs: 0 }, [
    () => stopAll([watchers, contractCoins, bitcoin, tending, intake, indexing, prices, booking, hedging]),
    () =>
      stopAll([
        relay,
        sealing,
        reporting,
        reports,
        announcing,
        priceNotices,
        rateAlerts,
        delivering,
        ...confirmations,
        ...cards,
      ]),
    () => endHeartbeat(database, heartbeat),
    () => runner.stop(),
    () => healthServer.close(),
    async () => mailer.close(),
    () => database.close(),
  ]);
});
