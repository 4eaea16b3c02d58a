import type { Locale } from '@causeway/contract/locale.ts';
import { textOf } from '../fixtures/catalogues.ts';
import { openCompany, speak } from '../fixtures/company.ts';
import { toastOf } from '../fixtures/screen.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';

/** The outage is one browser's alone; that of the product is in `alone/`. */
for (const language of ['zh-hk', 'zh-cn'] satisfies Locale[]) {
  const tag = language === 'zh-hk' ? [] : ['@proof'];
  test(`an outage and its end are said in ${language}, on a phone too`, { tag }, async ({ browser }) => {
    const company = await openCompany();
    await speak(company, language);
    const page = await pageOf(browser, company, { language, viewport: { width: 390, height: 844 } });
    const away = { code: 1008, data: null, errors: ['x'], key: 'unavailable', fields: {}, requestId: 'r' };
    await page.route('**/web/notice?*', (route) => route.fulfill({ status: 503, json: away }));
    await page.route('**/common/status', (route) => route.fulfill({ status: 503, json: away }));
    await page.goto('/app/notice-center');
    await expect(page.getByText(textOf(language, 'app.unavailable'))).toBeVisible();
    await page.screenshot({ path: test.info().outputPath('outage.png') });
    await page.unrouteAll();
    await expect(toastOf(page, textOf(language, 'app.available'))).toBeVisible();
    await expect(page.getByText(textOf(language, 'app.unavailable'))).toBeHidden();
    await page.context().close();
  });
}
