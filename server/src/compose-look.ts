import { calls } from '@causeway/contract/calls.ts';
import { getServiceStatus, getSupport, type Support } from '@causeway/contract/live.ts';
import { lookOwnCalls, notInLooks } from '@causeway/contract/operator-look-rules.ts';
import type { FastifyInstance } from 'fastify';
import { approvalSubjects } from './approval-subjects.ts';
import { auditNames } from './audit-names.ts';
import { registerAlertsRoutes } from './features/alerts/index.ts';
import {
  type ApprovalSubject,
  bankPayeeApproval,
  countRulesNaming,
  createOpenWork,
  createSecondPerson,
  payeeApproval,
  registerApprovalsRoutes,
} from './features/approvals/index.ts';
import {
  batchesOfRuns,
  registerBatchReading,
  registerBatchRunRoutes,
  registerTemplateReading,
} from './features/batches/index.ts';
import { countCardRulesNaming, isCardIssuerChecked, noIssuer, registerCardRoutes } from './features/cards/index.ts';
import { type ChainFamilies, findChains, isOwnAddress } from './features/chains/index.ts';
import { registerCollectionRoutes } from './features/collections/index.ts';
import { registerExchangeRoutes } from './features/exchange/index.ts';
import { registerHomeRoutes } from './features/home/index.ts';
import { findCompanyName } from './features/identity/index.ts';
import { registerNoticesRoutes } from './features/notices/index.ts';
import {
  authenticateLook,
  isServedInLooks,
  registerLookOwnRoutes,
  registerLookPage,
} from './features/operator/index.ts';
import { registerOrganisationRoutes } from './features/organisation/index.ts';
import { registerOtcRoutes } from './features/otc/index.ts';
import { registerPayeesRoutes } from './features/payees/index.ts';
import { registerPaymentRoutes } from './features/payments/index.ts';
import { registerRatesRoutes } from './features/rates/index.ts';
import { countPoliciesNaming, isBlacklisted, registerRiskRoutes } from './features/risk/index.ts';
import { registerStatementRoutes } from './features/statements/index.ts';
import { isTradePlatformChecked, registerTradeRoutes, tradesOfLines } from './features/trades/index.ts';
import { countTransfersTo, findDealtWith, registerTransactionRoutes } from './features/transactions/index.ts';
import { registerTransferRoutes } from './features/transfers/index.ts';
import { findHeldAssets, registerWalletsRoutes } from './features/wallets/index.ts';
import { registerWebhookRoutes } from './features/webhooks/index.ts';
import { registerAuditRoutes } from './platform/audit/routes.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { webhookRulesOf } from './platform/config/config.ts';
import type { Database } from './platform/database/database.ts';
import { DomainError, invariant } from './platform/domain-error.ts';
import { createApp } from './platform/http/app.ts';
import { handleUnknownAddresses, sendFailure } from './platform/http/failure.ts';
import { defaultHttpLimits, type HttpLimits } from './platform/http/http-limits.ts';
import { type Http, route } from './platform/http/route.ts';
import { readInlineHashes, registerWebApp } from './platform/http/web-app.ts';
import type { Log } from './platform/process/log.ts';
import { transactionParts } from './transaction-parts.ts';

export interface LookParts {
  /** Connected as causeway_console. */
  database: Database;
  families: ChainFamilies;
  log: Log;
  /** Where the operator's people open looks. */
  url: string;
  /** Where companies and their payers reach the installation: links in a look lead there. */
  publicUrl: string;
  /** The companies' built web app. */
  webDir?: string | undefined;
  trustedProxies: readonly string[];
  support?: Support;
  limits?: HttpLimits;
  clock?: Clock;
}

/**
 * What an operator sees of a company as its administrator does: the companies' web app, with their reading calls and no other, at an
 * origin of its own. Each call opens a READ ONLY transaction with the role `causeway_look`, which the company's fence holds. It has no
 * key of the companies' processes: what would need one is not served.
 */
