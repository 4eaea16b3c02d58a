import { dayOf } from '../../../lib/days.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import type { Fact } from '../../../ui/description-list.tsx';
import { Money } from '../../../ui/money.tsx';
import { useAccountFacts } from '../../payees/index.ts';
import { reckon } from '../../transfers/index.ts';
import { walletName } from '../../wallets/index.ts';
import { chargesOf } from '../payment-values.ts';
import type { PaymentForm } from './use-payment-form.ts';

/** Who, how much, where from, on which terms: what a person checks before money leaves. */
export function usePaymentFacts({
  form,
  fields,
  wallet,
  payee,
  outlook,
  coins,
}: PaymentForm): Record<'amounts' | 'account' | 'terms', Fact[]> {
  const t = useText();
  const formats = useFormats();
  const factsOf = useAccountFacts();
  const { values } = fields;
  if (outlook === undefined) return { amounts: [], account: [], terms: [] };
  const figures = reckon(values.amount, outlook);
  const money = (amount: string | undefined) =>
    amount === undefined ? '–' : <Money amount={amount} coin={outlook.asset} align="right" />;
  const charges = chargesOf(values, outlook);
  const day = (date: string) => formats.date(dayOf(date));
  const { earliest, latest } = outlook.arrival;
  const { printed } = outlook.remittance;
  const nameIsOther = outlook.nameSent.text !== outlook.account.name;
  const written: [string, string][] = [
    [t('payments.form.remittance'), values.remittance.trim() === '' ? '' : (printed?.text ?? values.remittance.trim())],
    [t('transfers.form.invoiceNumber'), values.invoiceNumber.trim()],
    [t('transfers.form.category'), values.category.trim()],
    [
      t(form === 'payment' ? 'payments.form.vouchers' : 'payments.form.attachments'),
      values.attachments.map(({ name }) => name).join('\n'),
    ],
    [t('payments.form.notes'), values.notes.trim()],
  ];
  return {
    amounts: [
      ...(coins.chosen === undefined
        ? [
            { term: t('payments.form.wallet'), value: wallet === undefined ? outlook.bankName : walletName(wallet) },
            { term: t('payments.check.receives'), value: money(figures?.amount) },
            { term: t('payments.check.fee'), value: money(outlook.fee) },
            {
              term: t('payments.check.total'),
              value: <strong className="font-semibold">{money(figures?.total)}</strong>,
            },
            { term: t('payments.check.left'), value: money(figures?.left) },
          ]
        : [
            { term: t('payments.form.wallet'), value: `${coins.chosen.asset} · ${coins.chosen.placeName}` },
            { term: t('payments.coins.through'), value: coins.bank?.placeName ?? outlook.bankName },
          ]),
      {
        term: t('payments.check.arrival'),
        value:
          earliest === latest
            ? day(latest)
            : t('payments.check.arrivalBetween', { from: day(earliest), to: day(latest) }),
      },
    ],
    account: [
      ...(payee === undefined ? [] : [{ term: t('payments.form.payee'), value: payee.label }]),
      ...(nameIsOther ? [{ term: t('payments.check.nameSent'), value: outlook.nameSent.text }] : []),
      ...factsOf(outlook.account).filter(({ term }) => term !== t('payees.bank.verification')),
    ],
    terms: [
      ...(charges === undefined ? [] : [{ term: t('payments.form.charges'), value: t(`payments.charges.${charges}`) }]),
      ...(values.purpose === ''
        ? []
        : [{ term: t('payments.form.purpose'), value: t(`payees.bank.purpose.${values.purpose}`) }]),
      ...written.flatMap(([term, value]) =>
        value === '' ? [] : [{ term, value: <span className="break-words whitespace-pre-wrap">{value}</span> }],
      ),
    ],
  };
}
