import { readFile } from 'node:fs/promises';
import { getCompanySettings, setCompanySettings } from '@causeway/contract/organisation.ts';
import { isAtBank } from '@causeway/contract/wallets-rules.ts';
import type { Page } from '@playwright/test';
import { expectFunds, fund, openCompany, savePayee, walletOf, wallets } from '../fixtures/company.ts';
import { send } from '../fixtures/console-api.ts';
import { desk } from '../fixtures/desk.ts';
import { languagesRead } from '../fixtures/languages.ts';
import { choose, chooseByKey, expectAccessible, expectFits, heading, tabTo } from '../fixtures/screen.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';
import { transferByCall } from '../fixtures/transfer.ts';

test.describe.configure({ timeout: 180_000 });

test('a wallet’s statement is chosen by period, read in the base currency, and saved', async ({ browser }) => {
  const company = await openCompany();
  const { token } = company;
  const { timeZone, codeRecipient } = await send(getCompanySettings, { token });
  await send(setCompanySettings, { token, body: { timeZone, codeRecipient, baseCurrency: 'HKD' } });
  await fund(company, { USDT: '1000' });
  const payee = await savePayee(company, { label: 'Kobe Steel Trading' });
  await transferByCall(company, { coin: 'USDT', payeeId: payee.id, amount: '250' });
  await expectFunds(company, { USDT: '749' });
  const page = await pageOf(browser, company);

  await test.step('from the wallet to its statement', async () => {
    const { id } = await walletOf(company, 'USDT');
    await page.goto(`/app/wallet/${id}`);
    // The total of the page behind is in the base currency too.
    await expect(page.getByText(/^[5-6],[0-9]{3}\.\d\dHKD$/).first()).toBeVisible();
    await page.getByRole('link', { name: 'Statement for a period' }).click();
    await expect(heading(page, 'Statements')).toBeVisible();
    const row = page.locator('tbody tr').filter({ hasText: 'Kobe Steel Trading' });
    await expect(row).toContainText('−251.00');
    await expect(row).toContainText(/−1,9\d\d\.\d\d/);
    await expect(page.getByText('including fee 1.00')).toBeVisible();
    await expectAccessible(page, 'a statement');
  });

  await test.step('the month before was empty, and the address keeps the choice', async () => {
    await page.getByRole('button', { name: 'Previous period' }).click();
    await expect(page.getByText('No movements').first()).toBeVisible();
    await expect(page).toHaveURL(/unit=month/);
    await page.reload();
    await expect(page.getByText('No movements').first()).toBeVisible();
    await page.getByRole('button', { name: 'Next period' }).click();
    await expect(page.getByText('Kobe Steel Trading')).toBeVisible();
  });

  await test.step('as a file', async () => {
    const pdf = await saved(page);
    expect(pdf.content.subarray(0, 5).toString()).toBe('%PDF-');
    await choose(page, 'Format', 'CSV');
    const csv = await saved(page);
    expect(csv.name).toMatch(/^statement-usdt-ethereum-.*\.csv$/);
    expect(csv.content.toString('utf8')).toMatch(/Kobe Steel Trading.*,-251\.000000,1\.000000,749\.000000,/);
    await choose(page, 'Format', 'camt.053');
    await expect(page.getByText('coins do not have')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Download' })).toBeDisabled();
    await expectAccessible(page, 'a format that a coin does not have');
  });
  await page.context().close();
});

test('a wallet at a bank has its statement as its bank would send it', { tag: '@proof' }, async ({ browser }) => {
  const company = await openCompany({ name: 'Pearl River Trading Limited' });
  const dollars = (await wallets(company)).filter(isAtBank).find(({ asset }) => asset === 'HKD');
  if (!dollars) throw new Error('the company has a wallet in Hong Kong dollars');
  const amounts = ['8800.25', '1200.00'];
  for (const amount of amounts) {
    await desk.payIn({
      bank: 'harbour',
      to: dollars.place.account.number,
      currency: 'HKD',
      amount,
      payer: { name: 'Kowloon Mills Limited' },
      text: 'Invoice 2026-11',
    });
  }
  const held = async () => (await wallets(company)).find(({ id }) => id === dollars.id)?.quantity;
  await expect.poll(held, { timeout: 60_000 }).toBe('10000.25');
  const page = await pageOf(browser, company);

  await test.step('by keyboard alone, and the address keeps wallet, period and format', async () => {
    await page.goto(`/app/wallet/statement?wallet=${dollars.id}`);
    await expect(page.locator('tbody tr').filter({ hasText: 'Kowloon Mills Limited' })).toHaveCount(2);
    await tabTo(page.getByRole('combobox', { name: 'Format' }));
    await chooseByKey(page, 'camt');
    await expect(page).toHaveURL(/format=camt053/);
    await page.reload();
    await expect(page.getByRole('combobox', { name: 'Format' })).toHaveText('camt.053');
    await expect(page.getByRole('combobox', { name: 'Wallet' })).toContainText('HKD');
    await tabTo(page.getByRole('button', { name: 'Download' }));
  });

  await test.step('the file has the balances and entries that the page shows', async () => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(download.suggestedFilename()).toMatch(/^statement-hkd-harbour-.*\.camt053\.xml$/);
    const xml = (await readFile(await download.path())).toString('utf8');
    expect(await readStatement(page, xml)).toEqual({
      owner: 'Pearl River Trading Limited',
      number: dollars.place.account.number,
      servicer: 'HRBRHKHH',
      balances: ['OPBD 0.00 CRDT', 'ITBD 10000.25 CRDT', 'ITAV 10000.25 CRDT'],
      entries: amounts.map((amount) => `${amount} CRDT Kowloon Mills Limited Invoice 2026-11`),
    });
  });

  await test.step('of all wallets it has those at banks', async () => {
    await choose(page, 'Wallet', 'All wallets');
    await expect(page.getByText('coins have no ISO 4217 code and are left out')).toBeVisible();
    const { content } = await saved(page);
    expect(content.toString('utf8').match(/<Stmt>/g)?.length).toBe((await wallets(company)).filter(isAtBank).length);
  });
  await page.context().close();

  for (const language of languagesRead) {
    const reader = await pageOf(browser, company, { language });
    await reader.goto(`/app/wallet/statement?wallet=${dollars.id}&format=camt053`);
    await expect(reader.getByText('Kowloon Mills Limited').first()).toBeVisible();
    await expectFits(reader, `a statement of a wallet at a bank, ${language}`);
    await reader.context().close();
  }
});

