import { calls } from '@causeway/contract/calls.ts';
import { getServiceStatus, getSupport } from '@causeway/contract/live.ts';
import type { FastifyInstance } from 'fastify';
import { approvalSubjects } from './approval-subjects.ts';
import { auditNames } from './audit-names.ts';
import { registerAlertsRoutes } from './features/alerts/index.ts';
import {
  type Applying,
  type ApprovalSubject,
  approvalsControls,
  bankPayeeApproval,
  countRulesNaming,
  createOpenWork,
  createSecondPerson,
  describeDecision,
  describeReview,
  payeeApproval,
  registerApprovalsRoutes,
  startApplyingChanges,
} from './features/approvals/index.ts';
import { registerBankWebhooks } from './features/banks/index.ts';
import {
  batchesOfRuns,
  createRunQueue,
  createRunSubject,
  describeRun,
  type RunQueue,
  registerBatchRoutes,
  registerBatchRunRoutes,
  registerTemplateRoutes,
  rowKindsByType,
  startTemplateTurns,
  type TemplateTurns,
} from './features/batches/index.ts';
import {
  type CardPorts,
  cardControls,
  countCardRulesNaming,
  describeCardSubject,
  noIssuer,
  registerCardHooks,
  registerCardRoutes,
} from './features/cards/index.ts';
import { type ChainFamilies, type CodeReader, findChains, isOwnAddress } from './features/chains/index.ts';
import { registerCollectionRoutes, registerPayPages } from './features/collections/index.ts';
import {
  describeExchangeSubject,
  describeStandingSubject,
  type LimitOrders,
  registerExchangeRoutes,
  startLimitOrders,
  startStandingTurns,
} from './features/exchange/index.ts';
import { createDiskStore, registerFilesRoutes } from './features/files/index.ts';
import { registerHomeRoutes } from './features/home/index.ts';
import { createIdentity, findCompanyName, registerIdentityRoutes } from './features/identity/index.ts';
import { registerNoticesRoutes } from './features/notices/index.ts';
import {
  describePlace,
  findCodeRecipients,
  organisationControls,
  registerOrganisationRoutes,
} from './features/organisation/index.ts';
import { registerOtcRoutes } from './features/otc/index.ts';
import { type PayeesPorts, registerPayeesRoutes } from './features/payees/index.ts';
import {
  describeCryptoPayoutSubject,
  describePayoutSubject,
  registerPaymentRoutes,
} from './features/payments/index.ts';
import { registerRatesRoutes } from './features/rates/index.ts';
import {
  countPoliciesNaming,
  isBlacklisted,
  listControls,
  policyControls,
  registerRiskRoutes,
} from './features/risk/index.ts';
import { registerStatementRoutes } from './features/statements/index.ts';
import {
  describeTradeSubject,
  registerTradeHooks,
  registerTradeRoutes,
  tradesOfLines,
} from './features/trades/index.ts';
import { countTransfersTo, findDealtWith, registerTransactionRoutes } from './features/transactions/index.ts';
import { describeTransferSubject, registerTransferRoutes } from './features/transfers/index.ts';
import { findHeldAssets, registerWalletsRoutes } from './features/wallets/index.ts';
import { describeWebhookSubject, type Resolve, registerWebhookRoutes, sealingKeys } from './features/webhooks/index.ts';
import { registerAuditRoutes } from './platform/audit/routes.ts';
import { type BatchLimits, defaultBatchLimits } from './platform/batching.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import {
  type MainConfig,
  type SupportConfig,
  supportOf,
  type TradeEventsConfig,
  tradeEventSecretsOf,
  type WebhookConfig,
  webhookRulesOf,
} from './platform/config/config.ts';
import type { IssuerConfig } from './platform/config/issuer.ts';
import { createOpenSeal, createSeal } from './platform/crypto/seal.ts';
import type { Database } from './platform/database/database.ts';
import { createApp } from './platform/http/app.ts';
import { handleUnknownAddresses } from './platform/http/failure.ts';
import { defaultHttpLimits, type HttpLimits } from './platform/http/http-limits.ts';
import type { LiveHub } from './platform/http/live.ts';
import { registerLiveRoutes } from './platform/http/live-stream.ts';
import { registerDocumentation } from './platform/http/openapi.ts';
import { keepRequestLog, type RequestLog } from './platform/http/request-log.ts';
import { type Http, route } from './platform/http/route.ts';
import { readInlineHashes, registerWebApp } from './platform/http/web-app.ts';
import { createHealth, type Health, registerHealth } from './platform/process/health.ts';
import { databaseCheck, fileStoreCheck, migrationsCheck } from './platform/process/health-checks.ts';
import type { Log } from './platform/process/log.ts';
import { turnSize } from './platform/turns.ts';
import { transactionParts } from './transaction-parts.ts';

