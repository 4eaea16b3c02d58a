import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { getAuditKey } from '@causeway/contract/audit.ts';
import type { Page } from '@playwright/test';
import { openCompany, savePayee, speak } from '../fixtures/company.ts';
import { send } from '../fixtures/console-api.ts';
import { languagesRead } from '../fixtures/languages.ts';
import { expectAccessible, expectNoSideways, heading, settled, toastOf } from '../fixtures/screen.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** `npm run audit:verify -- …`: its words, and how it ended. */
async function verify(...args: string[]): Promise<{ code: number; said: string }> {
  return run('npm', ['run', '--silent', 'audit:verify', '--', ...args], { cwd: root }).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    (error: { code: number; stdout: string }) => ({ code: error.code, said: error.stdout }),
  );
}

/** Exports in a format and returns the file's path. */
async function exported(page: Page, format: RegExp, directory: string): Promise<string> {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Export the audit log' });
  await dialog.getByRole('radio', { name: format }).check();
  const coming = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  const file = await coming;
  await expect(toastOf(page, 'Audit log exported')).toBeVisible();
  await expect(dialog).toBeHidden();
  const path = join(directory, file.suggestedFilename());
  await file.saveAs(path);
  return path;
}

test.describe.configure({ timeout: 180_000 });

test('what happened is found in the audit log, exported, and verified off-line', async ({ browser }) => {
  const directory = await mkdtemp(join(tmpdir(), 'causeway-audit-'));
  const company = await openCompany();
  await savePayee(company, { label: 'Pearl River Supplies' });
  await speak(company, 'zh-hk');
  await speak(company, 'en-us');
  const page = await pageOf(browser, company);
  await page.goto('/app/home');
  await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Audit log' }).click();
  await expect(page).toHaveURL('/app/audit-log');
  await expect(heading(page, 'Audit log')).toBeVisible();
  const table = page.getByRole('region', { name: 'Audit log' });
  await expect(table.getByRole('row').filter({ hasText: 'Signed in' })).toContainText(/No\. \d+/);
  await settled(page);
  await expectAccessible(page, 'the audit log');

  // Found by its words, and by what was done.
  await page.getByRole('searchbox').fill('pearl river');
  await expect(table.getByRole('row')).toHaveCount(2);
  await table.getByRole('link', { name: 'Added a payee' }).click();
  const panel = page.getByRole('dialog', { name: 'Added a payee' });
  await expect(panel.getByText('Pearl River Supplies').first()).toBeVisible();
  await expect(panel.getByText(company.email)).toBeVisible();
  await expect(panel.getByText('Sequence number')).toBeVisible();
  await panel
    .getByRole('button', { name: 'Copy: Hash', exact: true })
    .or(panel.getByRole('button', { name: /Hash$/ }))
    .first()
    .click();
  await settled(page);
  await expectAccessible(page, 'an entry of the audit log');
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox').fill('');
  await page.getByRole('combobox', { name: 'Event', exact: true }).selectOption('Changed their language');
  // Lines that come and go beneath the mouse take the click with them.
  await expect(page).not.toHaveURL(/keyword=/);
  await expect(table.getByRole('row')).toHaveCount(3);
  await table.getByRole('link', { name: 'Changed their language' }).first().click();
  const change = page.getByRole('dialog', { name: 'Changed their language' });
  await expect(change.getByRole('row', { name: /Language/ })).toContainText('Traditional Chinese');
  await page.keyboard.press('Escape');

  // The CSV follows the filters; the verifiable file holds everything.
  const csv = await readFile(await exported(page, /CSV/, directory), 'utf8');
  expect(csv).toContain('Changed their language');
  expect(csv).not.toContain('Added a payee');
  const file = await exported(page, /Verifiable/, directory);
  const text = await readFile(file, 'utf8');
  expect(text).toContain('Pearl River Supplies');
  const key = (await send(getAuditKey, { token: company.token })).keys[0]?.publicKey ?? '';
  const whole = await verify(file, '--key', key);
  expect(whole.said).toMatch(/events 1 to \d+ are whole/);
  expect(whole.code).toBe(0);
  await writeFile(file, text.replace('Pearl River Supplies', 'Pearl River Supplier'));
  const broken = await verify(file, '--key', key);
  expect(broken).toMatchObject({ code: 1, said: expect.stringMatching(/broken at event \d+, line \d+/) });
  await writeFile(file, text.split('\n').slice(0, -3).join('\n'));
  expect(await verify(file, '--key', key)).toMatchObject({ code: 1, said: expect.stringContaining('trailer') });
  await rm(directory, { recursive: true });
  await page.context().close();
});

test('the audit log on a phone and in Chinese', { tag: '@proof' }, async ({ browser }) => {
  const company = await openCompany();
  await savePayee(company, { label: 'Pearl River Supplies' });
  for (const language of languagesRead) {
    const page = await pageOf(browser, company, { viewport: { width: 390, height: 844 }, hasTouch: true, language });
    await page.goto('/app/audit-log?subjectKind=payee');
    await settled(page);
    await expectNoSideways(page, `the audit log in ${language}`);
    await expectAccessible(page, `the audit log at 390 px in ${language}`);
    await page.getByRole('region').getByRole('link').first().click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await settled(page);
    await expectNoSideways(page, `an entry in ${language}`);
    await expectAccessible(page, `an entry at 390 px in ${language}`);
    await page.keyboard.press('Escape');
    await page.context().close();
  }
});
