import type { Output } from '@causeway/contract/call.ts';
import { exchange, quoteExchange } from '@causeway/contract/exchange.ts';
import { sendUserCode } from '@causeway/contract/identity.ts';
import { addStandingOrder, type StandingContent } from '@causeway/contract/standing-orders.ts';
import { newId } from '../platform/ids.ts';
import { credit, type TestCompany } from './company.ts';
import type { MainApp, Member, Request, Tenant } from './main-app.ts';
import { succeed } from './succeed.ts';
import { reviewOf } from './transaction-requests.ts';

type Coin = keyof TestCompany['wallets'];

/** What is to be exchanged: a side with its amount, and how far the other may be from what was quoted. */
export interface Intent {
  sell: string;
  buy: string;
  fixed: 'sell' | 'buy';
  amount: string;
  /** The other side's worst amount; absent: exactly what is quoted. */
  bound?: string;
  /** Of a limit order. */
  limit?: { rate: string; until: string };
}

/** Of the company's wallets of two coins. */
export function intentOf(
  { wallets }: Pick<TestCompany, 'wallets'>,
  sell: Coin,
  buy: Coin,
  given: Pick<Intent, 'fixed' | 'amount' | 'bound' | 'limit'>,
): Intent {
  return { sell: wallets[sell], buy: wallets[buy], ...given };
}

/** A quote, and the request that exchanges at it, with a code that was mailed for it. */
export async function quotedExchange(
  world: MainApp,
  as: Member,
  { sell, buy, fixed, amount, bound, limit }: Intent,
): Promise<{ quote: Output<typeof quoteExchange>; request: Request & { as: Member; body: Record<string, unknown> } }> {
  const intent = { sellWalletId: sell, buyWalletId: buy, fixed, amount };
  const { data: quote } = await succeed(world, quoteExchange, { as, body: intent });
  const content = {
    id: newId(),
    ...intent,
    bound: bound ?? (fixed === 'sell' ? quote.buy.quantity : quote.sell.total),
    ...(limit && { limit }),
  };
  await succeed(world, sendUserCode, { as, body: { scenario: 'transaction', subject: { kind: 'exchange', content } } });
  const proof = { quoteId: quote.id, codeMethod: 'email', code: await world.takeCode() };
  return { quote, request: { as, body: { ...content, ...proof } } };
}

/** Of the calls about exchanges: a request that succeeds, as in `validRequests`. */
export const exchangeRequests: Record<string, (world: MainApp, tenant: Tenant) => Promise<Request>> = {
  getExchangeOptions: async (_, { admin }) => ({ as: admin }),
  quoteExchange: async (_, { admin, wallets }) => ({
    as: admin,
    body: { sellWalletId: wallets.USDT, buyWalletId: wallets.ETH, fixed: 'sell', amount: '250' },
  }),
  exchange: async (world, tenant) => (await readyExchange(world, tenant)).request,
  cancelExchange: async (world, tenant) => {
    const review = reviewOf(world, tenant);
    await world.member(tenant, 'approver');
    const { request } = await readyExchange(world, tenant);
    await review(true);
    const { data } = await succeed(world, exchange, request);
    await review(false);
    return { as: request.as, body: { id: data.id } };
  },
  listLimitOrders: async (_, { admin }) => ({ as: admin }),
  listStandingOrders: async (_, { admin }) => ({ as: admin }),
  addStandingOrder: (world, tenant) => standingRequest(world, tenant, tenant.admin),
  async stopStandingOrder(world, tenant) {
    const request = await standingRequest(world, tenant, tenant.admin);
    const { data } = await succeed(world, addStandingOrder, request);
    return { as: tenant.admin, body: { id: data.id } };
  },
};

/** Makes a standing order of 250 USDT for ETH each Monday, with changes, with a code that was mailed for it. */
export async function standingRequest(
  world: MainApp,
  { wallets }: Tenant,
  as: Member,
  change: Partial<StandingContent> = {},
): Promise<Request & { as: Member; body: Record<string, unknown> }> {
  const content = {
    id: newId(),
    sellWalletId: wallets.USDT,
    buyWalletId: wallets.ETH,
    rule: 'amount',
    amount: '250',
    every: 'week',
    day: 1,
    time: '09:30',
    tolerance: 100,
    lastDay: null,
    ...change,
  };
  const subject = { kind: 'standingOrder', content };
  await succeed(world, sendUserCode, { as, body: { scenario: 'transaction', subject } });
  return { as, body: { ...content, codeMethod: 'email', code: await world.takeCode() } };
}

/** Of a member of its own, whose codes are not yet counted. */
async function readyExchange(world: MainApp, tenant: Tenant) {
  await credit(world.db, tenant, 'USDT', 500_000_000n);
  const as = await world.member(tenant, 'administrator');
  return quotedExchange(world, as, intentOf(tenant, 'USDT', 'ETH', { fixed: 'sell', amount: '250' }));
}
