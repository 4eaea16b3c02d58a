/**
 * The world outside of Causeway in one process: chains, mail inbox, price feed, banks and the desk that commands them.
 * Started by main.ts with its settings as a first message; replies with `{ ready: true }` or why it cannot start, and ends
 * when told to (SIGTERM) or when main.ts is gone.
 */
import { connect } from 'node:net';
import { join } from 'node:path';
import { startBank } from './bank/bank.ts';
import { type Bitcoin, startBitcoin } from './bitcoin/bitcoin.ts';
import { type Chain, startChain } from './chain.ts';
import { startDesk } from './desk.ts';
import { type FailureKind, SandboxFailure } from './failure.ts';
import { startInbox } from './inbox.ts';
import { startIssuer } from './issuer/issuer.ts';
import { startPriceFeed } from './price-feed.ts';
import { BITCOIN_CONFIRMATIONS, CONFIRMATIONS } from './server-environment.ts';
import type { ServiceName } from './service-names.ts';
import type { Settings } from './settings.ts';
import { startTradePlatform } from './trade-platform/platform.ts';
import { ensureTradeSecrets } from './trade-platform/secrets.ts';
import { startFx } from './venue/fx.ts';
import { startVenue } from './venue/kraken.ts';
import { dollarsOf, dollarsOfCurrency } from './venue/prices.ts';
import { startWebhookReceiver } from './webhook-receiver.ts';

export type ServicesMessage = { ready: true } | { failure: { kind: FailureKind; sentence: string; detail: string } };
export type ServiceCheck = { name: ServiceName; url: string; up: boolean };

type Stoppable = { stop(): Promise<void> };

const running: Stoppable[] = [];
let isStopping = false;

async function start({ dataDir, ports }: Settings): Promise<void> {
  const keep = <Part extends Stoppable>(part: Part): Part => {
    running.unshift(part);
    return part;
  };
  // Each on its own: when one cannot start, what did start is still stopped.
  const [chain, bitcoin, inbox, prices, bank] = await Promise.all([
    startChain({ dir: join(dataDir, 'chain'), ports: [ports.chain, ports.chainSecond], depth: CONFIRMATIONS }).then(
      keep,
    ),
    startBitcoin({
      dir: join(dataDir, 'bitcoin'),
      ports: [ports.bitcoin, ports.bitcoinSecond, ports.bitcoinEsplora],
      depth: BITCOIN_CONFIRMATIONS,
    }).then(keep),
    startInbox({ dir: join(dataDir, 'inbox'), port: ports.mail }).then(keep),
    startPriceFeed({ file: join(dataDir, 'prices.json'), port: ports.prices }).then(keep),
    startBank({
      dir: join(dataDir, 'bank'),
      ports: { files: ports.bankFiles, http: ports.bankHttp },
      webhookUrl: `http://127.0.0.1:${ports.http}/hooks/banks/meridian`,
    }).then(keep),
  ]);
  const venue = keep(
    await startVenue({
      dir: join(dataDir, 'venue'),
      port: ports.venue,
      priceOf: (asset) => dollarsOf(asset, prices.state().usd),
    }),
  );
  const fx = keep(await startFx({ dir: join(dataDir, 'venue'), port: ports.fx, dollarsOf: dollarsOfCurrency }));
  const webhooks = keep(await startWebhookReceiver({ port: ports.webhooks }));
  const trades = keep(
    await startTradePlatform({
      dir: join(dataDir, 'trade-platform'),
      port: ports.trades,
      secrets: await ensureTradeSecrets(dataDir),
      eventsUrl: `http://127.0.0.1:${ports.http}/hooks/trades`,
    }),
  );
  const hooks = `http://127.0.0.1:${ports.http}/hooks/cards`;
  const issuer = keep(
    await startIssuer({
      dir: join(dataDir, 'issuer'),
      port: ports.issuer,
      responderUrl: `${hooks}/authorization`,
      eventsUrl: `${hooks}/events`,
    }),
  );
  const services = (): Promise<ServiceCheck[]> =>
    Promise.all([
      check('console', `http://127.0.0.1:${ports.http}`),
      check('operator', `http://127.0.0.1:${ports.operator}`),
      check('worker', `http://127.0.0.1:${ports.worker}`),
      check('signer', `http://127.0.0.1:${ports.signer}`),
      checkPort('database', `postgres://127.0.0.1:${ports.database}`),
      ...nodeChecks(chain),
      ...bitcoinChecks(bitcoin),
      checkPort('inbox', inbox.url),
      check('prices', prices.url),
      checkPort('bank-files', `sftp://127.0.0.1:${ports.bankFiles}`),
      check('bank-http', bank.api.url),
      check('venue', venue.url),
      check('fx', fx.url),
      check('webhooks', new URL(webhooks.url).origin),
      check('trades', new URL(trades.url).origin),
      check('issuer', issuer.url),
    ]);
  keep(
    await startDesk({
      port: ports.desk,
      parts: { chain, bitcoin, inbox, prices, bank, venue, webhooks, trades, issuer, services },
    }),
  );
}

function nodeChecks(chain: Chain): Promise<ServiceCheck>[] {
  const names = ['chain-primary', 'chain-secondary'] as const;
  return names.flatMap((name, index) => {
    const node = chain.nodes[index];
    return node === undefined ? [] : [checkPort(name, node.url)];
  });
}

function bitcoinChecks({ nodes }: Bitcoin): Promise<ServiceCheck>[] {
  const names = ['bitcoin-primary', 'bitcoin-secondary', 'bitcoin-esplora'] as const;
  return names.flatMap((name, index) => {
    const node = nodes[index];
    return node === undefined ? [] : [checkPort(name, `http://127.0.0.1:${node.port}`)];
  });
}

async function check(name: ServiceName, url: string): Promise<ServiceCheck> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1000) });
    return { name, url, up: response.ok };
  } catch {
    return { name, url, up: false };
  }
}

function checkPort(name: ServiceName, url: string): Promise<ServiceCheck> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const settle = (up: boolean): void => {
      socket.destroy();
      resolve({ name, url, up });
    };
    socket.setTimeout(1000, () => settle(false));
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}

async function stop(code: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  await Promise.allSettled(running.map((part) => part.stop()));
  process.exit(code);
}

function tell(message: ServicesMessage): void {
  if (process.connected) process.send?.(message);
}

process.once('SIGTERM', () => stop(0));
process.on('SIGINT', () => undefined);
process.once('disconnect', () => stop(0));
process.once('message', (settings: Settings) => {
  start(settings).then(
    () => tell({ ready: true }),
    (error: unknown) => {
      const isForeseen = error instanceof SandboxFailure;
      if (!isForeseen) console.error(error);
      tell({
        failure: {
          kind: isForeseen ? error.kind : 'not_ready',
          sentence: error instanceof Error ? error.message : String(error),
          detail: isForeseen ? error.detail : '',
        },
      });
      stop(1);
    },
  );
});
