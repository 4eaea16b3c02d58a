import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createPaymentRequest, getPaymentRequest, listPaymentRequests } from '@causeway/contract/payment-requests.ts';
import { request } from './console-client.ts';
import type { DeskClient } from './desk-client.ts';

/** Payment requests of the demo company: one that waits for its payer, one that is paid, and one to which too much came. */

const COIN = 'USDT';
const CHAIN = 'ethereum';
const PATIENCE_MS = 30_000;
const WEEK_MS = 7 * 24 * 3_600_000;
/** Beyond the depth at which a deposit is credited. */
const BLOCKS = 8;

const REQUESTS = [
  { title: 'Silk, December', reference: 'INV-2026-121', amount: '2400', payer: 'Kowloon Mills Limited', paid: null },
  { title: 'Tea, November', reference: 'INV-2026-118', amount: '850', payer: 'Jasmine Teas', paid: '850' },
  {
    title: 'Porcelain, sample order',
    reference: 'INV-2026-119',
    amount: '400',
    payer: 'Harbour Ceramics',
    paid: '450',
  },
] as const;

/** Makes and pays them; what a run that was cut off has left is done by the next. */
export async function ensureDemoRequests(
  { consoleUrl, desk }: { consoleUrl: string; desk: DeskClient },
  token: string,
): Promise<void> {
  const known = await request(consoleUrl, listPaymentRequests, { token, query: { size: '100' } });
  for (const { title, reference, amount, payer, paid } of REQUESTS) {
    const made = known.items.find((each) => each.reference === reference);
    const id = made?.id ?? randomUUID();
    const body = {
      ...{ id, title, reference, note: '', kind: 'single' as const, pricing: 'coin' as const, asset: COIN, amount },
      ...{ accepted: [{ chainId: CHAIN, coin: COIN }], tolerance: { percent: '0' }, dueOn: null, reminderDays: [] },
      expiresAt: new Date(Date.now() + WEEK_MS).toISOString(),
      payer: { name: payer, email: null, language: 'en_US' as const },
    };
    if (made === undefined) await request(consoleUrl, createPaymentRequest, { token, body });
    if (paid !== null && (made?.payments ?? 0) === 0)
      await desk.faucet(COIN, await addressOf(consoleUrl, token, id), paid);
  }
  await desk.call('mine', { blocks: BLOCKS });
}

/** Its address, once the worker has opened it. */
async function addressOf(consoleUrl: string, token: string, id: string): Promise<string> {
  for (const giveUpAt = Date.now() + PATIENCE_MS; Date.now() < giveUpAt; await delay(200)) {
    const { addresses } = await request(consoleUrl, getPaymentRequest, { token, params: { id } });
    const found = addresses.find(({ chainId }) => chainId === CHAIN);
    if (found) return found.address;
  }
  throw new Error('a payment request was given no address');
}
