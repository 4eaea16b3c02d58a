import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { type CardedCompany, issueByCall, openForCards } from '../fixtures/cards.ts';
import { desk, type IssuedCard } from '../fixtures/desk.ts';
import { pdfOf, pngOf } from '../fixtures/papers.ts';
import { textOfPdf } from '../fixtures/pdf.ts';
import { expectAccessible, expectNoSideways, settled, toastOf } from '../fixtures/screen.ts';
import { pageOf, expect as soon, test } from '../fixtures/test.ts';

/** Receipts of card payments: by phone, seen, replaced, missing, and exported; one company for all. */

test.describe.configure({ timeout: 300_000, mode: 'serial' });

/** Payments are reported, and mails sent, by a worker that may have much to do. */
const expect = soon.configure({ timeout: 60_000 });
const cards = '/app/wallet/credit-card';
let company: CardedCompany;
let cardId: string;
let issued: IssuedCard;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  company = await openForCards('Lantau Catering');
  ({ id: cardId, issued } = await issueByCall(company, { name: 'Team dinners' }));
  for (const [merchant, amount] of [
    ['HARBOUR CAFE', '230'],
    ['NOODLE BAR', '88.5'],
  ] as const) {
    const purchase = await desk.cards.pay({ pan: issued.pan, merchant, amount });
    await desk.cards.actOn(purchase.token, 'clearLast');
  }
});

async function saved(page: Page, press: () => Promise<void>): Promise<{ name: string; content: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
}

test('the mail leads a phone to the payment, whose receipt is photographed there', async ({ browser }) => {
  const { text } = await company.inbox.next((mail) => mail.text.includes('HARBOUR CAFE'));
  const [link = ''] = /https?:\S+\/credit-card\/receipt\/[0-9a-f-]{36}/.exec(text) ?? [];
  const phone = await pageOf(browser, company, {
    ...{ language: 'zh-hk', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  });
  await phone.goto(new URL(link).pathname);
  await expect(phone.getByText('HARBOUR CAFE')).toBeVisible();
  await settled(phone);
  await expectNoSideways(phone, 'the page of a receipt');
  await expectAccessible(phone, 'the page of a receipt on a phone');
  // The camera opens at once, for photos that every computer shows.
  const camera = phone.getByLabel('拍攝單據');
  await expect(camera).toHaveAttribute('capture', 'environment');
  await expect(camera).toHaveAttribute('accept', 'image/jpeg,image/png');
  await camera.setInputFiles({ name: 'IMG_1.HEIC', mimeType: 'image/heic', buffer: Buffer.from('any') });
  await expect(phone.getByText(/IMG_1\.HEIC 是 iPhone 的 HEIC 格式/)).toBeVisible();
  await camera.setInputFiles(pngOf('dinner.png', 60, 90));
  await expect(phone.getByText('dinner.png')).toBeVisible();
  await phone.getByRole('button', { name: '上載單據' }).click();
  await expect(phone.getByText('這筆消費已有單據。')).toBeVisible();
});

test('a receipt is shown, replaced, removed after a question, and what is missing is counted at home', {
  tag: '@proof',
}, async ({ browser }) => {
  const page = await pageOf(browser, company);
  await page.goto('/app/home');
  await page.getByRole('link', { name: '1 of your payments lacks a receipt' }).click();
  await expect(page.getByRole('button', { name: 'NOODLE BAR' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'HARBOUR CAFE' })).toBeHidden();
  await page.goto(`${cards}/payments`);
  await page.getByRole('button', { name: 'HARBOUR CAFE' }).click();
  const dialog = page.getByRole('dialog', { name: 'HARBOUR CAFE' });
  await dialog.getByRole('button', { name: 'Open', exact: true }).click();
  const preview = page.getByRole('dialog', { name: 'dinner.png' });
  const picture = preview.getByRole('img', { name: 'dinner.png' });
  await expect(picture).toBeVisible();
  expect(await picture.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight])).toEqual([
    60, 90,
  ]);
  const { name } = await saved(page, () => preview.getByRole('button', { name: 'Download' }).click());
  expect(name).toBe('dinner.png');
  await expectAccessible(page, 'the preview of a receipt');
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Replace' }).click();
  await dialog.locator('input[type=file]').setInputFiles(pdfOf('invoice.pdf', 'Dinner for eight'));
  await expect(dialog.getByText('invoice.pdf')).toBeVisible();
  await dialog.getByRole('button', { name: 'Replace' }).click();
  await expect(toastOf(page, 'Receipt replaced')).toBeVisible();
  await page.getByRole('button', { name: 'HARBOUR CAFE' }).click();
  await dialog.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'invoice.pdf' }).locator('iframe')).toHaveAttribute('src', /^blob:/);
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Remove the receipt' }).click();
  const question = page.getByRole('dialog', { name: 'Remove the receipt' });
  await expect(question).toContainText('invoice.pdf');
  await question.getByRole('button', { name: 'Remove the receipt' }).click();
  await expect(toastOf(page, 'Receipt of HARBOUR CAFE removed')).toBeVisible();
  await expect(page.getByText('2 of your payments lack a receipt')).toBeVisible();
});

test('files: the archive for the accountant, the statement of the card, the receipt of its transaction', async ({
  browser,
}) => {
  const page = await pageOf(browser, company);
  await page.goto(`${cards}/payments`);
  await page.getByRole('button', { name: 'NOODLE BAR' }).click();
  const dialog = page.getByRole('dialog', { name: 'NOODLE BAR' });
  await dialog.locator('input[type=file]').setInputFiles(pdfOf('noodles.pdf', 'Noodles'));
  await dialog.getByRole('button', { name: 'Add a receipt' }).click();
  await expect(toastOf(page, 'Receipt added')).toBeVisible();
  await page.getByRole('button', { name: 'Export for accounting' }).click();
  const asking = page.getByRole('dialog', { name: 'Export for accounting' });
  await settled(page);
  await expectAccessible(page, 'the export of receipts');
  const archive = await saved(page, () => asking.getByRole('button', { name: 'Download' }).click());
  expect(archive.name).toMatch(/^cards-.*\.zip$/);
  expect(archive.content.toString('latin1')).toMatch(
    /receipts\/\d{4}-\d\d-\d\d_NOODLE-BAR_88\.50-HKD_[0-9a-f-]{36}\.pdf/,
  );
  await page.goto(`${cards}/${cardId}`);
  await page.getByRole('button', { name: 'Statement' }).click();
  const statement = await saved(page, () => page.getByRole('dialog').getByRole('button', { name: 'Download' }).click());
  expect(await textOfPdf(new Uint8Array(statement.content).buffer)).toContain('Total paid: 318.50 HKD');
  // The transaction says its card, and is found by it.
  await page.goto(`/app/transaction?cardId=${cardId}`);
  await page.getByRole('row', { name: /NOODLE BAR/ }).click();
  await expect(page.getByText('Restaurants (5812)')).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'a transaction paid by card');
  const receipt = await saved(page, () => page.getByRole('button', { name: 'Receipt' }).click());
  const words = await textOfPdf(new Uint8Array(receipt.content).buffer);
  expect(words).toContain(`Team dinners ·· ${issued.pan.slice(-4)}`);
});
