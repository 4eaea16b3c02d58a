import { readFile } from 'node:fs/promises';
import { listRecharges } from '@causeway/contract/recharges.ts';
import { isAtBank } from '@causeway/contract/wallets-rules.ts';
import { type Company, openCompany, wallets } from '../fixtures/company.ts';
import { send } from '../fixtures/console-api.ts';
import { desk } from '../fixtures/desk.ts';
import { languagesRead } from '../fixtures/languages.ts';
import { textOfPdf } from '../fixtures/pdf.ts';
import { choose, copied, expectAccessible, expectFits, settled, tabTo, toastOf } from '../fixtures/screen.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';

test.describe.configure({ timeout: 180_000 });

let company: Company;
test.beforeAll(async () => {
  company = await openCompany({ name: 'Pearl River Trading Limited' });
});

async function dollars() {
  const found = (await wallets(company)).filter(isAtBank).find(({ asset }) => asset === 'HKD');
  if (!found) throw new Error('the company has a wallet in Hong Kong dollars');
  return found;
}

const advice = { name: 'advice.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF\n') };

/** Half past two of some day in the past, as the browser's field wants it. */
const paidAt = '2026-11-20T14:30';

test('details are copied and saved, the proof is sent, and the notice waits for the bank', async ({ browser }) => {
  const { place, id } = await dollars();
  const page = await pageOf(browser, company, {
    permissions: ['clipboard-read', 'clipboard-write'],
    acceptDownloads: true,
  });
  await page.goto('/app/wallet/recharge');
  await choose(page, 'Coin or currency', /^HKD(?!T)/);
  await expect(page).toHaveURL(/coin=HKD&bank=harbour/);
  await page.getByRole('button', { name: 'Copy Account number' }).click();
  expect(await copied(page, /^\d+$/)).toBe(place.account.number);
  await page.getByRole('button', { name: 'Copy Payment reference' }).click();
  expect(await copied(page, /^RF/)).toMatch(new RegExp(`^RF\\d{2}${place.account.number}$`));
  await page.getByRole('button', { name: 'Copy all' }).click();
  const all = await copied(page, /Payment reference: RF/);
  for (const part of ['Pearl River Trading Limited', place.account.number, 'HRBRHKHH', '998', 'Central, Hong Kong']) {
    expect(all).toContain(part);
  }
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download PDF' }).click();
  const saved = await (await saving).path();
  const text = await textOfPdf(new Uint8Array(await readFile(saved)).buffer);
  for (const part of ['Funding details', place.account.number, 'HRBRHKHH', 'Pearl River Trading Limited']) {
    expect(text).toContain(part);
  }

  await page.getByRole('button', { name: 'Next: pay' }).click();
  await expect(page.getByRole('heading', { name: 'Pay from your bank' })).toBeFocused();
  await expect(page.getByText(/Hong Kong Standard Time/).first()).toBeVisible();
  await expect(page.locator('[data-expected]')).toContainText(/Expected/);
  await page.reload();
  await expect(page.locator('[data-expected]')).toBeVisible();
  await page.getByRole('button', { name: 'I have paid' }).click();
  await page.goBack();
  await expect(page.locator('[data-expected]')).toBeVisible();
  await page.goForward();

  await page.getByRole('button', { name: 'Send proof' }).click();
  await expect(page.getByText('Add at least one file')).toBeVisible();
  await page.getByLabel('Amount paid').fill('0.5');
  await page.getByLabel('Amount paid').blur();
  await expect(page.getByText('Less than the minimum of a recharge')).toBeVisible();
  await page.getByLabel('Amount paid').fill('12500.50');
  await page.getByLabel('Paid at').fill(paidAt);
  await page.locator('input[type="file"]').setInputFiles(advice);
  await expect(page.getByRole('button', { name: /Remove advice\.pdf/ })).toBeVisible();
  await page.getByLabel('Remark').fill('Invoice 7');
  await page.reload();
  await expect(page.getByLabel('Amount paid')).toHaveValue('12500.50');
  await page.getByRole('button', { name: 'Send proof' }).click();
  await expect(toastOf(page, 'Recharge announced')).toBeVisible();

  const panel = page.getByRole('dialog', { name: /Announced recharge of 12,500\.50/ });
  await expect(panel.getByText('Received by the bank')).toBeVisible();
  await expect(panel.getByText('Invoice 7')).toBeVisible();
  await page.reload();
  await expect(panel.getByText('Received by the bank')).toBeVisible();
  await page.keyboard.press('Escape');
  const notices = page.getByRole('region', { name: 'Announced recharges' });
  await expect(notices.getByRole('row').filter({ hasText: '12,500.50' })).toHaveCount(1);
  // Nothing is credited by it.
  expect((await dollars()).quantity).toBe('0.00');

  await page.goto('/app/transaction');
  await page.getByRole('link', { name: /12,500\.50/ }).click();
  await expect(panel).toBeVisible();
  await panel.getByRole('button', { name: 'Withdraw notice' }).click();
  await page
    .getByRole('dialog', { name: 'Withdraw this notice?' })
    .getByRole('button', { name: 'Withdraw notice' })
    .click();
  await expect(toastOf(page, 'Notice withdrawn')).toBeVisible();
  await expect(panel.getByText('Withdrawn').first()).toBeVisible();
  const { items } = await send(listRecharges, { token: company.token, query: { walletId: id } });
  expect(items.map(({ status }) => status)).toEqual(['withdrawn']);
  await page.context().close();
});

