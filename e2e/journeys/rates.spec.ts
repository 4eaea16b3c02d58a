import { type Company, fund, openCompany } from '../fixtures/company.ts';
import { desk } from '../fixtures/desk.ts';
import { languagesRead } from '../fixtures/languages.ts';
import { expectAccessible, expectNoSideways, settled, toastOf } from '../fixtures/screen.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';

test.describe.configure({ timeout: 180_000 });

const mailsOf = async ({ email }: Company) => (await desk.mails(email)).map(({ subject }) => subject);

test('the list has each pair once, what is held first; it is searched, and favourites outlive a reload', {
  tag: '@proof',
}, async ({ browser }) => {
  const company = await openCompany();
  await fund(company, { USDT: '10' });
  const page = await pageOf(browser, company);
  await page.goto('/app/wallet/rates');
  const table = page.getByRole('table');
  const rows = table.locator('tbody').getByRole('row');
  await expect(rows.first()).toContainText('USDT', { timeout: 60_000 });
  await expect(page.getByRole('row', { name: /^ETH \/ USDT / })).toBeVisible();
  await expect(page.getByRole('row', { name: /^USDT \/ ETH / })).toHaveCount(0);

  await page.getByRole('searchbox', { name: 'Search assets' }).fill('hkdt eth');
  await expect(rows).toHaveCount(1);
  await page.getByRole('button', { name: 'Favourite: ETH / HKDT' }).click();
  await expect(page).toHaveURL(/keyword=hkdt/);
  await page.goto('/app/wallet/rates');
  await expect(rows.first()).toContainText('ETH / HKDT');
  await page.getByRole('combobox', { name: 'Rates of' }).selectOption('HKDT');
  await expect(rows.first()).toContainText('HKDT / ETH');
  await page.getByRole('combobox', { name: 'Show', exact: true }).selectOption('Favourites');
  await expect(rows).toHaveCount(1);
  await page.getByRole('searchbox', { name: 'Search assets' }).fill('usdc');
  await page.getByRole('button', { name: 'Show all pairs' }).click();
  await expect(page.getByRole('row', { name: /^ETH \/ USDT / })).toBeVisible();
  await page.context().close();

  for (const language of languagesRead) {
    const phone = await pageOf(browser, company, { viewport: { width: 390, height: 844 }, language });
    await phone.goto('/app/wallet/rates');
    await expect(phone.getByText('ETH / USDT')).toBeVisible();
    await expectNoSideways(phone, `the list of rates on a phone in ${language}`);
    await phone.context().close();
  }
});

test('rates: pairs of what is held, a chart of a day and of thirty, and an alert that comes once', async ({
  browser,
}) => {
  const company = await openCompany();
  await fund(company, { USDT: '10' });
  const page = await pageOf(browser, company);
  await page.goto('/app/wallet');
  await page.getByRole('link', { name: 'Rates', exact: true }).click();
  await expect(page).toHaveURL('/app/wallet/rates');
  const pair = page.getByRole('row', { name: /^ETH \/ USDT / });
  // Three sources agree on it within a few seconds of the sandbox's start.
  await expect(pair).toContainText('Current', { timeout: 60_000 });
  await settled(page);
  await expectAccessible(page, 'the list of rates');

  await pair.getByRole('link').first().click();
  await expect(page).toHaveURL('/app/wallet/rates/ETH-USDT');
  const panel = page.getByRole('dialog', { name: 'ETH / USDT' });
  await expect(panel.getByText(/^1 ETH = [\d,.]+ USDT$/)).toBeVisible();
  await expect(panel.getByRole('table', { name: 'ETH in USDT, 24 hours' })).toBeAttached();
  await panel.getByRole('tab', { name: '30 days' }).click();
  await expect(panel.getByRole('table', { name: 'ETH in USDT, 30 days' })).toBeAttached();

  const form = panel.getByRole('form', { name: 'New alert' });
  await form.getByRole('button', { name: 'Add alert' }).click();
  await expect(form.getByText('Enter a rate above zero.')).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'the panel of a rate');
  await form.getByRole('radio', { name: 'rises to' }).check();
  // The rate is above it: the next round gives the alert.
  await form.getByRole('textbox', { name: 'Rate of 1 ETH' }).fill('10.5');
  await form.getByRole('button', { name: 'Add alert' }).click();
  await expect(toastOf(page, 'You will get a notice and a mail, once.')).toBeVisible();
  await form.getByRole('radio', { name: 'falls to' }).check();
  await form.getByRole('textbox', { name: 'Rate of 1 ETH' }).fill('0.25');
  await form.getByRole('button', { name: 'Add alert' }).click();
  await expect(panel.getByText('Falls to 0.25 USDT').first()).toBeVisible();
  await panel.getByRole('button', { name: 'Remove Falls to 0.25 USDT' }).click();
  await expect(panel.getByText('Falls to 0.25 USDT')).toHaveCount(0);

  await expect
    .poll(() => mailsOf(company), { timeout: 90_000 })
    .toContainEqual(expect.stringMatching(/^ETH at [\d.]+ USDT, above 10\.5$/));
  await page.goto('/app/notice-center');
  await page.getByRole('listitem').filter({ hasText: 'USDT, above 10.5' }).getByRole('link').first().click();
  await expect(page).toHaveURL('/app/wallet/rates/ETH-USDT');
  await expect(panel.getByText(/^Done at/)).toBeVisible();
  await page.context().close();

  const phone = await pageOf(browser, company, { viewport: { width: 390, height: 844 }, language: 'zh-hk' });
  await phone.goto('/app/wallet/rates/ETH-USDT');
  await expect(phone.getByText('升至 10.50 USDT').first()).toBeVisible();
  await expectNoSideways(phone, 'the panel of a rate on a phone');
  await phone.context().close();
});