export async function composeLook({
  database,
  families,
  log,
  url,
  publicUrl,
  webDir,
  trustedProxies,
  support = { email: null, phone: null },
  limits = defaultHttpLimits,
  clock = systemClock,
}: LookParts): Promise<FastifyInstance> {
  const inlineHashes = readInlineHashes(webDir);
  const app = await createApp({ log, trustedProxies, isHttps: url.startsWith('https:'), limits, inlineHashes });
  app.addHook('onRequest', (request, reply, done) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead || lookOwnCalls.has(request.routeOptions.config.call?.name ?? '')) done();
    else sendFailure(request, reply, new DomainError('lookReadOnly'));
  });
  const look = lookingInto(database);
  const http: Http = { app, authenticate: authenticateLook(database), database: look, clock, serves: isServedInLooks };
  registerLookOwnRoutes(http, { console: database, look });
  registerReadings(http, families, publicUrl);
  refuseLeftOut(app);
  route.open({ ...http, serves: () => true }, getServiceStatus, 'no session', async () => ({ available: true }));
  route.open({ ...http, serves: () => true }, getSupport, 'no session', async () => support);
  registerLookPage(app);
  if (webDir === undefined) handleUnknownAddresses(app);
  else await registerWebApp(app, webDir);
  return app;
}

/** A reading call that looks do not serve says so, rather than that there is no such address. */
function refuseLeftOut(app: FastifyInstance): void {
  for (const { name, method, path } of calls) {
    if (method !== 'GET' || !(name in notInLooks)) continue;
    const url = path.replaceAll(/\{(\w+)\}/g, ':$1');
    app.get(url, async (request, reply) => sendFailure(request, reply, new DomainError('lookNotServed')));
  }
}

/** The companies' features, as `compose.ts` puts them together; what only a change would use is not there. */
function registerReadings(http: Http, families: ChainFamilies, publicUrl: string): void {
  const { clock } = http;
  const subjects = new Map<string, ApprovalSubject>();
  const secondPerson = createSecondPerson(clock);
  for (const subject of approvalSubjects(clock, families, {})) subjects.set(subject.kind, subject);
  registerOrganisationRoutes(http, {
    issueActivation: changes,
    openWork: [createOpenWork(subjects)],
    uses: [
      { of: 'rules', count: countRulesNaming },
      { of: 'policies', count: countPoliciesNaming },
      { of: 'cardRules', count: countCardRulesNaming },
    ],
    secondPerson,
  });
  registerNoticesRoutes(http);
  registerRatesRoutes(http, findHeldAssets);
  registerPayeesRoutes(http, {
    families,
    findChains,
    isOwnAddress,
    countTransfersTo,
    findDealtWith,
    isBlacklisted: (tx, kind, address) => isBlacklisted(tx, families, kind, address),
    approval: payeeApproval,
    bankApproval: bankPayeeApproval,
    // No node is asked: what is kept of the address is shown.
    readCode: async () => 'unknown',
  });
  registerWalletsRoutes(http, { families, tradesOfLines, batchesOfRuns });
  registerTransactionRoutes(http, {
    companyName: findCompanyName,
    ...transactionParts,
  });
  registerStatementRoutes(http, { companyName: findCompanyName });
  registerRiskRoutes(http, { secondPerson, families });
  registerApprovalsRoutes(http, { subjects, verifyCode: changes, seal: changes });
  registerTransferRoutes(http, { openProofs: changes, seal: changes, families });
  registerPaymentRoutes(http, { openProofs: changes, seal: changes, families });
  registerExchangeRoutes(http, { openProofs: changes, seal: changes, verifyStandingCode: changes });
  const trades = { verifyTradeCode: changes, isConnected: isTradePlatformChecked };
  registerCardRoutes(http, {
    ...noIssuer,
    isConnected: isCardIssuerChecked,
    objects: { put: changes, get: changes, remove: changes },
    secondPerson,
    verifyCardCode: changes,
  });
  registerTradeRoutes(http, { openProofs: changes, seal: changes, families, ...trades });
  registerCollectionRoutes(http, { openProofs: changes, seal: changes, families, publicUrl });
  registerBatchReading(http);
  registerTemplateReading(http);
  registerBatchRunRoutes(http, {
    openProofs: changes,
    seal: changes,
    families,
    rowsAtOnce: 0,
    queue: { wake: changes },
  });
  registerOtcRoutes(http);
  registerAlertsRoutes(http);
  registerWebhookRoutes(http, { verifyWebhookCode: changes, keys: changes, rules: webhookRulesOf({}) });
  registerHomeRoutes(http);
  registerAuditRoutes(http, { names: auditNames });
}

function changes(): never {
  return invariant(false, 'a look changes nothing') as never;
}

/** The database as the role that looks has it: of one company, and for reading. */
function lookingInto(database: Database): Database {
  return {
    ...database,
    withCompany: (companyId, work, options = {}) =>
      database.withCompany(companyId, work, { ...options, readOnly: true, asLook: true }),
    withCompanies: changes,
    withoutCompany: changes,
  };
}
