import { getUser } from '@causeway/contract/identity.ts';
import { addresses } from '../addresses.ts';
import { freshEmail, openCompany } from '../fixtures/company.ts';
import { send } from '../fixtures/console-api.ts';
import { operator } from '../fixtures/operator.ts';
import { activate, enterOperator, operatorPage } from '../fixtures/operator-console.ts';
import { choose, expectAccessible, settled, toastOf } from '../fixtures/screen.ts';
import { openDepartment } from '../fixtures/staff.ts';
import { expect, pageOf, test } from '../fixtures/test.ts';

/** Makes an operator on the command line; returns the link that it prints once. */
async function linkOf(name: string, email: string, role: string): Promise<string> {
  const words = ['staff', 'add', '--name', name, '--email', email, '--role', role, '--json'];
  return (JSON.parse(await operator(...words)) as { link: string }).link;
}

test('a company is frozen by one operator, seen as it sees itself, and unfrozen by two', async ({ browser }) => {
  test.slow();
  const company = await openCompany({ name: 'Lantau Shipping' });
  const { companyId } = await send(getUser, { token: company.token });
  const emails = [freshEmail(), freshEmail()] as const;
  const links = [
    await linkOf('Ines', emails[0], 'compliance'),
    await linkOf('Jo', emails[1], 'administrator'),
  ] as const;
  const [ines, jo, own] = await Promise.all([operatorPage(browser), operatorPage(browser), pageOf(browser, company)]);
  const [inesWho, joWho] = await Promise.all([activate(ines, links[0], emails[0]), activate(jo, links[1], emails[1])]);
  await Promise.all([enterOperator(ines, inesWho), enterOperator(jo, joWho)]);
  await own.goto('/app/home');
  await settled(own);

  // One operator freezes at once; the company reads why without a reload, and can change nothing.
  await ines.goto(`/app/companies/${companyId}?tab=freezing`);
  await ines.getByRole('button', { name: 'Freeze Lantau Shipping' }).click();
  const freezing = ines.getByRole('dialog', { name: 'Freeze Lantau Shipping?' });
  await choose(ines, 'Reason', 'A court or an authority ordered it');
  await freezing.getByLabel('Internal note').fill('Order 4711 of the High Court');
  await expectAccessible(ines, 'freezing');
  await freezing.getByRole('button', { name: 'Freeze', exact: true }).click();
  await expect(toastOf(ines, 'Lantau Shipping is frozen')).toBeVisible();
  const banner = own.getByText(/The provider has frozen your company/);
  await expect(banner).toContainText('A court or an authority ordered it');
  await expect(own.getByRole('link', { name: 'support@causeway.example' })).toHaveAttribute('href', /^mailto:.*FZ-/);
  await settled(own);
  await expectAccessible(own, 'home of a frozen company');
  await expect(openDepartment(company, 'Treasury')).rejects.toThrow(/Your company is frozen/);
  await settled(ines);
  await expectAccessible(ines, 'what is frozen');

  // The same operator sees what the company sees, and changes nothing.
  await ines.getByRole('button', { name: 'See as the company sees' }).click();
  const asking = ines.getByRole('dialog', { name: 'See what Lantau Shipping sees?' });
  await asking.getByLabel('Reason').fill('They ask why a transfer waits');
  const opening = ines.context().waitForEvent('page');
  await asking.getByRole('button', { name: 'Open' }).click();
  const look = await opening;
  await expect(look.getByText(/You see what Lantau Shipping sees/)).toBeVisible();
  await expect(look.getByText(/The provider has frozen your company/)).toBeVisible();
  await settled(look);
  await expectAccessible(look, 'a look');
  await look.goto(`${addresses.look}/app/risk-setting`);
  await expect(look.getByRole('button', { name: 'Switch review on' })).toBeDisabled();
  await look.goto(`${addresses.look}/app/wallet/statement`);
  await expect(look.getByRole('button', { name: 'Download' })).toBeDisabled();
  await expect(look.getByRole('button', { name: 'Download' })).toHaveAccessibleDescription(/no files or exports/);
  const refused = await look.evaluate(async () => {
    const headers = { authorization: `Bearer ${localStorage.getItem('auth')}`, 'content-type': 'application/json' };
    const answer = await fetch('/web/rbac/departments', {
      method: 'POST',
      headers,
      body: '{"name":"Intruders","parentId":null}',
    });
    return ((await answer.json()) as { key: string }).key;
  });
  expect(refused).toBe('lookReadOnly');
  await look.goto(`${addresses.look}/app/home`);
  await look.getByRole('button', { name: 'End', exact: true }).click();
  await expect(look.getByText('This look has ended. You can close this tab.')).toBeVisible();

  // Two unfreeze.
  await ines.getByRole('button', { name: 'Propose to unfreeze Lantau Shipping' }).click();
  const proposing = ines.getByRole('dialog', { name: 'Propose to unfreeze Lantau Shipping?' });
  await proposing.getByLabel('Reason').fill('The order was lifted');
  await proposing.getByRole('button', { name: 'Submit for confirmation' }).click();
  await expect(toastOf(ines, 'Submitted for confirmation')).toBeVisible();
  await jo.goto('/app/confirmations');
  await jo.getByRole('link', { name: /Unfreeze the company Lantau Shipping/ }).click();
  const panel = jo.getByRole('dialog', { name: /Unfreeze the company/ });
  await expect(panel.getByText('The order was lifted')).toBeVisible();
  await settled(jo);
  await jo.keyboard.press('a');
  const confirmation = jo.getByRole('dialog', { name: 'Confirm this proposal' });
  await confirmation.getByLabel('Code from your authenticator').fill(joWho.authenticator.code(1));
  await confirmation.getByRole('button', { name: 'Confirm' }).click();
  await expect(banner).toBeHidden();
  await openDepartment(company, 'Treasury');
  await Promise.all([ines, jo, own].map((page) => page.context().close()));
});
