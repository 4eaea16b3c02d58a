import { localeOf } from '@causeway/contract/locale.ts';
import type { JobContext } from '../../../platform/jobs/jobs.ts';
import { layOut } from '../../../platform/text/mail.ts';
import { familiesByName } from '../../chains/index.ts';
import { payerLink } from '../links.ts';
import type { CollectionPorts } from '../ports.ts';
import { receiptLetter } from '../public/letters.ts';
import { hasReceipt } from '../public/model.ts';
import { findReceiptMail, markReceiptMailed } from '../store/receipt-mail.ts';
import { showPublic } from './public.ts';

/** Mails the payer the receipt of a settled request, once; none where it was paid elsewhere. */
export async function mailReceipt(
  { companyId, database }: JobContext,
  { mailer, publicUrl, sources, clock }: CollectionPorts,
  requestId: string,
): Promise<void> {
  const families = familiesByName([...sources.values()].map(({ family }) => family));
  const found = await database.withCompany(companyId, async (tx) => {
    const mail = await findReceiptMail(tx, requestId);
    return mail && { mail, view: await showPublic(tx, { families, clock }, requestId) };
  });
  if (!found || !hasReceipt(found.view)) return;
  const { token, email, name: payer, language } = found.mail;
  const locale = localeOf(language);
  const url = payerLink(publicUrl, token);
  await mailer.send(layOut(email, locale, receiptLetter(found.view, { locale, payer, url })));
  await database.withCompany(companyId, (tx) => markReceiptMailed(tx, requestId, clock.now()));
}
