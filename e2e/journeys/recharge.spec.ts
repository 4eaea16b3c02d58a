import type { Page } from '@playwright/test';
import { decodeQR } from 'qr/decode.js';
import { openCompany, walletOf, walletRows } from '../fixtures/company.ts';
import { choose, copied, heading, toastOf } from '../fixtures/screen.ts';
import { expect, pageOf, signedInTest as test } from '../fixtures/test.ts';

/** Reads the QR code on the page as a phone's camera would: from its pixels. */
async function readQr(page: Page): Promise<string> {
  const picture = await page.getByRole('img', { name: /^QR code:/ }).evaluate(async (svg) => {
    const size = 400;
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
    await image.decode();
    const canvas = new OffscreenCanvas(size, size);
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('no canvas');
    context.fillStyle = '#ffffff';
    context.fillRect(0, 0, size, size);
    context.drawImage(image, 24, 24, size - 48, size - 48);
    // Half a million numbers one by one would take seconds on their way here.
    const bytes = context.getImageData(0, 0, size, size).data;
    return { size, data: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')) };
  });
  const data = new Uint8Array(Buffer.from(picture.data, 'base64'));
  return decodeQR({ width: picture.size, height: picture.size, data });
}

test('an address to recharge: QR code by EIP-681, copy, and a quantity that goes into the code', async ({
  page,
  company,
  context,
}) => {
  await context.grantPermissions(['clipboard-write']);
  const wallet = await walletOf(company, 'USDT');
  await page.goto('/app/wallet/recharge');
  await expect(page.getByText('The address or the bank details will appear here')).toBeVisible();
  await choose(page, 'Coin or currency', 'USDT');
  await expect(page).toHaveURL(/coin=USDT&chain=ethereum/);
  await expect(page.locator('[data-address]')).toHaveText(wallet.place.address);
  await expect
    .poll(() => readQr(page))
    .toMatch(new RegExp(`^ethereum:0x[0-9a-fA-F]{40}@\\d+/transfer\\?address=${wallet.place.address}$`));
  await page.getByRole('button', { name: 'Copy address' }).click();
  await expect(toastOf(page, 'Copied successfully')).toBeVisible();
  expect(await copied(page, /^0x/)).toBe(wallet.place.address);
  await expect(page.getByText('6 confirmations')).toBeVisible();

  await page.getByLabel('Quantity').fill('0.5');
  await expect(page.getByText('The recharge quantity must be at least 1.00 USDT')).toBeVisible();
  await page.getByLabel('Quantity').fill('250.75');
  await expect(page.getByText('Scan to send 250.75 USDT')).toBeVisible();
  await expect.poll(() => readQr(page)).toContain('uint256=250750000');
  await page.getByLabel('Quantity').pressSequentially('abc,');
  await expect(page.getByLabel('Quantity')).toHaveValue('250.75');

  await choose(page, 'Coin or currency', 'ETH');
  await expect.poll(() => readQr(page)).toMatch(new RegExp(`^ethereum:${wallet.place.address}@\\d+$`));
  await page.reload();
  await expect(page.locator('[data-address]')).toHaveText(wallet.place.address);
});

test('the wallet list shows what there is, and each wallet its statement', async ({ page, company }) => {
  await page.goto('/app/wallet');
  await expect(heading(page, 'Wallet list')).toBeVisible();
  // The chart has a table of its own for screen readers.
  const rows = page.locator('table').last().getByRole('row');
  const row = (coin: string) => rows.filter({ hasText: `${coin}Ethereum` });
  await expect(rows).toHaveCount(await walletRows(company));
  await expect(row('USDC')).toContainText('12,500.50');
  await expect(row('ETH')).toContainText('3.25');
  for (const name of ['Total assets', 'Available', 'In transfer']) {
    await expect(page.getByText(name, { exact: true }).first()).toBeVisible();
  }
  await row('HKDT').getByRole('link').first().click();
  const wallet = await walletOf(company, 'HKDT');
  await expect(page).toHaveURL(`/app/wallet/${wallet.id}`);
  const panel = page.getByRole('dialog', { name: 'HKDT on Ethereum' });
  await expect(panel.getByText(wallet.place.address)).toBeVisible();
  await expect(panel.locator('table')).toContainText('80,000');
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/app/wallet');
});

test('a new company is shown what to do first', { tag: '@proof' }, async ({ browser }) => {
  const company = await openCompany();
  const page = await pageOf(browser, company);
  await page.goto('/app/home');
  await expect(page.getByText('No transactions yet')).toBeVisible();
  await page.getByRole('link', { name: 'Recharge' }).last().click();
  await expect(page).toHaveURL('/app/wallet/recharge');
  await page.goto('/app/wallet');
  await page.getByRole('checkbox', { name: 'Hide zero balances' }).check();
  await expect(page.getByText('Every wallet is empty')).toBeVisible();
  await page.getByRole('button', { name: 'Show all wallets' }).click();
  await expect(page.getByRole('row')).toHaveCount(await walletRows(company));
  await page.context().close();
});
