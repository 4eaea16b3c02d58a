import { setCardRule } from '@causeway/contract/cards-limits.ts';
import type { Locator, Page } from '@playwright/test';
import { openAtBank } from '../fixtures/bank-wallet.ts';
import { issueByCall, issuedAs, openForCards } from '../fixtures/cards.ts';
import { type Company, openCompany } from '../fixtures/company.ts';
import { send } from '../fixtures/console-api.ts';
import { desk } from '../fixtures/desk.ts';
import { choose, expectAccessible, expectNoSideways, find, settled, toastOf } from '../fixtures/screen.ts';
import { hire, openDepartment } from '../fixtures/staff.ts';
import { pageOf, expect as soon, test } from '../fixtures/test.ts';

test.describe.configure({ timeout: 300_000 });

/** Cards are made and payments reported by a worker that may have much to do. */
const expect = soon.configure({ timeout: 60_000 });
const cards = '/app/wallet/credit-card';

async function issue(page: Page, company: Company, name: string): Promise<void> {
  await page.goto(`${cards}/issue`);
  const form = page.getByRole('form', { name: 'Issue a card' });
  await form.getByRole('button', { name: 'Issue a card' }).click();
  await expect(form.getByText('required', { exact: true }).first()).toBeVisible();
  await find(form.getByRole('combobox', { name: 'Holder' }), company.email.slice(0, 3), company.email);
  await choose(page, 'Wallet', /^HKD · Pier Bank/);
  await form.getByLabel('Name of the card').fill(name);
  const summary = page.getByRole('complementary').filter({ hasText: 'Wallet' }).last();
  await expect(summary.getByText('No limit')).toBeVisible();
  await form.getByLabel('Each day').fill('500');
  await expect(summary.getByText('No limit')).toHaveCount(0);
  await settled(page);
  await expectAccessible(page, 'issuing a card');
  await form.getByRole('button', { name: 'Issue a card' }).click();
  await expect(page.getByText(name).first()).toBeVisible();
}

test('a card is issued, shown by its issuer, pays, is cleared above its hold, and gets a receipt', async ({
  browser,
}) => {
  const company = await openCompany({ name: 'Kowloon Dining' });
  await openAtBank(company, 'HKD', 100_000n);
  const page = await pageOf(browser, company);
  await page.goto(cards);
  await expect(page.getByText('No cards yet')).toBeVisible();
  await expectAccessible(page, 'company cards, none yet');
  await issue(page, company, 'Team lunches');
  const issued = await issuedAs('Team lunches');
  await expect(page.getByText(`•••• ${issued.pan.slice(-4)}`).first()).toBeVisible();

  // The number is in the issuer's frame, and nowhere else.
  await page.getByRole('link', { name: 'Show the number' }).click();
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByLabel('Verification code').fill(await company.inbox.code());
  await page.getByRole('button', { name: 'Show the number' }).click();
  const frame = page.frameLocator('iframe');
  await expect(frame.locator('#pan')).toHaveText(issued.pan.replace(/(\d{4})(?=\d)/g, '$1 '));
  expect(await page.content()).not.toContain(issued.pan);
  await page.getByRole('button', { name: 'Hide' }).click();
  await page.getByRole('link', { name: 'Back to the card' }).click();

  // A purchase is held, and cleared with a tip.
  const lunch = await desk.cards.pay({ pan: issued.pan, amount: '200' });
  expect(lunch).toMatchObject({ status: 'PENDING', held: '200.00' });
  await expect(page.getByText('Held', { exact: true })).toBeVisible();
  await desk.cards.actOn(lunch.token, 'clear', '230');
  await expect(page.getByText('Paid', { exact: true })).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'a card with a payment');

  await page.getByRole('button', { name: 'HARBOUR CAFE', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'HARBOUR CAFE' });
  await expect(dialog.getByText('HARBOUR CAFE took 230.00 HKD; 200.00 HKD had been held.')).toBeVisible();
  await expect(dialog.getByText('Had been held', { exact: true })).toBeVisible();
  await expect(dialog.getByText('200.00 HKD', { exact: true })).toBeVisible();
  const photo = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  await dialog.locator('input[type=file]').setInputFiles({ name: 'lunch.png', mimeType: 'image/png', buffer: photo });
  await expect(dialog.getByText('lunch.png')).toBeVisible();
  await dialog.getByRole('button', { name: 'Add a receipt' }).click();
  await expect(toastOf(page, 'Receipt added')).toBeVisible();

  // Above the limit of the day; frozen; and what could not be declined.
  expect((await desk.cards.pay({ pan: issued.pan, amount: '300', merchant: 'PEAK BISTRO' })).status).toBe('DECLINED');
  await expect(page.getByText('Above the limit of the day')).toBeVisible();
  expect(await rightEdge(page.getByText('Declined', { exact: true }))).toBeCloseTo(
    await rightEdge(page.getByText('Paid', { exact: true })),
    0,
  );
  await page.getByRole('button', { name: 'Freeze', exact: true }).click();
  await expect(toastOf(page, 'Card frozen. Payments are declined from now on.')).toBeVisible();
  expect((await desk.cards.pay({ pan: issued.pan, amount: '1', merchant: 'STAR FERRY' })).status).toBe('DECLINED');
  await expect(page.getByText(/The card is frozen by/).first()).toBeVisible();
  await desk.cards.pay({ pan: issued.pan, amount: '40', kind: 'forced', merchant: 'TUNNEL TOLL' });
  await page.getByRole('button', { name: 'TUNNEL TOLL', exact: true }).click();
  await expect(
    page.getByText('TUNNEL TOLL took 40.00 HKD without an approval. It could not be declined.'),
  ).toBeVisible();
});

