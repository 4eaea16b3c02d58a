import { getServiceStatus } from '@causeway/contract/live.ts';
import type { FastifyInstance } from 'fastify';
import {
  type Applying,
  approvalsControls,
  countRulesOfRole,
  createSecondPerson,
  describeDecision,
  describeReview,
  openWork,
  registerApprovalsRoutes,
  startApplyingChanges,
} from './features/approvals/index.ts';
import { type CodeReader, findChains, findOwnAddress } from './features/chains/index.ts';
import { createDiskStore, createFilesService, registerFilesRoutes } from './features/files/index.ts';
import { createIdentity, findCompanyName, findMemberNames, registerIdentityRoutes } from './features/identity/index.ts';
import { registerNoticesRoutes } from './features/notices/index.ts';
import {
  describePlace,
  findCodeRecipients,
  organisationControls,
  registerOrganisationRoutes,
} from './features/organisation/index.ts';
import { createPayeesService, registerPayeesRoutes } from './features/payees/index.ts';
import { registerRatesRoutes } from './features/rates/index.ts';
import { isBlacklisted, listControls, policyControls, registerRiskRoutes } from './features/risk/index.ts';
import {
  countTransfersTo,
  describeTransferSubject,
  findDealtWith,
  registerTransferRoutes,
  transferSubject,
} from './features/transfers/index.ts';
import { registerWalletsRoutes } from './features/wallets/index.ts';
import { createApp } from './platform/app.ts';
import { registerAuditRoutes } from './platform/audit/routes.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import type { MainConfig } from './platform/config.ts';
import type { Database } from './platform/database.ts';
import { handleUnknownAddresses } from './platform/failure.ts';
import { createHealth, type Health, registerHealth } from './platform/health.ts';
import { databaseCheck, fileStoreCheck, migrationsCheck } from './platform/health-checks.ts';
import { type Http, route } from './platform/http.ts';
import { defaultHttpLimits, type HttpLimits } from './platform/http-limits.ts';
import type { LiveHub } from './platform/live.ts';
import { registerLiveRoutes } from './platform/live-stream.ts';
import type { Log } from './platform/log.ts';
import { registerDocumentation } from './platform/openapi.ts';
import { createSeal } from './platform/seal.ts';
import { readInlineHashes, registerWebApp } from './platform/web-app.ts';

export interface MainParts {
  config: Pick<
    MainConfig,
    | 'APP_SECRET'
    | 'MAIL_SECRET'
    | 'PASSWORD_KEY'
    | 'PASSWORD_MAX_LENGTH'
    | 'AUTHORISATION_KEY'
    | 'FILES_DIR'
    | 'PUBLIC_URL'
    | 'WEB_DIR'
    | 'TRUSTED_PROXIES'
  > &
    Partial<Pick<MainConfig, 'APP_SECRET_PREVIOUS' | 'PASSWORD_KEY_PREVIOUS'>>;
  database: Database;
  log: Log;
  hub: LiveHub;
  limits?: HttpLimits;
  /** What is at an address of a chain. */
  readCode: CodeReader;
  clock?: Clock;
  health?: Health;
}

/** The HTTP process, put together: platform, then the features in their order, then the web app around them. */
export async function composeMain(parts: MainParts): Promise<FastifyInstance> {
  const { app, applying } = await composeParts(parts);
  runWhileListening(app, () => startApplyingChanges(applying));
  return app;
}

/** The same before anything runs by itself: `applying` makes the changes of controls that are due. */
export async function composeParts({
  config,
  database,
  log,
  hub,
  limits = defaultHttpLimits,
  readCode,
  clock = systemClock,
  health = createHealth(),
}: MainParts): Promise<{ app: FastifyInstance; applying: Applying }> {
  const app = await createApp({
    log,
    trustedProxies: config.TRUSTED_PROXIES,
    isHttps: config.PUBLIC_URL.startsWith('https:'),
    limits,
    inlineHashes: readInlineHashes(config.WEB_DIR),
  });
  const identity = await createIdentity({
    database,
    appSecret: config.APP_SECRET,
    previousAppSecrets: config.APP_SECRET_PREVIOUS ?? [],
    mailSecret: config.MAIL_SECRET,
    passwordKey: config.PASSWORD_KEY,
    previousPasswordKeys: config.PASSWORD_KEY_PREVIOUS ?? [],
    passwordMaxLength: config.PASSWORD_MAX_LENGTH,
    publicUrl: config.PUBLIC_URL,
    describeSubject: { transfer: describeTransferSubject, decision: describeDecision, review: describeReview },
    describePlace,
    findCodeRecipients,
    clock,
  });
  const seal = createSeal(config.AUTHORISATION_KEY);
  const http: Http = { app, authenticate: identity.authenticate };

  registerIdentityRoutes(http, identity);
  const secondPerson = createSecondPerson(clock);
  const organisation = {
    database,
    clock,
    issueActivation: identity.issueActivation,
    openWork: [openWork],
    roleUses: [countRulesOfRole],
    secondPerson,
  };
  const controls = { ...organisationControls(organisation), ...listControls, ...policyControls, ...approvalsControls };
  registerOrganisationRoutes(http, organisation);
  registerFilesRoutes(http, { files: createFilesService({ database, objects: createDiskStore(config.FILES_DIR) }) });
  registerNoticesRoutes(http, { database });
  registerRatesRoutes(http, { database, clock });
  registerPayeesRoutes(http, {
    payees: createPayeesService({
      database,
      ports: { findChains, findOwnAddress, countTransfersTo, findDealtWith, isBlacklisted, readCode },
    }),
  });
  registerWalletsRoutes(http, { database, clock });
  registerRiskRoutes(http, { database, clock, secondPerson });
  registerApprovalsRoutes(http, {
    database,
    subjects: { transfer: transferSubject },
    verifyCode: (tx, request) => identity.verifyTransactionCode(tx, { ...request, subject: 'decision' }),
    seal,
    clock,
    controls,
  });
  registerTransferRoutes(http, {
    database,
    verifyCode: (tx, request) => identity.verifyTransactionCode(tx, { ...request, subject: 'transfer' }),
    seal,
    clock,
    companyName: findCompanyName,
  });
  registerLiveRoutes(http, { hub, sessionEndsIn: identity.sessionEndsIn });
  registerAuditRoutes(http, {
    database,
    names: { people: findMemberNames, companyName: findCompanyName },
  });

  await registerDocumentation(app);
  for (const check of [databaseCheck(database), migrationsCheck(database), fileStoreCheck(config.FILES_DIR)]) {
    health.register(check);
  }
  registerHealth(app, health);
  route(http, getServiceStatus, async () => ({ available: await health.hasWhatItNeeds() }));
  if (config.WEB_DIR === undefined) handleUnknownAddresses(app);
  else await registerWebApp(app, config.WEB_DIR);
  return { app, applying: { database, controls, log, clock } };
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