export interface MainParts {
  config: Pick<
    MainConfig,
    | 'APP_SECRET'
    | 'MAIL_SECRET'
    | 'WEBHOOK_SECRET'
    | 'PASSWORD_KEY'
    | 'PASSWORD_MAX_LENGTH'
    | 'AUTHORISATION_KEY'
    | 'FILES_DIR'
    | 'PUBLIC_URL'
    | 'WEB_DIR'
    | 'TRUSTED_PROXIES'
  > &
    Partial<
      Pick<
        MainConfig,
        | 'APP_SECRET_PREVIOUS'
        | 'WEBHOOK_SECRET_PREVIOUS'
        | 'PASSWORD_KEY_PREVIOUS'
        | 'AUTHORISATION_PUBLIC_KEY_PREVIOUS'
      >
    > &
    Partial<WebhookConfig> &
    Partial<TradeEventsConfig> &
    Pick<IssuerConfig, 'ISSUER_URL'> &
    SupportConfig;
  database: Database;
  log: Log;
  hub: LiveHub;
  limits?: HttpLimits;
  /** Of submissions that are served together. */
  batches?: BatchLimits;
  /** The rows of a larger batch are entered after it was answered. */
  rowsAtOnce?: number;
  /** The families of chains, by name. */
  families: ChainFamilies;
  /** What is at an address of a chain. */
  readCode: CodeReader;
  /** Secrets of the events of each bank that sends some. */
  bankSecrets?: ReadonlyMap<string, readonly string[]>;
  /** The card issuer; absent: none is connected. */
  cards?: CardPorts;
  clock?: Clock;
  /** Of the names that webhooks lead to; absent: the system's. */
  resolve?: Resolve;
  health?: Health;
}

/** The page on which the issuer shows a card's number in a frame of its own. */
const cardNumberPage = /^\/app\/wallet\/credit-card\/[0-9a-f-]{36}\/number$/;

/** The HTTP process, put together: platform, then the features in their order, then the web app around them. */
export async function composeMain(parts: MainParts): Promise<FastifyInstance> {
  const { app, applying, planned, templates, queue, requests } = await composeParts(parts);
  runWhileListening(app, () => startApplyingChanges(applying));
  runWhileListening(app, () => startLimitOrders(planned));
  runWhileListening(app, () => startStandingTurns(planned));
  runWhileListening(app, () => startTemplateTurns(templates));
  runWhileListening(app, () => queue.start());
  runWhileListening(app, () => requests.start(parts.log));
  return app;
}

