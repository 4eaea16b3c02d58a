import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { sendUserCode } from '@causeway/contract/identity.ts';
import { updateUser } from '@causeway/contract/identity-account.ts';
import { confirmTrade, getTrade } from '@causeway/contract/trades.ts';
import { freshAddress, fund, openCompany, savePayee, walletOf } from '../fixtures/company.ts';
import { send } from '../fixtures/console-api.ts';
import { desk } from '../fixtures/desk.ts';
import { settled } from '../fixtures/screen.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';

const directory = join(import.meta.dirname, '../../docs/screenshots');

test('the README’s picture of guaranteed trades', async ({ browser }) => {
  test.setTimeout(300_000);
  const company = await openCompany({ name: 'Harbour Lane Trading' });
  const { token, inbox } = company;
  const names = { firstName: 'Ada', lastName: 'Wong', mobileCountryCode: null, mobile: null };
  await Promise.all([send(updateUser, { token, body: names }), fund(company, { USDT: '24000' })]);
  const own = { name: company.name, address: '1 Queen’s Road Central, Hong Kong' };
  const wallet = (await walletOf(company, 'USDT')).place.address;
  const make = async (number: string, quantity: string, seller: string, actInHours: number) => {
    const address = freshAddress();
    await savePayee(company, { label: seller, address });
    const { id } = await desk.makeTrade({
      ...{ number, network: 'ethereum', currency: 'USDT', quantity, actInHours },
      buyer: { ...own, wallet },
      seller: { name: seller, address: '8 Renmin Road, Guangzhou', wallet: address },
      milestones: [
        { name: 'Goods on board', amount: String(Number(quantity) / 4) },
        { name: 'Inspection passed', amount: String((Number(quantity) * 3) / 4) },
      ],
    });
    await expect.poll(async () => (await read(id).catch(() => null))?.state ?? null).toBe('created');
    return id;
  };
  const read = (id: string) => send(getTrade, { token, params: { id } });
  const confirm = async (tradeId: string) => {
    const content = { id: randomUUID(), tradeId, version: 1 };
    await send(sendUserCode, { token, body: { scenario: 'transaction', subject: { kind: 'trade', content } } });
    const proof = { codeMethod: 'email' as const, code: await inbox.code() };
    await send(confirmTrade, { token, body: { ...content, ...proof }, idempotencyKey: randomUUID() });
  };
  const linen = await make('TG-2026-0417', '6000', 'Delta Textiles Limited', 24 * 9);
  const silk = await make('TG-2026-0421', '9600', 'Kowloon Mills Limited', 24 * 4);
  const tea = await make('TG-2026-0426', '2400', 'Jasmine Teas Limited', 24 * 6);
  await make('TG-2026-0430', '3200', 'Pearl River Ceramics', 24 * 3);
  for (const id of [linen, silk, tea]) await confirm(id);

  const page = await pageOf(browser, company);
  await desk.actOnTrade(linen, { act: 'ship', billOfLading: 'MAEU-4711', actInHours: 24 * 9 });
  await desk.actOnTrade(linen, { act: 'milestone', milestone: 'm1', actInHours: 24 * 9 });
  await desk.actOnTrade(silk, { act: 'inspect', actInHours: 24 * 2 });
  await page.goto(`/app/wallet/tradego/${linen}`);
  await page.getByRole('button', { name: 'Pay Goods on board' }).click();
  const paying = page.getByRole('dialog', { name: 'Pay seller' });
  await paying.getByRole('button', { name: 'Send code' }).click();
  await paying.getByLabel('Verification code').fill(await inbox.code());
  await paying.getByRole('button', { name: 'Pay seller' }).click();
  await expect.poll(async () => (await read(linen)).paid, { timeout: 60_000 }).toBe('1500.000000');
  await page.goto('/app/wallet/tradego');
  await expect(page.getByRole('row', { name: /TG-2026-0430/ })).toBeVisible();
  await settled(page);
  if (process.env['SCREENSHOTS'] !== '1') return;
  mkdirSync(directory, { recursive: true });
  await page.screenshot({ path: join(directory, 'trades.png'), animations: 'disabled', caret: 'hide' });
});
