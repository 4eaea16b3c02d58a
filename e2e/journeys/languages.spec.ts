import { type Locale, locales } from '@causeway/contract/locale.ts';
import type { Page } from '@playwright/test';
import { textOf, wrongTexts } from '../fixtures/catalogues.ts';
import { consolePlaces, panelPlaces, placesToCome, publicPlaces } from '../fixtures/places.ts';
import { settled } from '../fixtures/screen.ts';
import { expect, pageOf, remembered, signedInTest as test } from '../fixtures/test.ts';

test.describe.configure({ timeout: 180_000 });

const softly = expect.configure({ soft: true });

const tags = { 'en-us': 'en-US', 'zh-hk': 'zh-HK', 'zh-cn': 'zh-CN' } as const;

async function expectOneLanguage(page: Page, path: string, locale: Locale): Promise<void> {
  await page.goto(path);
  await settled(page);
  await expect(page.locator('html')).toHaveAttribute('lang', tags[locale]);
  await softly.poll(() => wrongTexts(page, locale), { message: `texts on ${path} in ${locale}` }).toEqual([]);
  expect.soft(await page.title(), `title of ${path}`).not.toBe('');
}

for (const locale of locales) {
  test(`every page before sign-in speaks ${locale}`, async ({ browser }) => {
    const context = await browser.newContext({ storageState: remembered({ language: locale }) });
    const page = await context.newPage();
    for (const path of publicPlaces) await expectOneLanguage(page, path, locale);
    // What is wrong is said in the same language.
    await page.goto('/sign-in');
    await page.getByRole('button', { name: textOf(locale, 'identity.signIn.submit') }).click();
    await expect(page.getByText(textOf(locale, 'field.emailRequired'), { exact: true })).toBeVisible();
    await expect(page.getByText(textOf(locale, 'field.passwordRequired'), { exact: true })).toBeVisible();
    await softly.poll(() => wrongTexts(page, locale)).toEqual([]);
    await context.close();
  });

  test(`every page of the console speaks ${locale}`, async ({ browser, company }) => {
    const page = await pageOf(browser, company, { language: locale });
    const places = [...consolePlaces, ...(await panelPlaces(company)), ...placesToCome];
    for (const path of places) await expectOneLanguage(page, path, locale);
    await page.context().close();
  });
}

test('the language is English unless chosen here, whatever the browser prefers', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'zh-HK', storageState: remembered({}) });
  const page = await context.newPage();
  await page.goto('/sign-in');
  await expect(page.getByRole('button', { name: 'Access Your Account' })).toBeVisible();
  await page.getByRole('button', { name: '简体中文' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  await page.reload();
  await expect(page.getByRole('button', { name: textOf('zh-cn', 'identity.signIn.submit') })).toBeVisible();
  await context.close();
});
