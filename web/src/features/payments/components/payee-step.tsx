import { isCurrency } from '@causeway/contract/currencies.ts';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { useSettled } from '../../../lib/settled.ts';
import { ComboboxField } from '../../../ui/combobox-field.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Banner } from '../../../ui/states.tsx';
import { ChangedAccount, choiceSize, useAccountFacts, useBankPayeeChoice } from '../../payees/index.ts';
import type { PaymentForm } from './use-payment-form.ts';
import { Verification } from './verification.tsx';
import { WalletField } from './wallet-field.tsx';

const typing_ms = 250;

/** The first step: whom to pay, found by name, account or label, and what is known of the account. */
export function PayeeStep({ form }: { form: PaymentForm }) {
  return (
    <>
      {form.form === 'transfer' && <WalletField form={form} withCoins />}
      <PayeeField form={form} />
      <ChosenPayee form={form} />
    </>
  );
}

function PayeeField({ form: { form, fields, wallet, payee } }: { form: PaymentForm }) {
  const t = useText();
  const mayAdd = usePermission('payee.manage');
  const [typed, setTyped] = useState('');
  const asset = form === 'transfer' ? (wallet?.asset ?? '') : '';
  const choice = useBankPayeeChoice(isCurrency(asset) ? asset : '', useSettled(typed.trim(), typing_ms));
  const listed = choice.data?.items ?? [];
  const bound = fields.value('payeeId');
  const back = form === 'payment' ? '/app/payment' : `/app/transfer-out/bank?wallet=${fields.values.walletId}`;
  const optionOf = ({ id, label, account }: (typeof listed)[number]) => ({
    value: id,
    label,
    detail: `${account.currency} · ${account.name} · ${account.account}`,
  });
  const isNone = choice.data !== undefined && choice.data.total === 0 && typed === '';
  return (
    <ComboboxField
      label={t('payments.form.payee')}
      placeholder={t('payments.form.payeePlaceholder')}
      options={listed.map(optionOf)}
      onSearch={setTyped}
      searching={choice.isFetching}
      known={payee === undefined ? null : optionOf(payee)}
      {...(mayAdd && {
        aside: (
          <PlainLink href={`/app/payee/bank/add?${new URLSearchParams({ return: back })}`} className="text-accent">
            {t('payments.form.addPayee')}
          </PlainLink>
        ),
      })}
      {...(isNone
        ? { hint: asset === '' ? t('payments.form.noPayees') : t('payments.form.noPayeesOf', { currency: asset }) }
        : (choice.data?.total ?? 0) > choiceSize && { hint: t('payments.form.payeeMany') })}
      {...bound}
      onChange={(next) => {
        if (next !== bound.value) {
          fields.set('versionId', '');
          fields.set('charges', '');
          fields.set('purpose', '');
        }
        bound.onChange(next);
      }}
    />
  );
}

/** The account that would be paid, in the words of its country, and what asks for a look before it is. */
function ChosenPayee({ form: { payee } }: { form: PaymentForm }) {
  const t = useText();
  const factsOf = useAccountFacts();
  if (payee === undefined) return null;
  const { account, changedUntil, status } = payee;
  return (
    <div className="flex flex-col gap-3">
      {status !== 'usable' && <Banner kind="negative">{t(`payments.payee.${status}`)}</Banner>}
      {changedUntil !== null && <ChangedAccount until={changedUntil} now={account} before={payee.earlier[0]} />}
      {payee.addressLacks.length > 0 && <Banner kind="negative">{t('payments.payee.addressLacks')}</Banner>}
      <Verification of={account.verification} />
      <DescriptionList framed facts={factsOf(account).filter(({ term }) => term !== t('payees.bank.verification'))} />
    </div>
  );
}
