import { composeOperator } from './compose-operator.ts';
import { startQueue } from './features/operator/index.ts';
import { configSchemas, httpLimitsOf, readConfig } from './platform/config/config.ts';
import { openDatabase } from './platform/database/database.ts';
import { createHealth } from './platform/process/health.ts';
import { createLog } from './platform/process/log.ts';
import { exitOnUncaught, runProcess } from './platform/process/process.ts';
import { shutDownWith } from './platform/process/shutdown.ts';
import { loadTexts } from './platform/text/texts.ts';

/** The process of the operator's console: stateless, and never on a public address. */
await runProcess(async () => {
  const config = readConfig(configSchemas.operatorMain, process.env);
  const log = createLog('operator-main', config.LOG_LEVEL);
  exitOnUncaught(log);
  loadTexts();
  const database = openDatabase(config.DATABASE_CONSOLE_URL, {
    poolSize: config.OPERATOR_DATABASE_POOL_SIZE,
    applicationName: 'causeway-operator-main',
  });
  const health = createHealth();
  const app = await composeOperator({ config, database, log, health, limits: httpLimitsOf(config) });
  await app.listen({ host: config.OPERATOR_HTTP_HOST, port: config.OPERATOR_HTTP_PORT });
  const queue = startQueue(database, log);
  log.info({ port: config.OPERATOR_HTTP_PORT }, 'listening');
  shutDownWith(log, { health, drainMs: config.DRAIN_MS }, [
    () => app.close(),
    () => queue.stop(),
    () => database.close(),
  ]);
});
