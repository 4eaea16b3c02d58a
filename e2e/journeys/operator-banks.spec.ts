import { isAtBank } from '@causeway/contract/wallets-rules.ts';
import { freshEmail, freshName, openCompany, wallets } from '../fixtures/company.ts';
import { desk } from '../fixtures/desk.ts';
import { operator } from '../fixtures/operator.ts';
import { activate, enterOperator, operatorPage } from '../fixtures/operator-console.ts';
import { choose, expectAccessible, expectFits, find, settled } from '../fixtures/screen.ts';
import { expect, test } from '../fixtures/test.ts';

/** The installation's own account in Hong Kong dollars at Harbour Bank. */
const collecting = '998001000000344';

/** A notification of the bank about one payment (camt.054), as an operator could have saved it. */
const notice = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.08"><BkToCstmrDbtCdtNtfctn>
<GrpHdr><MsgId>BYHAND1</MsgId><CreDtTm>2026-11-20T09:00:00Z</CreDtTm></GrpHdr>
<Ntfctn><Id>BYHAND1-1</Id><CreDtTm>2026-11-20T09:00:00Z</CreDtTm>
<Acct><Id><Othr><Id>${collecting}</Id></Othr></Id><Ccy>HKD</Ccy></Acct>
<Ntry><Amt Ccy="HKD">12.50</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt>
<AcctSvcrRef>BYHAND1</AcctSvcrRef><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>OTHR</SubFmlyCd></Fmly></Domn></BkTxCd></Ntry>
</Ntfctn></BkToCstmrDbtCdtNtfctn></Document>`;

async function linkFor(name: string, email: string): Promise<string> {
  const words = ['staff', 'add', '--name', name, '--email', email, '--role', 'support', '--json'];
  return (JSON.parse(await operator(...words)) as { link: string }).link;
}

test('money that names no company is found in suspense, traced to its file, and credited by two operators', async ({
  browser,
}) => {
  test.setTimeout(240_000);
  const emails = [freshEmail(), freshEmail()] as const;
  const name = freshName('Lantau Ferries');
  const [links, company] = await Promise.all([
    Promise.all([linkFor('Sam Support', emails[0]), linkFor('Ula Support', emails[1])]),
    openCompany({ name }),
  ]);
  const dollars = async () => (await wallets(company)).filter(isAtBank).find(({ asset }) => asset === 'HKD');
  await expect.poll(async () => (await dollars())?.quantity, { timeout: 60_000 }).toBe('0.00');
  const payer = `Mui Wo Traders ${emails[1].slice(1, 7)}`;
  await desk.payIn({
    bank: 'harbour',
    to: collecting,
    currency: 'HKD',
    amount: '640.00',
    payer: { name: payer },
    text: 'October pier dues',
  });
  const [sam, ula] = await Promise.all([operatorPage(browser), operatorPage(browser)]);
  const samWho = await activate(sam, links[0], emails[0]);
  const ulaWho = await activate(ula, links[1], emails[1]);
  await Promise.all([enterOperator(sam, samWho), enterOperator(ula, ulaWho)]);

  // The bank with its collecting account, its connection, and the file that names it.
  await sam.getByRole('link', { name: 'Banks', exact: true }).click();
  const harbour = sam.getByRole('region', { name: 'Currencies at Harbour Bank' });
  await expect(harbour.getByRole('row', { name: /^HKD/ }).getByText(collecting)).toBeVisible();
  await expect(sam.getByText('Connected').first()).toBeVisible({ timeout: 60_000 });
  await expect(sam.getByRole('list', { name: 'File of banks' }).getByRole('listitem').first()).toBeVisible();
  await expectFits(sam, 'banks');

  // The payment in suspense, and the file that announced it.
  await sam.getByRole('link', { name: 'Suspense', exact: true }).click();
  const held = sam.getByRole('row', { name: new RegExp(payer) });
  await expect(held.getByText('In suspense')).toBeVisible({ timeout: 60_000 });
  await expectFits(sam, 'suspense');
  await held.getByRole('link').first().click();
  await expect(sam.getByText('Nothing in it names a company.')).toBeVisible();
  await expectFits(sam, 'money');
  await sam.getByRole('definition').getByRole('link', { name: /\.xml/ }).first().click();
  await expect(sam.getByRole('group', { name: 'Content' }).getByText(payer).first()).toBeVisible();
  await expect(sam.getByRole('region', { name: 'Payments in this file' }).getByText(payer)).toBeVisible();
  await expectFits(sam, 'file');
  const saving = sam.waitForEvent('download');
  await sam.getByRole('button', { name: 'Download' }).click();
  expect((await saving).suggestedFilename()).toMatch(/\.xml$/);
  await sam.goBack();

  // One operator says whose it is; the other confirms.
  await sam.getByRole('button', { name: 'Choose a company…' }).click();
  const dialog = sam.getByRole('dialog', { name: 'Credit money in suspense' });
  await find(dialog.getByLabel('Company'), name.slice(0, 13), name);
  await dialog.getByLabel('Reason').fill('The payer sent its advice');
  await settled(sam);
  await expectAccessible(sam, 'credit');
  await dialog.getByRole('button', { name: 'Submit for confirmation' }).click();
  await expect(sam.getByText('A proposal about this payment waits for a second operator.')).toBeVisible();

  await ula.goto('/app/confirmations?state=open&mine=decide');
  const proposal = new RegExp(`^Credit .*640.*${name}`);
  await ula.getByRole('link', { name: proposal }).first().click();
  const panel = ula.getByRole('dialog', { name: proposal });
  await expect(panel.getByText('October pier dues')).toBeVisible();
  await panel.getByRole('button', { name: 'Confirm', exact: true }).click();
  const confirmation = ula.getByRole('dialog', { name: 'Confirm this proposal' });
  await confirmation.getByLabel('Code from your authenticator').fill(ulaWho.authenticator.code(1));
  await confirmation.getByRole('button', { name: 'Confirm' }).click();
  await expect(ula.locator('[data-toast]', { hasText: 'Confirmed' })).toBeVisible();

  await expect.poll(async () => (await dollars())?.quantity, { timeout: 60_000 }).not.toBe('0.00');
  await expect(sam.getByText('By two operators')).toBeVisible({ timeout: 30_000 });
  await expect(sam.getByRole('definition').getByRole('link', { name })).toBeVisible();

  // The books and what the bank states.
  await sam.goto('/app/banks/reconciliation');
  await expect(sam.getByRole('heading', { name: 'Harbour Bank · HKD' })).toBeVisible({ timeout: 60_000 });
  await expectFits(sam, 'reconciliation');
  await sam.goto('/app/banks/files');
  await expect(sam.getByRole('row').filter({ hasText: 'Harbour Bank' }).first()).toBeVisible();
  await expectFits(sam, 'files');

  // A file taken in by hand is read at once; nothing is taken in before two agree.
  await sam.getByRole('button', { name: 'Take in a file by hand' }).click();
  const taking = sam.getByRole('dialog', { name: 'Take in a bank’s file by hand' });
  await choose(sam, 'Bank', 'Harbour Bank');
  await taking
    .getByRole('button', { name: 'Drop files here or choose' })
    .setInputFiles({ name: 'by-hand.xml', mimeType: 'text/xml', buffer: Buffer.from(notice) });
  await expect(taking.getByText('What was understood')).toBeVisible();
  await expect(taking.getByText('+12.50 HKD')).toBeVisible();
  await settled(sam);
  await expectAccessible(sam, 'a file by hand');
  await taking.getByRole('button', { name: 'Cancel' }).click();

  // Its currencies are switched beside chains and coins, and the fees of payments are prices.
  await sam.goto('/app/assets');
  const switches = sam.getByRole('list', { name: 'Harbour Bank' });
  await expect(switches.getByText('Recharges: on').first()).toBeVisible();
  await expectFits(sam, 'assets');
  await sam.goto('/app/prices');
  await expect(
    sam.getByRole('list', { name: 'HKD', exact: true }).getByText('Payment fee, SWIFT · Harbour'),
  ).toBeVisible();
  await expectFits(sam, 'prices');
  await Promise.all([sam, ula].map((page) => page.context().close()));
});
