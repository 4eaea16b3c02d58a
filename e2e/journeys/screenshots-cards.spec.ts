import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { updateUser } from '@causeway/contract/identity-account.ts';
import { issueByCall, openForCards } from '../fixtures/cards.ts';
import { send } from '../fixtures/console-api.ts';
import { desk } from '../fixtures/desk.ts';
import { settled } from '../fixtures/screen.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';

const directory = join(import.meta.dirname, '../../docs/screenshots');

test('the README’s picture of a card', async ({ browser }) => {
  test.setTimeout(300_000);
  const company = await openForCards('Harbour Lane Trading');
  const { token } = company;
  const names = { firstName: 'Ada', lastName: 'Wong', mobileCountryCode: null, mobile: null };
  await send(updateUser, { token, body: names });
  const { id, issued } = await issueByCall(company, {
    name: 'Team lunches',
    limits: { each: '800', day: '2000', month: '10000', total: null },
    categories: { mode: 'deny', groups: ['gambling', 'cash'] },
    countries: { mode: 'allow', codes: ['HK', 'CN'] },
    online: false,
  });
  for (const [merchant, amount, mcc] of [
    ['HARBOUR CAFE', '238.5', '5812'],
    ['CITY TAXI', '64', '4121'],
  ] as const) {
    const purchase = await desk.cards.pay({ pan: issued.pan, merchant, amount, mcc });
    await desk.cards.actOn(purchase.token, 'clearLast');
  }
  await desk.cards.pay({ pan: issued.pan, merchant: 'WEB STORE', amount: '320', mcc: '5732', online: true });
  await desk.cards.pay({ pan: issued.pan, merchant: 'NOODLE BAR', amount: '412', mcc: '5812' });
  const page = await pageOf(browser, company);
  await page.goto(`/app/wallet/credit-card/${id}`);
  await expect(page.getByText('Held', { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('Paid', { exact: true })).toHaveCount(2, { timeout: 60_000 });
  await settled(page);
  if (process.env['SCREENSHOTS'] !== '1') return;
  mkdirSync(directory, { recursive: true });
  await page.screenshot({ path: join(directory, 'card.png'), animations: 'disabled', caret: 'hide' });
});