test('money that arrives at the bank is credited by the bank’s own message, without any proof', async ({ browser }) => {
  const { place, quantity } = await dollars();
  expect(quantity).toBe('0.00');
  await desk.payIn({
    bank: 'harbour',
    to: place.account.number,
    currency: 'HKD',
    amount: '8800.25',
    payer: { name: 'Kowloon Mills Limited' },
    text: 'Invoice 2026-11',
  });
  await expect.poll(async () => (await dollars()).quantity, { timeout: 60_000 }).toBe('8800.25');
  const page = await pageOf(browser, company);
  await page.goto('/app/transaction');
  await page.getByRole('row').filter({ hasText: 'Kowloon Mills Limited' }).getByRole('link').first().click();
  const panel = page.getByRole('dialog').filter({ hasText: 'Kowloon Mills Limited' });
  await expect(panel.getByText('Invoice 2026-11')).toBeVisible();
  await expect(panel.getByText('Harbour Bank').first()).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'deposit at a bank');
  await page.context().close();
});

test('its steps fit and can be read by everybody, in each language', { tag: '@proof' }, async ({ browser }) => {
  const words = { 'en-us': 'Your HKD account', 'zh-hk': '你的 HKD 帳戶', 'zh-cn': '您的 HKD 账户' };
  for (const language of languagesRead) {
    const page = await pageOf(browser, company, { language });
    await page.goto('/app/wallet/recharge?coin=HKD&bank=harbour');
    await expect(page.getByRole('heading', { name: words[language] })).toBeVisible();
    await expectFits(page, `details, ${language}`);
    for (const step of ['pay', 'proof']) {
      await page.goto(`/app/wallet/recharge?coin=HKD&bank=harbour&step=${step}`);
      await expect(page.locator(step === 'pay' ? '[data-expected]' : 'input[type="file"]')).toBeAttached();
      await expectFits(page, `${step}, ${language}`);
    }
    await page.context().close();
  }
});

test('the keyboard alone goes through the steps', { tag: '@proof' }, async ({ browser }) => {
  const page = await pageOf(browser, company);
  await page.goto('/app/wallet/recharge?coin=HKD&bank=harbour');
  await expect(page.getByRole('heading', { name: 'Your HKD account' })).toBeVisible();
  await tabTo(page.getByRole('button', { name: 'Next: pay' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Pay from your bank' })).toBeFocused();
  await tabTo(page.getByRole('button', { name: 'I have paid' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Tell us about the payment' })).toBeFocused();
  await tabTo(page.getByLabel('Amount paid'));
  await page.keyboard.type('2500');
  await page.getByLabel('Paid at').fill(paidAt);
  await page.locator('input[type="file"]').setInputFiles(advice);
  await expect(page.getByRole('button', { name: /Remove advice\.pdf/ })).toBeVisible();
  await tabTo(page.getByRole('button', { name: 'Send proof' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: /Announced recharge of 2,500/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/app\/wallet\/recharge\?/);
  await page.context().close();
});
