import type { Funding } from '@causeway/contract/recharges.ts';
import { inFours } from '@causeway/contract/recharges-rules.ts';
import { useState } from 'react';
import { type Translate, useLocaleTag, useText } from '../../../lib/locale.tsx';
import { reportFailure } from '../../../lib/report-error.ts';
import { Button } from '../../../ui/button.tsx';
import { Copied } from '../../../ui/copied.tsx';
import { copyText } from '../../../ui/copy-button.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Banner } from '../../../ui/states.tsx';
import { saveFunding } from '../recharge-api.ts';

/** The first step: what a payer writes, to copy field by field or together, or as PDF. */
export function FundingDetails({ funding }: { funding: Funding }) {
  const t = useText();
  const tag = useLocaleTag();
  const [saving, setSaving] = useState(false);
  const details = detailsOf(funding, t, tag);
  const save = async () => {
    setSaving(true);
    await saveFunding(funding.walletId).catch(reportFailure);
    setSaving(false);
  };
  return (
    <div className="flex flex-col gap-5">
      <DescriptionList
        framed
        facts={details.map(({ term, text, shown }) => ({
          term,
          value: <Copied text={text} what={term} {...(shown !== undefined && { shown })} />,
        }))}
      />
      <Banner kind="pending">{t('recharge.fiat.referenceNote')}</Banner>
      <div className="flex flex-wrap gap-3">
        <Button
          icon="copy"
          onClick={() => void copyText(details.map(({ term, text }) => `${term}: ${text}`).join('\n'))}
        >
          {t('recharge.fiat.copyAll')}
        </Button>
        <Button icon="download" busy={saving} onClick={() => void save()}>
          {t('recharge.fiat.pdf')}
        </Button>
      </div>
    </div>
  );
}

interface Detail {
  term: string;
  text: string;
  shown?: string;
}

function detailsOf(funding: Funding, t: Translate, tag: string): Detail[] {
  const { account, asset, bankName, bankEnglishName, bankAddress, reference } = funding;
  const country = new Intl.DisplayNames(tag, { type: 'region' }).of(account.country) ?? account.country;
  const of = (term: string, text: string | null, shown?: string): Detail[] =>
    text === null || text === '' ? [] : [{ term, text, ...(shown !== undefined && { shown }) }];
  return [
    ...of(t('wallets.account.holder'), account.holder),
    ...of(t('wallets.account.number'), account.number),
    ...of(t('wallets.account.iban'), account.iban, account.iban === null ? undefined : inFours(account.iban)),
    ...of(t('wallets.column.currency'), asset),
    ...of(t('wallets.account.bank'), bankName),
    ...of(t('recharge.fiat.bankEnglish'), bankEnglishName),
    ...of(t('wallets.account.bic'), account.bic),
    ...of(t('wallets.account.clearingCode'), account.clearingCode),
    ...of(t('wallets.account.branchCode'), account.branchCode),
    ...of(t('recharge.fiat.bankAddress'), bankAddress),
    ...of(t('wallets.account.country'), country),
    ...of(t('recharge.fiat.reference'), reference, inFours(reference)),
  ];
}
