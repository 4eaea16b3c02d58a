import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Body } from '@causeway/contract/call.ts';
import { issueCard, listCards } from '@causeway/contract/cards.ts';
import { listCardPayments, waiveCardReceipt } from '@causeway/contract/cards-payments.ts';
import { getUser } from '@causeway/contract/identity.ts';
import { listWallets } from '@causeway/contract/wallets.ts';
import { type FrontDoor, request } from './console-client.ts';

/** Company cards of the demo company: two, with purchases that were cleared, one that is held, one that was declined, and one receipt that is missing. */

const CURRENCY = 'HKD';
const FIRST_DEPOSIT = '60000';
const PATIENCE_MS = 60_000;
const STEP_MS = 300;

type Terms = Pick<Body<typeof issueCard>, 'name' | 'limits' | 'categories' | 'countries' | 'online'>;

const LUNCHES: Terms = {
  name: 'Team lunches',
  limits: { each: '800', day: '2000', month: '10000', total: null },
  categories: { mode: 'deny', groups: ['gambling', 'cash'] },
  countries: { mode: 'allow', codes: ['HK', 'CN'] },
  online: false,
};
const SOFTWARE: Terms = {
  name: 'Software',
  limits: { each: '2000', day: null, month: '8000', total: null },
  categories: { mode: 'allow', groups: ['software', 'telecoms'] },
  countries: null,
  online: true,
};

/** Makes them unless the company has cards. */
export async function ensureDemoCards(door: FrontDoor, token: string): Promise<void> {
  const { consoleUrl } = door;
  const known = await request(consoleUrl, listCards, { token, query: {} });
  if (!known.connected || known.items.length > 0) return;
  const walletId = await ensureMoney(door, token);
  const holderId = (await request(consoleUrl, getUser, { token })).id;
  const issue = async (terms: Terms): Promise<string> => {
    const id = randomUUID();
    const form = { id, kind: 'virtual' as const, holderId, walletId, validUntil: null, shipTo: null, ...terms };
    await request(consoleUrl, issueCard, { token, body: form });
    return panOf(door, id);
  };
  const [lunches, software] = await Promise.all([issue(LUNCHES), issue(SOFTWARE)]);
  const shop = { country: 'HKG', online: false, partial: false, currency: CURRENCY, kind: 'purchase' };
  const pay = async (wish: object): Promise<string> =>
    textIn(await door.desk.call('issuer/pay', { ...shop, ...wish }), 'token');
  const clear = (purchase: string) => door.desk.call(`issuer/transactions/${purchase}`, { act: 'clearLast' });
  await clear(await pay({ pan: lunches, amount: '238.5', merchant: 'HARBOUR CAFE', mcc: '5812' }));
  await pay({ pan: lunches, amount: '500', merchant: 'LUCKY CASINO', mcc: '7995' });
  await pay({ pan: lunches, amount: '64', merchant: 'STAR FERRY', mcc: '4111' });
  const cloud = { merchant: 'CLOUD HOSTING', mcc: '7372', country: 'USA', online: true, currency: 'USD' };
  await clear(await pay({ pan: software, amount: '49', ...cloud }));
  await waive(door, token, cloud.merchant);
}

/** @returns the wallet at a bank, once it has money */
async function ensureMoney({ consoleUrl, desk }: FrontDoor, token: string): Promise<string> {
  let isPaidIn = false;
  return soon('the bank’s wallet got no money', async () => {
    const { items } = await request(consoleUrl, listWallets, { token });
    for (const { id, asset, available, place } of items) {
      if (place.kind !== 'bank' || asset !== CURRENCY) continue;
      if (/[1-9]/.test(available)) return id;
      if (isPaidIn) continue;
      const money = { bank: 'harbour', to: place.account.number, currency: CURRENCY, amount: FIRST_DEPOSIT };
      await desk.call('bank/pay-in', { ...money, payer: { name: 'Kowloon Mills Limited' }, text: 'Deposit' });
      isPaidIn = true;
    }
    return undefined;
  });
}

/** The number of a card as its issuer has it: its id is in the memo. */
async function panOf({ desk }: FrontDoor, id: string): Promise<string> {
  return soon('the issuer made no card', async () => {
    const { cards } = (await desk.call('issuer')) as { cards: { memo: string; pan: string }[] };
    return cards.find(({ memo }) => memo.includes(id))?.pan;
  });
}

/** Says of a payment that no receipt is needed, once the issuer has reported it. */
async function waive({ consoleUrl }: FrontDoor, token: string, merchant: string): Promise<void> {
  const query = { search: merchant, receipt: 'missing' as const };
  const paymentId = await soon('the issuer reported no payment', async () => {
    return (await request(consoleUrl, listCardPayments, { token, query })).items[0]?.id;
  });
  await request(consoleUrl, waiveCardReceipt, { token, body: { paymentId, note: 'The invoice comes by email' } });
}

async function soon<T>(problem: string, look: () => Promise<T | undefined>): Promise<T> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > giveUpAt) throw new Error(problem);
    await delay(STEP_MS);
  }
}

function textIn(value: unknown, name: string): string {
  const found = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  if (typeof found !== 'string') throw new Error(`the sandbox desk named no ${name}`);
  return found;
}
