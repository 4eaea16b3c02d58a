import { composeMain } from './compose.ts';
import { createCodeReader } from './features/chains/index.ts';
import { configSchemas, httpLimitsOf, readChains, readConfig } from './platform/config.ts';
import { openDatabase } from './platform/database.ts';
import { createHealth } from './platform/health.ts';
import { LiveHub, startLive } from './platform/live.ts';
import { createLog } from './platform/log.ts';
import { exitOnUncaught, runProcess } from './platform/process.ts';
import { shutDownWith } from './platform/shutdown.ts';
import { loadTexts } from './platform/texts.ts';

/** The HTTP process: stateless, as many as you like. */
await runProcess(async () => {
  const config = readConfig(configSchemas.main, process.env);
  const log = createLog('main', config.LOG_LEVEL);
  exitOnUncaught(log);
  loadTexts();
  const database = openDatabase(config.DATABASE_APP_URL, {
    poolSize: config.DATABASE_POOL_SIZE,
    applicationName: 'causeway-main',
  });
  const hub = new LiveHub();
  const health = createHealth();
  const readCode = createCodeReader(readChains(config.CHAINS_FILE));
  const limits = httpLimitsOf(config);
  const app = await composeMain({ config, database, log, hub, health, limits, readCode });
  await app.listen({ host: config.HTTP_HOST, port: config.HTTP_PORT });
  const live = startLive(config.DATABASE_APP_URL, hub, log);
  log.info({ port: config.HTTP_PORT }, 'listening');
  shutDownWith(log, { health, drainMs: config.DRAIN_MS }, [
    () => live.stop(),
    () => app.close(),
    () => database.close(),
  ]);
});
