import type { BankWallet } from '@causeway/contract/wallets-rules.ts';
import { type Translate, useLocaleTag, useText } from '../../../lib/locale.tsx';
import { Copied } from '../../../ui/copied.tsx';
import { DescriptionList, type Fact } from '../../../ui/description-list.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { rechargeAddress } from '../naming.ts';

/** The account to which others pay into a wallet at a bank, each detail to be copied as a payer has to write it. */
export function AccountFacts({ wallet }: { wallet: BankWallet }) {
  const t = useText();
  const tag = useLocaleTag();
  return (
    <section className="flex flex-col gap-3">
      <h3 className="m-0 text-14 font-semibold">{t('wallets.account')}</h3>
      <p className="m-0 text-13 text-faint">{t('wallets.account.only', { currency: wallet.asset })}</p>
      <DescriptionList framed facts={accountFacts(wallet, t, tag)} />
      <PlainLink href={rechargeAddress(wallet)} className="text-13 text-accent">
        {t('wallets.account.more')}
      </PlainLink>
    </section>
  );
}

function accountFacts({ place: { name, account } }: BankWallet, t: Translate, tag: string): Fact[] {
  const country = new Intl.DisplayNames(tag, { type: 'region' }).of(account.country) ?? account.country;
  const details: [key: string, text: string | null][] = [
    ['holder', account.holder],
    ['number', account.number],
    ['iban', account.iban],
    ['branchCode', account.branchCode],
    ['bank', name],
    ['bic', account.bic],
    ['clearingCode', account.clearingCode],
    ['country', country],
  ];
  return details.flatMap(([key, text]) => {
    const term = t(`wallets.account.${key}`);
    return text === null ? [] : [{ term, value: <Copied text={text} what={term} /> }];
  });
}