async function rightEdge(place: Locator): Promise<number> {
  const box = await place.boundingBox();
  return box === null ? Number.NaN : box.x + box.width;
}

test('a rule of the company binds a card, and the screens fit a phone in Chinese', async ({ browser }) => {
  const company = await openCompany({ name: 'Peak Travel' });
  await openAtBank(company, 'HKD', 50_000n);
  const page = await pageOf(browser, company);
  await issue(page, company, 'Field trips');
  const issued = await issuedAs('Field trips');
  await page.goto(`${cards}/rules`);
  await page.getByRole('button', { name: 'Add a rule' }).click();
  const dialog = page.getByRole('dialog');
  await choose(page, 'Currency', 'HKD');
  await dialog.getByLabel('Each purchase').fill('100');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('The company · HKD')).toBeVisible();
  await expectAccessible(page, 'rules of cards');
  expect((await desk.cards.pay({ pan: issued.pan, amount: '150' })).status).toBe('DECLINED');
  const phone = await pageOf(browser, company, { language: 'zh-hk', viewport: { width: 390, height: 844 } });
  await phone.goto(`${cards}/payments`);
  await expect(phone.getByText('超出每筆限額')).toBeVisible();
  for (const place of [cards, `${cards}/payments`, `${cards}/rules`, `${cards}/issue`]) {
    await phone.goto(place);
    await settled(phone);
    await expectNoSideways(phone, place);
    await expectAccessible(phone, `${place} on a phone`);
  }
});

