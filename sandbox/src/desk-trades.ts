/**
 * The trade platform's part of the desk's API (see desk-api.ts). Amounts are plain decimal texts in whole units.
 *
 * GET  /api/trades                                      { url, mode, refused, trades, events, received }: the newest first
 * POST /api/trades         a new trade (see `newTrade` in trade-platform/model.ts) → the trade
 * POST /api/trade-acts/:id { act, … } (see `tradeAct` there) → the trade
 * POST /api/trade-events/:id { how: again | late | forged } → { status }: sends an event now
 * POST /api/trade-mode     { mode: ok | failing | hanging }: how it answers what companies confirm
 */
import * as z from 'zod/mini';
import { DeskError, type DeskRequest, read } from './desk-call.ts';
import { newTrade, tradeAct } from './trade-platform/model.ts';
import { PLATFORM_MODES, SENDINGS, type TradePlatform } from './trade-platform/platform.ts';

const modeBody = z.object({ mode: z.enum(PLATFORM_MODES) });
const sendBody = z.object({ how: z.enum(SENDINGS) });

type Route = (parts: { trades: TradePlatform }, request: DeskRequest, argument: string) => unknown;

export const TRADE_ROUTES: Readonly<Record<string, Route>> = {
  'GET /api/trades': ({ trades }) => ({ url: trades.url, mode: trades.mode(), ...trades.state() }),
  'POST /api/trades': ({ trades }, { body }) => trades.make(read(newTrade, body)),
  'POST /api/trade-acts/:': ({ trades }, { body }, id) => refusing(trades.act(id, read(tradeAct, body))),
  'POST /api/trade-events/:': async ({ trades }, { body }, id) => ({
    status: await refusing(trades.send(id, read(sendBody, body).how)),
  }),
  'POST /api/trade-mode': ({ trades }, { body }) => {
    trades.setMode(read(modeBody, body).mode);
    return { mode: trades.mode() };
  },
};

async function refusing<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    throw new DeskError(422, error instanceof Error ? error.message : String(error));
  });
}
