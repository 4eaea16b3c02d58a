import { dayOf } from '../../../lib/days.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Card } from '../../../ui/card.tsx';
import { DescriptionList, type Fact } from '../../../ui/description-list.tsx';
import { plain } from '../../transfers/index.ts';
import type { RequestOptions } from '../api.ts';
import { acceptedOf, decimalsOf, endOf, inCoin, mayRemind, type RequestValues, rateOf } from '../request-values.ts';
import { methodName, reminderLine } from '../words.ts';

interface Props {
  values: RequestValues;
  options: RequestOptions | undefined;
}

/** What the payer will be asked, as it is typed: the facts that a review repeats. */
export function useRequestFacts({ values, options }: Props): Fact[] {
  const t = useText();
  const formats = useFormats();
  const { pricing, asset, amount, title, reference, dueOn, payerName, payerEmail, kind } = values;
  const hasAmount = pricing !== 'open' && asset !== '' && /[1-9]/.test(amount);
  const end = endOf(values, Date.now());
  const accepted = acceptedOf(values, options);
  const facts: (Fact | null)[] = [
    { term: t('collections.field.kind'), value: t(`collections.kind.${kind}`) },
    title.trim() === '' ? null : { term: t('collections.field.title'), value: title.trim() },
    reference.trim() === '' ? null : { term: t('collections.field.reference'), value: reference.trim() },
    {
      term: t('collections.field.amount'),
      value:
        pricing === 'open' ? (
          t('collections.anyAmount')
        ) : hasAmount ? (
          <strong className="font-semibold">{amountLine(plain(amount), asset)}</strong>
        ) : (
          '–'
        ),
    },
    {
      term: t('collections.field.accepted'),
      value:
        accepted.length === 0 ? (
          '–'
        ) : (
          <ul className="m-0 list-none p-0">
            {accepted.map((each) => {
              const rate = options && pricing === 'currency' ? rateOf(options, each.coin, asset) : null;
              const about =
                options && rate && hasAmount
                  ? inCoin(plain(amount), rate, each.decimals, decimalsOf(values, options))
                  : null;
              return (
                <li key={`${each.coin}.${each.chainId}`}>
                  {methodName(each)}
                  {about !== null && (
                    <span className="block text-12 text-faint">
                      {t('collections.form.about', { amount: amountLine(about, each.coin) })}
                    </span>
                  )}
                </li>
              );
            })}
          </ul>
        ),
    },
    {
      term: t('collections.field.expiresAt'),
      value: end === null ? t('collections.noExpiry') : formats.dateTime(end),
    },
    dueOn === '' ? null : { term: t('collections.field.dueOn'), value: formats.date(dayOf(dueOn)) },
    payerName.trim() === '' && payerEmail.trim() === ''
      ? null
      : {
          term: t('collections.field.payer'),
          value: [payerName.trim(), payerEmail.trim()].filter(Boolean).join(' · '),
        },
    mayRemind(values) && values.reminderDays.length > 0
      ? {
          term: t('collections.field.reminders'),
          value: values.reminderDays.map((day) => reminderLine(t, day)).join(' · '),
        }
      : null,
    pricing === 'open' || values.toleranceIn === 'none' || values.tolerance === ''
      ? null
      : {
          term: t('collections.field.tolerance'),
          value: values.toleranceIn === 'percent' ? `${values.tolerance}%` : amountLine(plain(values.tolerance), asset),
        },
  ];
  return facts.filter((fact) => fact !== null);
}

/** Beside the form: the request as it would be made now. */
export function RequestSummary(props: Props) {
  const t = useText();
  const facts = useRequestFacts(props);
  return (
    <Card title={t('collections.form.summary')}>
      <div className="flex flex-col gap-4">
        <DescriptionList facts={facts} />
        {props.values.pricing === 'currency' && (
          <p className="m-0 text-13 text-muted">{t('collections.form.ratesFreeze')}</p>
        )}
        <p className="m-0 text-13 text-muted">{t('collections.form.fixed')}</p>
      </div>
    </Card>
  );
}
