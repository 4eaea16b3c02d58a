import { type Locale, locales } from '@causeway/contract/locale.ts';
import type { Page } from '@playwright/test';
import { textOf, wrongTexts } from '../fixtures/catalogues.ts';
import { consolePlaces, panelPlaces, publicPlaces } from '../fixtures/places.ts';
import { cutPlaceholders, expectAccessible, expectNoSideways, follow, settled } from '../fixtures/screen.ts';
import { expect, pageOf, remembered, signedInTest as test } from '../fixtures/test.ts';

/**
 * Every page, and all that must hold on any page: its texts, what axe-core finds, and its width on a phone. `npm run proof` opens each by its
 * address in every language; `npm test` goes to each in one, in turns, and looks at every fourth one in the dark too, since colours do not
 * depend on the language.
 */

test.describe.configure({ timeout: 240_000 });

const softly = expect.configure({ soft: true });
const everywhere = process.env['AXE_EVERYWHERE'] !== undefined;
const tags = { 'en-us': 'en-US', 'zh-hk': 'zh-HK', 'zh-cn': 'zh-CN' } as const;
const wide = { width: 1440, height: 900 };
const narrow = { width: 390, height: 844 };

/** Pages that are drawn in another way when narrow: cards for tables, a drawer for the menu. `npm run proof` asks axe-core on every one. */
const checkedNarrow = ['/app/home', '/app/wallet', '/app/transfer-out', '/app/payee', '/app/transaction'];

/** Whether it is a page's turn to be opened in this language. */
const isTurn = (index: number, locale: Locale): boolean =>
  everywhere || index % locales.length === locales.indexOf(locale);

/** What is seen before and after sign-in is not one app: the first page of each is opened by its address. */
async function open(page: Page, path: string): Promise<void> {
  const isInApp = path.startsWith('/app/') && new URL(page.url()).pathname.startsWith('/app/');
  await (isInApp && !everywhere ? follow(page, path) : page.goto(path));
}

async function expectWell(page: Page, path: string, index: number, locale: Locale): Promise<void> {
  await page.setViewportSize(wide);
  await open(page, path);
  await settled(page);
  await expect(page.locator('html')).toHaveAttribute('lang', tags[locale]);
  await softly.poll(() => wrongTexts(page, locale), { message: `texts on ${path} in ${locale}` }).toEqual([]);
  expect.soft(await page.title(), `title of ${path}`).not.toBe('');
  expect.soft(await cutPlaceholders(page), `searches on ${path} in ${locale}`).toEqual([]);
  await expectAccessible(page, `${path} in ${locale}`);
  if (everywhere ? locale === 'zh-cn' : index % 4 === 0) {
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page, `${path} in the dark`);
    await page.emulateMedia({ colorScheme: 'light' });
  }
  await page.setViewportSize(narrow);
  await settled(page);
  await expectNoSideways(page, `${path} in ${locale}`);
  expect.soft(await cutPlaceholders(page), `searches on ${path} at 390 px in ${locale}`).toEqual([]);
  if (everywhere || checkedNarrow.includes(path)) await expectAccessible(page, `${path} at 390 px`);
}

for (const locale of locales) {
  test(`every page before sign-in is whole in ${locale}`, async ({ browser }) => {
    const context = await browser.newContext({ colorScheme: 'light', storageState: remembered({ language: locale }) });
    const page = await context.newPage();
    for (const [index, path] of publicPlaces.entries()) {
      if (isTurn(index, locale)) await expectWell(page, path, index, locale);
    }
    // What is wrong is said in the same language, and marked for everybody.
    await page.setViewportSize(wide);
    for (const [path, button, problem] of [
      ['/sign-in', 'identity.signIn.submit', 'field.emailRequired'],
      ['/sign-up', 'identity.signUp.submit', 'field.invitationCode'],
    ] as const) {
      await page.goto(path);
      await page.getByRole('button', { name: textOf(locale, button) }).click();
      await expect(page.getByText(textOf(locale, problem), { exact: true })).toBeVisible();
      await settled(page);
      await softly.poll(() => wrongTexts(page, locale)).toEqual([]);
      await expectAccessible(page, `${path} with errors in ${locale}`);
    }
    await context.close();
  });

  test(`every page of the console is whole in ${locale}`, async ({ browser, company }) => {
    const page = await pageOf(browser, company, { colorScheme: 'light', language: locale });
    const places = [...consolePlaces, ...(await panelPlaces(company))];
    for (const [index, path] of places.entries()) {
      if (isTurn(index, locale)) await expectWell(page, path, index, locale);
    }
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