/** The same before any loop starts: `applying` makes the changes of controls that are due, `planned` the planned exchanges, `templates` the batches of schedules, `queue` enters the rows of large batches, `requests` writes down what was asked. */
export async function composeParts({
  config,
  database,
  log,
  hub,
  limits = defaultHttpLimits,
  batches = defaultBatchLimits,
  rowsAtOnce = turnSize,
  families,
  readCode,
  bankSecrets = new Map(),
  cards = noIssuer,
  clock = systemClock,
  resolve,
  health = createHealth(),
}: MainParts): Promise<{
  app: FastifyInstance;
  applying: Applying;
  planned: LimitOrders;
  templates: TemplateTurns;
  queue: RunQueue;
  requests: RequestLog;
}> {
  const app = await createApp({
    log,
    trustedProxies: config.TRUSTED_PROXIES,
    isHttps: config.PUBLIC_URL.startsWith('https:'),
    limits,
    inlineHashes: readInlineHashes(config.WEB_DIR),
    framing:
      config.ISSUER_URL === undefined
        ? undefined
        : { pages: cardNumberPage, origin: new URL(config.ISSUER_URL).origin },
  });
  const requests = keepRequestLog(app, database);
  // Filled below: what is approved ends by use cases that are put together with it.
  const subjects = new Map<string, ApprovalSubject>();
  const identity = await createIdentity({
    database,
    appSecret: config.APP_SECRET,
    previousAppSecrets: config.APP_SECRET_PREVIOUS ?? [],
    mailSecret: config.MAIL_SECRET,
    passwordKey: config.PASSWORD_KEY,
    previousPasswordKeys: config.PASSWORD_KEY_PREVIOUS ?? [],
    passwordMaxLength: config.PASSWORD_MAX_LENGTH,
    publicUrl: config.PUBLIC_URL,
    confirmed: {
      transfer: { describe: describeTransferSubject, goesToRecipients: true },
      payout: { describe: describePayoutSubject, goesToRecipients: true },
      cryptoPayout: { describe: describeCryptoPayoutSubject, goesToRecipients: true },
      exchange: { describe: describeExchangeSubject, goesToRecipients: true },
      standingOrder: { describe: describeStandingSubject, goesToRecipients: true },
      batch: { describe: describeRun(families, clock), goesToRecipients: true },
      trade: { describe: describeTradeSubject, goesToRecipients: true },
      card: { describe: describeCardSubject, goesToRecipients: false },
      decision: { describe: describeDecision(subjects), goesToRecipients: false },
      review: { describe: describeReview, goesToRecipients: false },
      webhook: { describe: describeWebhookSubject, goesToRecipients: false },
    },
    describePlace,
    findCodeRecipients,
    clock,
  });
  const seal = createSeal(config.AUTHORISATION_KEY);
  const tradeSecrets = tradeEventSecretsOf(config);
  const http: Http = { app, authenticate: identity.authenticate, database, clock, batches };

  registerIdentityRoutes(http, identity);
  const secondPerson = createSecondPerson(clock);
  const organisation = {
    issueActivation: identity.issueActivation,
    openWork: [createOpenWork(subjects)],
    uses: [
      { of: 'rules' as const, count: countRulesNaming },
      { of: 'policies' as const, count: countPoliciesNaming },
      { of: 'cardRules' as const, count: countCardRulesNaming },
    ],
    secondPerson,
  };
  const controls = {
    ...organisationControls({ ...organisation, clock }),
    ...listControls(families),
    ...policyControls,
    ...approvalsControls,
    ...cardControls(cards),
  };
  for (const subject of approvalSubjects(clock, families, controls, seal)) subjects.set(subject.kind, subject);
  registerOrganisationRoutes(http, organisation);
  const objects = createDiskStore(config.FILES_DIR);
  registerFilesRoutes(http, { objects });
  registerNoticesRoutes(http);
  registerRatesRoutes(http, findHeldAssets);
  await registerBankWebhooks({ app, database, clock, secrets: bankSecrets });
  const payees: PayeesPorts = {
    families,
    findChains,
    isOwnAddress,
    countTransfersTo,
    findDealtWith,
    isBlacklisted: (tx, kind, address) => isBlacklisted(tx, families, kind, address),
    approval: payeeApproval,
    bankApproval: bankPayeeApproval,
    readCode,
  };
  registerPayeesRoutes(http, payees);
  registerWalletsRoutes(http, { families, tradesOfLines, batchesOfRuns });
  registerTransactionRoutes(http, {
    ...transactionParts,
    companyName: findCompanyName,
  });
  registerStatementRoutes(http, { companyName: findCompanyName });
  registerRiskRoutes(http, { secondPerson, families });
  registerApprovalsRoutes(http, {
    subjects,
    verifyCode: (tx, request) => identity.verifyTransactionCode(tx, { ...request, subject: 'decision' }),
    seal,
  });
  registerTransferRoutes(http, {
    openProofs: identity.openProofs,
    seal,
    families,
  });
  registerAlertsRoutes(http);
  const webhookKeys = sealingKeys(config.WEBHOOK_SECRET, config.WEBHOOK_SECRET_PREVIOUS);
  registerWebhookRoutes(http, {
    verifyWebhookCode: (tx, request) => identity.verifyTransactionCode(tx, { ...request, subject: 'webhook' }),
    keys: () => webhookKeys,
    rules: webhookRulesOf(config),
    ...(resolve ? { resolve } : {}),
  });
  registerPaymentRoutes(http, { openProofs: identity.openProofs, seal, families });
  registerExchangeRoutes(http, {
    openProofs: identity.openProofs,
    seal,
    verifyStandingCode: (tx, request) => identity.verifyTransactionCode(tx, { ...request, subject: 'standingOrder' }),
  });
  registerTradeRoutes(http, {
    openProofs: identity.openProofs,
    seal,
    families,
    verifyTradeCode: (tx, request) => identity.verifyTransactionCode(tx, { ...request, subject: 'trade' }),
    isConnected: async () => tradeSecrets.length > 0,
  });
  await registerTradeHooks({ app, database, families, clock, secrets: tradeSecrets });
  registerCollectionRoutes(http, { openProofs: identity.openProofs, seal, families, publicUrl: config.PUBLIC_URL });
  registerPayPages({ app, database, families, clock, publicUrl: config.PUBLIC_URL });
  registerCardRoutes(http, {
    ...cards,
    objects,
    secondPerson,
    verifyCardCode: (tx, request) => identity.verifyTransactionCode(tx, { ...request, subject: 'card' }),
  });
  await registerCardHooks({ app, database, clock, log, ...cards });
  registerBatchRoutes(http, { ...payees, objects });
  registerTemplateRoutes(http);
  registerOtcRoutes(http);
  const queue = createRunQueue({
    ...{ database, log, seal, kinds: rowKindsByType(families), subject: createRunSubject(families) },
    openSeal: createOpenSeal(config.AUTHORISATION_KEY, ...(config.AUTHORISATION_PUBLIC_KEY_PREVIOUS ?? [])),
  });
  database.whenQueued(queue.enter);
  app.addHook('onClose', () => queue.settled());
  registerBatchRunRoutes(http, { openProofs: identity.openProofs, seal, families, rowsAtOnce, queue });
  registerHomeRoutes(http);
  registerLiveRoutes(http, { hub, sessionEndsIn: identity.sessionEndsIn });
  registerAuditRoutes(http, { names: auditNames });

  await registerDocumentation(app, calls);
  for (const check of [databaseCheck(database), migrationsCheck(database), fileStoreCheck(config.FILES_DIR)]) {
    health.register(check);
  }
  registerHealth(app, health);
  route.open(http, getServiceStatus, 'no session', async () => ({ available: await health.hasWhatItNeeds() }));
  route.open(http, getSupport, 'no session', async () => supportOf(config));
  if (config.WEB_DIR === undefined) handleUnknownAddresses(app);
  else await registerWebApp(app, config.WEB_DIR);
  return {
    app,
    applying: { database, subjects, log, clock },
    planned: { database, seal, log },
    templates: { database, families, clock, log },
    queue,
    requests,
  };
}

/** A loop that runs from the first request that the process could be asked until it closes. */
function runWhileListening(app: FastifyInstance, start: () => { stop(): Promise<void> }): void {
  let loop: { stop(): Promise<void> } | null = null;
  app.addHook('onListen', async () => {
    loop = start();
  });
  app.addHook('onClose', async () => {
    await loop?.stop();
  });
}
