import { cardPortsOf } from './card-issuer.ts';
import { chainFamiliesOf } from './chain-families.ts';
import { composeMain } from './compose.ts';
import { useCalendarFile } from './features/banks/index.ts';
import { createCodeReader } from './features/chains/index.ts';
import { byHttp, readBankConnections, readWebhookSecrets } from './platform/config/bank-connections.ts';
import { isEvmChain, readChains } from './platform/config/chains.ts';
import { batchLimitsOf, configSchemas, httpLimitsOf, readConfig } from './platform/config/config.ts';
import { openDatabase } from './platform/database/database.ts';
import { LiveHub, startLive } from './platform/http/live.ts';
import { createHealth } from './platform/process/health.ts';
import { endHeartbeat, startHeartbeat } from './platform/process/heartbeat.ts';
import { createLog } from './platform/process/log.ts';
import { exitOnUncaught, runProcess } from './platform/process/process.ts';
import { shutDownWith } from './platform/process/shutdown.ts';
import { loadTexts } from './platform/text/texts.ts';

/** The HTTP process: stateless, as many as you like. */
await runProcess(async () => {
  const config = readConfig(configSchemas.main, process.env);
  const log = createLog('main', config.LOG_LEVEL);
  exitOnUncaught(log);
  loadTexts();
  useCalendarFile(config.BANK_CALENDAR_FILE);
  const database = openDatabase(config.DATABASE_APP_URL, {
    poolSize: config.DATABASE_POOL_SIZE,
    applicationName: 'causeway-main',
  });
  const hub = new LiveHub();
  const health = createHealth();
  const chains = readChains(config.CHAINS_FILE);
  const families = chainFamiliesOf(chains);
  const codeless = chains.filter((chain) => !isEvmChain(chain)).map(({ id }) => id);
  const readCode = createCodeReader(chains.filter(isEvmChain), codeless);
  const limits = httpLimitsOf(config);
  const batches = batchLimitsOf(config);
  const bankSecrets = readWebhookSecrets(byHttp(readBankConnections(config.BANK_CONNECTIONS_FILE)));
  const app = await composeMain({
    ...{ config, database, log, hub, health, limits, batches, families, readCode, bankSecrets },
    cards: cardPortsOf(config),
  });
  await app.listen({ host: config.HTTP_HOST, port: config.HTTP_PORT });
  const heartbeat = startHeartbeat(database, 'main', log);
  const live = startLive(config.DATABASE_APP_URL, hub, log);
  log.info({ port: config.HTTP_PORT }, 'listening');
  shutDownWith(log, { health, drainMs: config.DRAIN_MS }, [
    () => live.stop(),
    () => app.close(),
    () => endHeartbeat(database, heartbeat),
    () => database.close(),
  ]);
});
