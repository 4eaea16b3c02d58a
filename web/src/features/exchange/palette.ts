import { listLimitOrders } from 'virtual:calls/exchange';
import { listStandingOrders } from 'virtual:calls/standing-orders';
import { send } from '../../lib/client.ts';
import { loadTexts, translate } from '../../lib/locale.tsx';
import { matches, type PaletteProvider } from '../../lib/palette.ts';
import { amountLine } from '../../ui/amount-parts.ts';
import { rateText } from '../../ui/rate-text.ts';
import { sayAmount, sayWhen } from './planned-words.ts';

const most = 5;

/** Finds standing orders by their assets, wallets, words, member or id. */
export const standingPalette: PaletteProvider = {
  key: 'standing',
  label: 'app.palette.standing',
  permission: 'wallet.view',
  search: async (query, signal) => {
    const [{ items }] = await Promise.all([send(listStandingOrders, {}, { signal }), loadTexts(['exchange-planned'])]);
    return items
      .map((order) => {
        const { id, sell, buy, createdBy, nextAt } = order;
        const words = nextAt === null ? translate('exchanges.planned.ended') : sayWhen(translate, order);
        const label = `${sell.asset} → ${buy.asset}`;
        const detail = `${sayAmount(translate, order)} · ${words}`;
        const text = [label, detail, sell.placeName, buy.placeName, createdBy.name, id].join(' ');
        return { key: id, label, detail, href: `/app/wallet/exchange/planned#${id}`, text };
      })
      .filter(({ text }) => matches(text, plain(query)))
      .slice(0, most)
      .map(({ text: _, ...item }) => item);
  },
};

/** Finds limit orders that wait for their rate, by their assets, amount, rate, member or id. */
export const limitPalette: PaletteProvider = {
  key: 'limits',
  label: 'app.palette.limits',
  permission: 'transaction.view',
  search: async (query, signal) => {
    const [{ items }] = await Promise.all([send(listLimitOrders, {}, { signal }), loadTexts(['exchange-planned'])]);
    return items
      .map(({ id, sell, buy, held, rate, until, createdBy }) => {
        const label = `${sell.asset} → ${buy.asset}`;
        const at = translate('exchanges.planned.rateOf', { from: sell.asset, rate: rateText(rate), to: buy.asset });
        const detail = `${amountLine(held, sell.asset)} · ${at}`;
        const text = [label, detail, createdBy.name, id].join(' ');
        return { key: id, label, detail, at: until, href: `/app/transaction/${id}`, text };
      })
      .filter(({ text }) => matches(text, plain(query)))
      .slice(0, most)
      .map(({ text: _, ...item }) => item);
  },
};

/** A pair may be typed with what is between its assets: "ETH/USDT", "ETH → USDT". */
function plain(query: string): string {
  return query.replaceAll(/[/→]/g, ' ');
}
