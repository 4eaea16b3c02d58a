import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { getUser } from '@causeway/contract/identity.ts';
import { listReserveProofs } from '@causeway/contract/statements.ts';
import type { Page } from '@playwright/test';
import { freshEmail, fund, openCompany } from '../fixtures/company.ts';
import { send } from '../fixtures/console-api.ts';
import { asOwner } from '../fixtures/database.ts';
import { lookAtNights, moveInTime } from '../fixtures/nights.ts';
import { operator } from '../fixtures/operator.ts';
import { activate, enterOperator, operatorPage } from '../fixtures/operator-console.ts';
import { expectAccessible, settled } from '../fixtures/screen.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';

const root = join(import.meta.dirname, '../..');

async function saved(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  return download.path();
}

/** What the off-line verifier prints. Rejects where the file does not hold. */
async function verified(file: string, key: string): Promise<string> {
  const { stdout } = await promisify(execFile)('node', [
    join(root, 'server/src/verify-solvency.ts'),
    file,
    `--key=${key}`,
  ]);
  return stdout;
}

async function keyOn(page: Page): Promise<string> {
  return (await page.locator('code').filter({ hasText: 'solvency:verify' }).innerText()).split('--key=')[1] ?? '';
}

/** Owed, held, and the difference of an asset, as the verifier prints them. */
function figuresOf(output: string, asset: string): number[] {
  const line = new RegExp(`${asset}: owed ([\\d.]+), held ([\\d.]+), difference (-?[\\d.]+)`).exec(output);
  return (line ?? []).slice(1).map(Number);
}

/** Whether companies had anything in their books before today, UTC: in a run that goes past midnight, those of other journeys. */
async function hadBooksBeforeToday(otherThan: string): Promise<boolean> {
  return asOwner(async (client) => {
    // The owner sees one company at a time, the operator's role all.
    await client.query('set role causeway_operator');
    const { rows } = await client.query<{ had: boolean }>(
      `select exists (select from causeway.ledger_entry
         where company_id <> $1 and created_at < date_trunc('day', now(), 'UTC')) as had`,
      [otherThan],
    );
    return rows[0]?.had === true;
  });
}

test('the operator sees the report of last midnight; a company downloads its proof, and the verifier accepts it', async ({
  browser,
}) => {
  test.setTimeout(240_000);
  const company = await openCompany();
  await fund(company, { USDT: '1000' });
  const { companyId } = await send(getUser, { token: company.token });
  await moveInTime(companyId, -2);
  const reports = async () => {
    const { total } = await send(listReserveProofs, { token: company.token, query: {} });
    // Where a chain is behind, it is to be looked at again.
    if (total === 0) await lookAtNights();
    return total;
  };
  await expect.poll(reports, { message: 'the report is signed', intervals: [2000], timeout: 150_000 }).toBe(1);

  await test.step('the company', async () => {
    const page = await pageOf(browser, company);
    await page.goto('/app/wallet/statement');
    await page.getByRole('link', { name: 'Proof of reserves', exact: true }).click();
    await expect(page.getByRole('row', { name: /USDT.*1,000/ }).first()).toBeVisible();
    await settled(page);
    await expectAccessible(page, 'proof of reserves');
    const output = await verified(await saved(page, 'Download proof'), await keyOn(page));
    expect(output).toContain('was counted with 1000.000000 USDT');
    await page.context().close();
  });

  await test.step('the operator', async () => {
    const email = freshEmail();
    const words = ['staff', 'add', '--name', 'Vera Vault', '--email', email, '--role', 'viewer', '--json'];
    const { link } = JSON.parse(await operator(...words)) as { link: string };
    const page = await operatorPage(browser);
    await enterOperator(page, await activate(page, link, email));
    await page.getByRole('link', { name: 'Solvency', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Solvency', level: 1 })).toBeVisible();
    const row = page.getByRole('row', { name: /USDT/ });
    await settled(page);
    await expectAccessible(page, 'solvency');
    await page.getByRole('button', { name: 'Compare with the ledger' }).click();
    await expect(page.getByText(/The same for/)).toBeVisible();
    const output = await verified(await saved(page, 'Download full report'), await keyOn(page));
    const [owed = 0, held = 0, difference = 0] = figuresOf(output, 'USDT');
    // The company's books were moved before the chain's first block: what it is owed is held nowhere.
    if (await hadBooksBeforeToday(companyId)) {
      expect(owed).toBeGreaterThanOrEqual(1000);
      expect(difference).toBeCloseTo(held - owed, 6);
    } else expect([owed, held, difference]).toEqual([1000, 0, -1000]);
    await expect(row.getByText('Less than owed')).toHaveCount(difference < 0 ? 1 : 0);
    await row.getByRole('link').first().click();
    await expect(page.getByRole('row', { name: new RegExp(company.name) })).toContainText('1,000');
    await settled(page);
    await expectAccessible(page, 'what companies were owed');
    await page.context().close();
  });
  // The next report is of the sandbox's own day again, for the journeys that follow.
  await moveInTime(companyId, 2);
});