/** What any reader of camt.053 finds in its one statement. */
function readStatement(page: Page, xml: string) {
  return page.evaluate((source) => {
    const parsed = new DOMParser().parseFromString(source, 'application/xml');
    const all = (parent: Element | Document, name: string) => [...parent.getElementsByTagName(name)];
    const text = (parent: Element | Document, ...names: string[]) =>
      names.reduce<Element | Document | undefined>((found, name) => found && all(found, name)[0], parent)?.textContent;
    const figure = (parent: Element) => `${text(parent, 'Amt')} ${text(parent, 'CdtDbtInd')}`;
    return {
      owner: text(parsed, 'Acct', 'Ownr', 'Nm'),
      number: text(parsed, 'Acct', 'Othr', 'Id'),
      servicer: text(parsed, 'Acct', 'Svcr', 'BICFI'),
      balances: all(parsed, 'Bal').map((balance) => `${text(balance, 'CdOrPrtry', 'Cd')} ${figure(balance)}`),
      entries: all(parsed, 'Ntry').map(
        (entry) => `${figure(entry)} ${text(entry, 'Dbtr', 'Nm')} ${text(entry, 'RmtInf', 'Ustrd')}`,
      ),
    };
  }, xml);
}

async function saved(page: Page): Promise<{ name: string; content: Buffer }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
}
