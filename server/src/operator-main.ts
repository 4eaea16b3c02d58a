import type { FastifyInstance } from 'fastify';
import { chainFamiliesOf } from './chain-families.ts';
import { composeLook } from './compose-look.ts';
import { composeOperator } from './compose-operator.ts';
import { useCalendarFile } from './features/banks/index.ts';
import type { ChainFamilies } from './features/chains/index.ts';
import { startQueue } from './features/operator/index.ts';
import { readChains } from './platform/config/chains.ts';
import {
  configSchemas,
  httpLimitsOf,
  lookConfigOf,
  type OperatorMainConfig,
  readConfig,
  supportOf,
} from './platform/config/config.ts';
import { type Database, openDatabase } from './platform/database/database.ts';
import { createHealth } from './platform/process/health.ts';
import { endHeartbeat, startHeartbeat } from './platform/process/heartbeat.ts';
import { createLog, type Log } from './platform/process/log.ts';
import { exitOnUncaught, runProcess } from './platform/process/process.ts';
import { shutDownWith } from './platform/process/shutdown.ts';
import { loadTexts } from './platform/text/texts.ts';

/** Serves looks at companies, at a port of their own, where one is configured. */
async function startLook(
  config: OperatorMainConfig,
  served: ReturnType<typeof lookConfigOf>,
  database: Database,
  families: ChainFamilies,
  log: Log,
): Promise<FastifyInstance | null> {
  if (served === null) return null;
  const { url, publicUrl, port } = served;
  const { OPERATOR_LOOK_WEB_DIR: webDir, TRUSTED_PROXIES: trustedProxies } = config;
  const support = supportOf(config);
  const look = await composeLook({ database, families, log, url, publicUrl, webDir, trustedProxies, support });
  await look.listen({ host: config.OPERATOR_HTTP_HOST, port });
  return look;
}

/** The process of the operator's console: stateless, and never on a public address. */
await runProcess(async () => {
  const config = readConfig(configSchemas.operatorMain, process.env);
  const served = lookConfigOf(config);
  const log = createLog('operator-main', config.LOG_LEVEL);
  exitOnUncaught(log);
  loadTexts();
  useCalendarFile(config.BANK_CALENDAR_FILE);
  const database = openDatabase(config.DATABASE_CONSOLE_URL, {
    poolSize: config.OPERATOR_DATABASE_POOL_SIZE,
    applicationName: 'causeway-operator-main',
  });
  const health = createHealth();
  const families = chainFamiliesOf(config.CHAINS_FILE === undefined ? [] : readChains(config.CHAINS_FILE));
  const app = await composeOperator({ config, database, families, log, health, limits: httpLimitsOf(config) });
  await app.listen({ host: config.OPERATOR_HTTP_HOST, port: config.OPERATOR_HTTP_PORT });
  const look = await startLook(config, served, database, families, log);
  const queue = startQueue(database, log);
  const heartbeat = startHeartbeat(database, 'operator-main', log);
  log.info({ port: config.OPERATOR_HTTP_PORT }, 'listening');
  shutDownWith(log, { health, drainMs: config.DRAIN_MS }, [
    () => app.close(),
    async () => look?.close(),
    () => queue.stop(),
    () => endHeartbeat(database, heartbeat),
    () => database.close(),
  ]);
});
