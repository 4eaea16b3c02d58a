import { getServiceStatus } from '@causeway/contract/live.ts';
import { operatorCalls } from '@causeway/contract/operator-calls.ts';
import { getSupportShown } from '@causeway/contract/operator-health.ts';
import type { FastifyInstance } from 'fastify';
import { auditNames } from './audit-names.ts';
import type { ChainFamilies } from './features/chains/index.ts';
import { createDiskStore } from './features/files/index.ts';
import {
  authenticateOperator,
  createConsole,
  findCompanyNames,
  findStaffNames,
  registerAnnouncementRoutes,
  registerBeginningLooks,
  registerCompanyRoutes,
  registerConsoleRoutes,
  registerDeskRoutes,
  registerExceptionRoutes,
  registerFreezingRoutes,
  registerHealthRoutes,
  registerOperatorBankRoutes,
  registerOperatorExchangeRoutes,
  registerOperatorTradeRoutes,
  registerOperatorTransactionRoutes,
  registerPricingRoutes,
  registerQueueRoutes,
  registerSolvencyRoutes,
  registerTreasuryRoutes,
} from './features/operator/index.ts';
import { registerOperatorAuditRoutes } from './platform/audit/routes.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { type OperatorMainConfig, type SupportConfig, supportOf } from './platform/config/config.ts';
import type { Database } from './platform/database/database.ts';
import { createApp } from './platform/http/app.ts';
import { handleUnknownAddresses } from './platform/http/failure.ts';
import { defaultHttpLimits, type HttpLimits } from './platform/http/http-limits.ts';
import { registerDocumentation } from './platform/http/openapi.ts';
import { type Http, route } from './platform/http/route.ts';
import { readInlineHashes, registerWebApp } from './platform/http/web-app.ts';
import { createHealth, type Health, registerHealth } from './platform/process/health.ts';
import { databaseCheck, fileStoreCheck, migrationsCheck } from './platform/process/health-checks.ts';
import type { Log } from './platform/process/log.ts';
import { transactionParts } from './transaction-parts.ts';

export interface OperatorParts {
  config: Pick<
    OperatorMainConfig,
    | 'OPERATOR_SECRET'
    | 'OPERATOR_MAIL_SECRET'
    | 'OPERATOR_AUTHORISATION_KEY'
    | 'OPERATOR_PASSWORD_KEY'
    | 'OPERATOR_URL'
    | 'OPERATOR_WEB_DIR'
    | 'OPERATOR_FILES_DIR'
    | 'PASSWORD_MAX_LENGTH'
    | 'TRUSTED_PROXIES'
  > &
    Partial<
      Pick<OperatorMainConfig, 'OPERATOR_SECRET_PREVIOUS' | 'OPERATOR_PASSWORD_KEY_PREVIOUS' | 'OPERATOR_LOOK_URL'>
    > &
    SupportConfig;
  /** Connected as causeway_console. */
  database: Database;
  families: ChainFamilies;
  log: Log;
  limits?: HttpLimits;
  clock?: Clock;
  health?: Health;
}

/** The process of the operator's console, put together: the platform of the companies' process, and none of its calls. */
export async function composeOperator({
  config,
  database,
  families,
  log,
  limits = defaultHttpLimits,
  clock = systemClock,
  health = createHealth(),
}: OperatorParts): Promise<FastifyInstance> {
  const app = await createApp({
    log,
    trustedProxies: config.TRUSTED_PROXIES,
    isHttps: config.OPERATOR_URL.startsWith('https:'),
    limits,
    inlineHashes: readInlineHashes(config.OPERATOR_WEB_DIR),
  });
  const core = await createConsole({
    database,
    secret: config.OPERATOR_SECRET,
    previousSecrets: config.OPERATOR_SECRET_PREVIOUS ?? [],
    mailSecret: config.OPERATOR_MAIL_SECRET,
    authorisationKey: config.OPERATOR_AUTHORISATION_KEY,
    passwordKey: config.OPERATOR_PASSWORD_KEY,
    previousPasswordKeys: config.OPERATOR_PASSWORD_KEY_PREVIOUS ?? [],
    passwordMaxLength: config.PASSWORD_MAX_LENGTH,
    url: config.OPERATOR_URL,
    clock,
  });
  const http: Http = { app, side: 'operator', authenticate: authenticateOperator(database), database, clock };
  registerConsoleRoutes(http, core);
  registerQueueRoutes(http);
  registerFreezingRoutes(http, core);
  registerBeginningLooks(http, { ...core, lookUrl: config.OPERATOR_LOOK_URL ?? null });
  registerCompanyRoutes(http, { objects: createDiskStore(config.OPERATOR_FILES_DIR, 'OPERATOR_FILES_DIR') });
  registerSolvencyRoutes(http);
  registerPricingRoutes(http, core);
  registerAnnouncementRoutes(http, core);
  registerTreasuryRoutes(http, { ...core, families });
  registerOperatorBankRoutes(http, core);
  registerOperatorExchangeRoutes(http, core);
  registerDeskRoutes(http, core);
  registerOperatorTradeRoutes(http);
  registerHealthRoutes(http);
  route.operatorRead(http, getSupportShown, async () => supportOf(config));
  registerExceptionRoutes(http, core);
  registerOperatorTransactionRoutes(http, { ...transactionParts, names: auditNames });
  registerOperatorAuditRoutes(http, {
    names: {
      side: 'operator',
      people: findStaffNames,
      companyName: async () => 'Causeway Operator',
      others: findCompanyNames,
    },
  });
  await registerDocumentation(app, [...operatorCalls, getServiceStatus]);
  for (const check of [databaseCheck(database), migrationsCheck(database), fileStoreCheck(config.OPERATOR_FILES_DIR)]) {
    health.register(check);
  }
  registerHealth(app, health);
  route.open(http, getServiceStatus, 'no session', async () => ({ available: await health.hasWhatItNeeds() }));
  if (config.OPERATOR_WEB_DIR === undefined) handleUnknownAddresses(app);
  else await registerWebApp(app, config.OPERATOR_WEB_DIR);
  return app;
}
