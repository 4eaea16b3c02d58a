/**
 * The venue's part of the desk's API (see desk-api.ts). Amounts are plain decimal texts in whole units; assets as the venue calls them (ZUSD, XXBT, XETH, USDT, USDC).
 *
 * GET  /api/venue                                       { url, mode, book, balances }
 * GET  /api/venue/orders                                newest first, each with its trades
 * POST /api/venue          { mode?: ok | down | slow | mute | lost | half | failing | refusing | limited, only?: orders, delayMs?, book?: full | thin | empty }
 * POST /api/venue/balance  { asset, amount }
 */
import * as z from 'zod/mini';
import { type DeskRequest, read } from './desk-call.ts';
import { BOOK_MODES } from './venue/engine.ts';
import { VENUE_MODES, type VenueServer } from './venue/kraken.ts';

const venueBody = z.object({
  mode: z.exactOptional(z.enum(VENUE_MODES)),
  only: z.exactOptional(z.literal('orders')),
  delayMs: z.exactOptional(z.int().check(z.gte(0), z.lte(600_000))),
  book: z.exactOptional(z.enum(BOOK_MODES)),
});
const balanceBody = z.object({
  asset: z.string().check(z.regex(/^[A-Z]{3,6}$/, 'not an asset')),
  amount: z.string().check(z.regex(/^\d{1,15}(\.\d{1,10})?$/, 'not an amount')),
});

type Route = (parts: { venue: VenueServer }, request: DeskRequest) => unknown;

export const VENUE_ROUTES: Readonly<Record<string, Route>> = {
  'GET /api/venue': ({ venue }) => shown(venue),
  'GET /api/venue/orders': ({ venue: { engine } }) =>
    [...engine.orders.values()]
      .map((order) => ({ ...order, trades: engine.trades.filter((trade) => trade.order === order.id) }))
      .reverse(),
  'POST /api/venue': async ({ venue }, { body }) => {
    const { mode, book, delayMs, only } = read(venueBody, body);
    if (book !== undefined) venue.engine.setBookMode(book);
    if (mode !== undefined)
      await venue.setMode(mode, { ...(delayMs !== undefined && { delayMs }), ...(only !== undefined && { only }) });
    return shown(venue);
  },
  'POST /api/venue/balance': async ({ venue }, { body }) => {
    const { asset, amount } = read(balanceBody, body);
    await venue.engine.setBalance(asset, amount);
    return shown(venue);
  },
};

function shown({ url, engine, mode }: VenueServer) {
  return { url, mode: mode(), book: engine.bookMode(), balances: engine.balances() };
}
