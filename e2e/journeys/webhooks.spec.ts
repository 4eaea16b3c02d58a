import type { Locator, Page } from '@playwright/test';
import { type Company, fund, openCompany } from '../fixtures/company.ts';
import { desk } from '../fixtures/desk.ts';
import { expectAccessible, expectNoSideways, settled, toastOf } from '../fixtures/screen.ts';
import { pageOf, expect as soon, test } from '../fixtures/test.ts';

test.describe.configure({ timeout: 420_000 });

/** Codes are mailed and events delivered by a worker that may have much to do. */
const expect = soon.configure({ timeout: 60_000 });

let company: Company;
test.beforeAll(async () => {
  company = await openCompany({ name: 'Ferry Books Limited' });
});

/** Asks for a code in a dialog and fills it in. */
async function proveIn(dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'Send code' }).click();
  await dialog.getByLabel('Verification code').fill(await company.inbox.code());
}

async function secretShown(page: Page): Promise<string> {
  const secret = await page.getByTestId('webhook-secret').innerText();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  return secret;
}

/** What came for this company, the newest first: companies of other journeys have other paths. */
const received = async (path: string) => (await desk.webhooks()).received.filter((each) => each.path === path);

test('an endpoint receives the events of a deposit, its secret is rotated, and a delivery is resent', async ({
  browser,
}) => {
  const { url } = await desk.webhooks({ mode: 'ok', forget: true });
  const path = '/hooks/ferry';
  const address = new URL(path, url).href;
  const page = await pageOf(browser, company);
  await page.goto('/app/webhooks');
  await expect(page.getByText('No endpoints yet')).toBeVisible();

  // What is inside is refused at the field, and the code stays good for another try.
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address').fill('https://10.0.0.1/hooks');
  await proveIn(dialog);
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  await expect(dialog.getByText(/Webhooks are not sent to 10\.0\.0\.1/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Add endpoint' }).click();
  await dialog.getByLabel('Address').fill(address);
  await dialog.getByLabel('Description').fill('Ledger');
  await proveIn(dialog);
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  const secret = await secretShown(page);
  await desk.webhooks({ secret });

  await fund(company, { USDT: '25' });
  await expect
    .poll(async () => (await received(path)).map(({ type, isVerified }) => [type, isVerified]), {
      message: 'the events of the deposit arrive',
    })
    .toEqual(
      expect.arrayContaining([
        ['deposit.detected', true],
        ['deposit.credited', true],
      ]),
    );
  const credited = (await received(path)).find(({ type }) => type === 'deposit.credited');
  expect(JSON.parse(credited?.body ?? '{}')).toMatchObject({
    data: { asset: 'USDT', amount: '25.000000', status: 'completed' },
  });

  // Rotated: both secrets sign, and the receiver changes over.
  await page.getByRole('button', { name: 'More for Ledger' }).click();
  await page.getByRole('menuitem', { name: 'Rotate secret' }).click();
  await proveIn(dialog);
  await dialog.getByRole('button', { name: 'Rotate secret' }).click();
  const next = await secretShown(page);
  expect(next).not.toBe(secret);
  await expect(page.getByText('Previous secret valid until')).toBeVisible();
  await desk.webhooks({ secret: next });

  await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
  await page.getByRole('row', { name: /deposit\.credited/ }).click();
  await expect(page.getByText('200 · Accepted')).toBeVisible();
  await page.getByRole('button', { name: 'Resend' }).click();
  await expect(toastOf(page, 'Resending')).toBeVisible();
  const again = async () => (await received(path)).filter(({ id }) => id === credited?.id);
  await expect.poll(async () => (await again()).length).toBe(2);
  expect((await again())[0]).toMatchObject({ isVerified: true, signatures: 2, body: credited?.body });

  // The old secret is ended: one signature, of the new one.
  await page.goto('/app/webhooks');
  await page.getByRole('button', { name: 'End previous secret' }).click();
  await dialog.getByRole('button', { name: 'End previous secret' }).click();
  await expect(toastOf(page, 'Previous secret ended')).toBeVisible();
  await page.getByRole('button', { name: 'Send test event' }).click();
  await expect.poll(async () => (await received(path))[0]?.type).toBe('webhook.test');
  expect((await received(path))[0]).toMatchObject({ isVerified: true, signatures: 1 });

  // Administrators were mailed of each step, whatever they chose.
  for (const subject of ['Webhook endpoint added', 'Webhook secret rotated']) {
    await expect
      .poll(async () => (await desk.mails(company.email)).map((mail) => mail.subject).join())
      .toContain(subject);
  }

  // One that is gone is switched off, and says so.
  await desk.webhooks({ mode: 'gone' });
  await page.getByRole('button', { name: 'Send test event' }).click();
  await expect(page.getByText(/It was switched off since it answered 410 Gone/)).toBeVisible();
  await desk.webhooks({ mode: 'ok' });

  await page.goto('/app/webhooks/deliveries');
  await page.getByRole('row', { name: /deposit\.credited/ }).click();
  // Each language is looked at on every page in pages.spec.ts; here with an endpoint and a delivery.
  for (const place of ['/app/webhooks', '/app/webhooks/events', page.url()]) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(place);
    await settled(page);
    await expectAccessible(page, place);
    await page.setViewportSize({ width: 390, height: 844 });
    await settled(page);
    await expectNoSideways(page, place);
  }
});
