/**
 * The sandbox desk's JSON API. Bodies are JSON (`content-type: application/json` is required), responses too; a
 * failure is `{ "error": "<sentence>" }` with a true status.
 *
 * GET  /api/services                                    [{ name, url, up }]
 * GET  /api/mails?to=&limit=                            newest first; `to` is a part of a recipient's address
 * GET  /api/mails/:id                                   one mail (see `Mail` in inbox.ts)
 * GET  /api/mail-server                                 { mode }
 * POST /api/mail-server    { mode: ok | refusing }
 * POST /api/faucet         { coin, address, amount, viaContract? }  → { hash }
 *                          coin: ETH, USDT, USDC, HKDT, FAKE; amount: whole coins as a string; viaContract: ETH only
 * POST /api/accounts       { coin, amount }             → { address, privateKey, hash }: a new account outside
 * GET  /api/balance?coin=&address=                      → { coin, address, balance }
 * GET  /api/chain                                       { chainId, height, timestamp, mining, nodes, contracts }
 * POST /api/mine           { blocks }                   → { height }
 * POST /api/reorg          { depth, keepTransactions }  → { height }; depth + 1 new blocks replace depth old ones
 * POST /api/mining         { auto?, depth?, blockIntervalMs? }  → the settings in force
 * POST /api/nodes/:n       { mode: ok | down | slow | lying, delayMs? }  n: 0 is the primary, 1 the secondary
 * POST /api/chain/set      { method, params }           one of anvil's setters, durably (see chain-engine.ts)
 * GET  /api/prices                                      { mode, updatedAt, usd, sources }
 * POST /api/prices         { mode?: live | frozen | failing, usd?: { <CoinGecko id>: number },
 *                            sources?: { <coingecko | kraken | bitstamp | ecb>: { mode, factor?, delayMs? } } }
 *                          what the modes of a source mean: price-sources.ts
 * Paths under /api/bank: desk-bank.ts; under /api/bitcoin: desk-bitcoin.ts; under /api/venue: desk-venue.ts; /api/webhooks: desk-webhooks.ts;
 * /api/trades: desk-trades.ts; /api/issuer: desk-issuer.ts.
 */
import { getAddress, isAddress } from 'viem';
import * as z from 'zod/mini';
import { RpcError } from './anvil.ts';
import type { Bank } from './bank/bank.ts';
import type { Bitcoin } from './bitcoin/bitcoin.ts';
import type { Chain } from './chain.ts';
import { BANK_ROUTES } from './desk-bank.ts';
import { BITCOIN_ROUTES } from './desk-bitcoin.ts';
import { DeskError, type DeskRequest, notFound, read } from './desk-call.ts';
import { ISSUER_ROUTES } from './desk-issuer.ts';
import { TRADE_ROUTES } from './desk-trades.ts';
import { VENUE_ROUTES } from './desk-venue.ts';
import { WEBHOOK_ROUTES } from './desk-webhooks.ts';
import { INBOX_MODES, type Inbox } from './inbox.ts';
import type { IssuerServer } from './issuer/issuer.ts';
import { NODE_MODES } from './node-front.ts';
import { PRICE_MODES, type PriceFeed, type PriceId, type PriceState } from './price-feed.ts';
import { CONDUCTS, PRICE_SOURCES, type PriceSourceName, type SourceConduct } from './price-sources.ts';
import { FAUCET_COINS } from './tokens.ts';
import type { TradePlatform } from './trade-platform/platform.ts';
import type { VenueServer } from './venue/kraken.ts';
import type { WebhookReceiver } from './webhook-receiver.ts';

export type DeskParts = {
  chain: Chain;
  bitcoin: Bitcoin;
  inbox: Inbox;
  prices: PriceFeed;
  bank: Bank;
  venue: VenueServer;
  webhooks: WebhookReceiver;
  trades: TradePlatform;
  issuer: IssuerServer;
  services: () => Promise<{ name: string; url: string; up: boolean }[]>;
};

const address = z.string().check(z.refine((text) => isAddress(text), 'not an address'));
const amount = z.string().check(z.regex(/^\d{1,12}(\.\d{1,18})?$/, 'not an amount'));
const coin = z.enum(FAUCET_COINS);
const usdPrice = z.exactOptional(z.number().check(z.positive()));

const faucetBody = z.object({ coin, address, amount, viaContract: z.exactOptional(z.boolean()) });
const accountBody = z.object({ coin, amount });
const balanceQuery = z.object({ coin, address });
const mineBody = z.object({ blocks: z.int().check(z.gte(1), z.lte(500)) });
const reorgBody = z.object({ depth: z.int().check(z.gte(1), z.lte(64)), keepTransactions: z.boolean() });
const miningBody = z.object({
  auto: z.exactOptional(z.boolean()),
  depth: z.exactOptional(z.int().check(z.gte(0), z.lte(500))),
  blockIntervalMs: z.exactOptional(z.int().check(z.gte(1), z.lte(600_000))),
});
const nodeBody = z.object({
  mode: z.enum(NODE_MODES),
  delayMs: z.exactOptional(z.int().check(z.gte(0), z.lte(600_000))),
});
const setBody = z.object({ method: z.string(), params: z.array(z.unknown()) });
const mailServerBody = z.object({ mode: z.enum(INBOX_MODES) });
const conduct = z.strictObject({
  mode: z.enum(CONDUCTS),
  factor: z.exactOptional(z.number().check(z.positive())),
  delayMs: z.exactOptional(z.int().check(z.gte(0), z.lte(600_000))),
});
const pricesBody = z.object({
  mode: z.exactOptional(z.enum(PRICE_MODES)),
  usd: z.exactOptional(
    z.strictObject({
      bitcoin: usdPrice,
      ethereum: usdPrice,
      tether: usdPrice,
      'usd-coin': usdPrice,
      'hong-kong-dollar-token': usdPrice,
    }),
  ),
  sources: z.exactOptional(z.partialRecord(z.enum(PRICE_SOURCES), conduct)),
});