test('a physical card is ordered, posted, activated by its digits, replaced and closed', { tag: '@proof' }, async ({
  browser,
}) => {
  const company = await openForCards('Lion Rock Couriers');
  const page = await pageOf(browser, company);
  await page.goto(`${cards}/issue`);
  const form = page.getByRole('form', { name: 'Issue a card' });
  await form.getByRole('radio', { name: /^Physical/ }).check();
  await find(form.getByRole('combobox', { name: 'Holder' }), company.email.slice(0, 3), company.email);
  await choose(page, 'Wallet', /^HKD · Pier Bank/);
  await form.getByLabel('Name of the card').fill('Van 12');
  await form.getByLabel('Each purchase').fill('300');
  await form.getByLabel('Recipient').fill('Ada Wong');
  await form.getByLabel('Address', { exact: true }).fill('1 Queen’s Road Central');
  await form.getByLabel('City').fill('Hong Kong');
  await find(form.getByRole('combobox', { name: 'Country', exact: true }), 'Hong', 'Hong Kong');
  await form.getByRole('button', { name: 'Issue a card' }).click();
  await expect(
    page.getByText(
      'Once you have the card in hand, choose Activate and enter its last four digits. It pays from then on.',
    ),
  ).toBeVisible();
  const issued = await issuedAs('Van 12');
  expect((await desk.cards.pay({ pan: issued.pan, amount: '10' })).status).toBe('DECLINED');
  await desk.cards.ship(issued.token, 'HK0011223344');
  await expect(page.getByText('On its way').first()).toBeVisible();
  await expect(page.getByText('HK0011223344').first()).toBeVisible();
  await page.getByRole('button', { name: 'Activate' }).click();
  const dialog = page.getByRole('dialog', { name: 'Activate' });
  await dialog.getByLabel('Last four digits').fill('0000');
  await dialog.getByRole('button', { name: 'Activate' }).click();
  await expect(dialog.getByText('These are not the last four digits of this card.').first()).toBeVisible();
  await dialog.getByLabel('Last four digits').fill(issued.pan.slice(-4));
  await dialog.getByRole('button', { name: 'Activate' }).click();
  await expect(toastOf(page, 'Card activated')).toBeVisible();
  await expect
    .poll(async () => (await desk.cards.pay({ pan: issued.pan, amount: '20', merchant: 'TUNNEL' })).status)
    .toBe('PENDING');

  // The old one is dead, the new one has its limits, and what was spent.
  await page.getByRole('button', { name: 'More about this card' }).click();
  await page.getByRole('menuitem', { name: 'Replace' }).click();
  const replacing = page.getByRole('dialog', { name: 'Replace' });
  await replacing.getByRole('radio', { name: 'Stolen' }).check();
  await settled(page);
  await expectAccessible(page, 'replacing a card');
  await replacing.getByRole('button', { name: 'Replace' }).click();
  await expect(toastOf(page, 'Card replaced')).toBeVisible();
  await expect
    .poll(async () => (await desk.cards.issued()).cards.filter(({ memo }) => memo.startsWith('Van 12')).length)
    .toBe(2);
  expect((await desk.cards.pay({ pan: issued.pan, amount: '1' })).status).toBe('DECLINED');
  await page.goto(cards);
  await page
    .getByRole('row', { name: /Van 12/ })
    .filter({ hasNotText: 'Closed' })
    .click();
  await expect(page.getByText('300.00 HKD').first()).toBeVisible();
  await page.getByRole('button', { name: 'More about this card' }).click();
  await page.getByRole('menuitem', { name: 'Close for good' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close for good' }).click();
  await expect(toastOf(page, 'Card closed')).toBeVisible();
});

test('a rule of the department declines a member’s purchase, who reads why at once; online and abroad; a refund by itself', async ({
  browser,
}) => {
  const company = await openForCards('Victoria Events');
  const departmentId = await openDepartment(company, 'Field team');
  const ben = await hire(company, { firstName: 'Ben', lastName: 'Lo', departmentId });
  const limits = { each: null, day: null, month: null, total: null };
  const rule = { scope: 'department' as const, scopeId: departmentId, asset: 'HKD', limits, countries: null };
  const categories = { mode: 'deny' as const, groups: ['bars' as const] };
  await send(setCardRule, { token: company.token, body: { ...rule, categories, online: true } });
  const countries = { mode: 'allow' as const, codes: ['HK'] };
  const { issued } = await issueByCall(company, {
    name: 'Ben’s field card',
    holderId: ben.id,
    countries,
    online: false,
  });
  const page = await pageOf(browser, ben);
  await page.goto('/app/notice-center');
  const attempts = [
    ['PEAK BAR', { mcc: '5813' }, 'merchants of this kind are not allowed'],
    ['WEB SHOP', { online: true }, 'online payments are not allowed'],
    ['MACAU GRILL', { country: 'MAC' }, 'this country is not allowed'],
  ] as const;
  for (const [merchant, wish, why] of attempts) {
    expect((await desk.cards.pay({ pan: issued.pan, amount: '90', merchant, ...wish })).status).toBe('DECLINED');
    // The notice comes without a reload.
    const notice = page.getByRole('listitem').filter({ hasText: merchant });
    await expect(notice.filter({ hasText: why })).toBeVisible();
  }
  await desk.cards.pay({ pan: issued.pan, amount: '45', merchant: 'RAIN COATS', kind: 'refund' });
  await page.goto(`${cards}/payments`);
  const refund = page.getByRole('row', { name: /RAIN COATS/ });
  await expect(refund).toContainText('Refunded');
  await expect(refund).toContainText('45.00');
  await expect(page.getByRole('row', { name: /PEAK BAR/ })).toContainText('This merchant category is not allowed');
});