type Route = (parts: DeskParts, request: DeskRequest, argument: string) => unknown;

/** Method and path; a path that ends in `/:` takes its last part as the argument. */
const ROUTES: Readonly<Record<string, Route>> = {
  'GET /api/services': (parts) => parts.services(),
  'GET /api/mails': ({ inbox }, { query }) =>
    inbox.list(query.get('to') ?? '').slice(0, Number(query.get('limit') ?? 100) || 100),
  'GET /api/mails/:': ({ inbox }, _, id) => inbox.find(id) ?? notFound(),
  'GET /api/mail-server': ({ inbox }) => ({ mode: inbox.mode() }),
  'POST /api/mail-server': ({ inbox }, { body }) => {
    inbox.setMode(read(mailServerBody, body).mode);
    return { mode: inbox.mode() };
  },
  'POST /api/faucet': async ({ chain }, { body }) => {
    const wish = read(faucetBody, body);
    return {
      hash: await chain.treasury.send(wish.coin, getAddress(wish.address), wish.amount, wish.viaContract ?? false),
    };
  },
  'POST /api/accounts': ({ chain }, { body }) => {
    const wish = read(accountBody, body);
    return chain.treasury.openAccount(wish.coin, wish.amount);
  },
  'GET /api/balance': async ({ chain }, { query }) => {
    const wish = read(balanceQuery, Object.fromEntries(query));
    return { ...wish, balance: await chain.treasury.balance(wish.coin, getAddress(wish.address)) };
  },
  'GET /api/chain': ({ chain }) => ({
    chainId: chain.chainId,
    ...chain.engine.tip(),
    mining: chain.miner.settings(),
    nodes: chain.nodes.map((node) => ({ url: node.url, mode: node.mode() })),
    contracts: chain.treasury.contracts,
  }),
  'POST /api/mine': async ({ chain }, { body }) => ({ height: await chain.engine.mine(read(mineBody, body).blocks) }),
  'POST /api/reorg': async ({ chain }, { body }) => {
    const wish = read(reorgBody, body);
    const height = await chain.engine.reorganise(wish.depth, wish.keepTransactions);
    chain.miner.change({});
    return { height };
  },
  'POST /api/mining': ({ chain }, { body }) => {
    chain.miner.change(read(miningBody, body));
    return chain.miner.settings();
  },
  'POST /api/nodes/:': async ({ chain }, { body }, n) => {
    const node = chain.nodes[Number(n)] ?? notFound();
    const wish = read(nodeBody, body);
    await node.setMode(wish.mode, wish.delayMs);
    return { url: node.url, mode: node.mode() };
  },
  'POST /api/chain/set': async ({ chain }, { body }) => {
    const wish = read(setBody, body);
    return { result: (await chain.engine.set(wish.method, wish.params)) ?? null };
  },
  'GET /api/prices': ({ prices }) => shownPrices(prices),
  'POST /api/prices': async ({ prices }, { body }) => {
    const { mode, usd, sources } = read(pricesBody, body);
    await prices.change({
      ...(mode === undefined ? {} : { mode }),
      ...(usd === undefined ? {} : { usd: given(usd) }),
      ...(sources === undefined ? {} : { sources: stated(sources) }),
    });
    return shownPrices(prices);
  },
  ...BANK_ROUTES,
  ...BITCOIN_ROUTES,
  ...VENUE_ROUTES,
  ...WEBHOOK_ROUTES,
  ...TRADE_ROUTES,
  ...ISSUER_ROUTES,
};

/** Serves one call of the API. @throws DeskError */
export async function answerDeskCall(parts: DeskParts, request: DeskRequest): Promise<unknown> {
  const exact = ROUTES[`${request.method} ${request.path}`];
  const cut = request.path.lastIndexOf('/');
  const route = exact ?? ROUTES[`${request.method} ${request.path.slice(0, cut)}/:`] ?? notFound();
  try {
    return await route(parts, request, decodeURIComponent(request.path.slice(cut + 1)));
  } catch (error) {
    if (error instanceof DeskError) throw error;
    if (error instanceof RpcError) throw new DeskError(422, error.message);
    throw new DeskError(502, error instanceof Error ? error.message : String(error));
  }
}

function given(usd: Partial<Record<PriceId, number | undefined>>): Partial<Record<PriceId, number>> {
  return Object.fromEntries(Object.entries(usd).filter(([, price]) => price !== undefined));
}

function stated(
  sources: Partial<Record<PriceSourceName, SourceConduct | undefined>>,
): Partial<Record<PriceSourceName, SourceConduct>> {
  return Object.fromEntries(Object.entries(sources).filter(([, said]) => said !== undefined));
}

function shownPrices(prices: PriceFeed): Pick<PriceState, 'mode' | 'updatedAt' | 'usd' | 'sources'> {
  const { mode, updatedAt, usd, sources = {} } = prices.state();
  return { mode, updatedAt, usd, sources };
}
