import type { CryptoPayee } from '@causeway/contract/payees.ts';
import type { ForeseenReview } from '@causeway/contract/transfers.ts';
import type { Wallet } from '@causeway/contract/wallets.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import { Card } from '../../../ui/card.tsx';
import { DescriptionList, type Fact } from '../../../ui/description-list.tsx';
import { Money } from '../../../ui/money.tsx';
import { walletName } from '../../wallets/index.ts';
import { type AmountRules, reckon, worth } from '../amounts.ts';
import { ReviewNote } from './review-note.tsx';

export interface SummaryProps {
  wallet: Wallet | undefined;
  payee: Pick<CryptoPayee, 'label' | 'address'> | undefined;
  amount: string;
  /** Null until it is known. */
  fee: string | null;
  /** How long it takes until it is final; null until it is known. */
  arrivalSeconds: number | null;
  rules: AmountRules | null;
  /** What it is filed under, and what goes with it. */
  filed: { invoiceNumber: string; category: string; notes: string; attachments: number };
  /** Who will have to approve it; null until it is known. */
  review: ForeseenReview | null;
}

/** The result of the transfer, computed again with every key. */
export function TransferSummary(props: SummaryProps) {
  const t = useText();
  const formats = useFormats();
  const { wallet, review } = props;
  return (
    <Card title={t('transfers.summary')}>
      <DescriptionList facts={useTransferFacts(props)} />
      {wallet?.unitPrice != null && wallet.priceUpdatedAt !== null && (
        <p className="m-0 mt-3 text-12 text-faint">
          {t('transfers.summary.rateAt', { time: formats.dateTime(wallet.priceUpdatedAt) })}
        </p>
      )}
      <ReviewNote review={review} coin={wallet?.asset ?? ''} />
    </Card>
  );
}

/** Who, how much, where: for the summary and once more for the confirmation. */
export function useTransferFacts({
  wallet,
  payee,
  amount,
  fee,
  arrivalSeconds,
  rules,
  filed,
}: Omit<SummaryProps, 'review'>): Fact[] {
  const t = useText();
  const formats = useFormats();
  const figures = rules === null ? null : reckon(amount, rules);
  const dash = <span className="text-faint">–</span>;
  const money = (figure: string | undefined, fiat = false) => {
    if (figure === undefined || wallet === undefined) return dash;
    const value = fiat ? worth(figure, wallet.unitPrice) : null;
    return (
      <Money
        amount={figure}
        coin={wallet.asset}
        align="right"
        {...(value !== null && {
          fiat: { amount: value, coin: 'USD', ...(wallet.priceUpdatedAt !== null && { at: wallet.priceUpdatedAt }) },
        })}
      />
    );
  };
  return [
    {
      term: t('transfers.form.from'),
      value: wallet === undefined ? dash : walletName(wallet),
    },
    {
      term: t('transfers.form.payee'),
      value: payee === undefined ? dash : <span className="font-medium break-words">{payee.label}</span>,
    },
    {
      term: t('transfers.form.to'),
      value: payee === undefined ? dash : <Address value={payee.address} copyable={false} />,
    },
    { term: t('transfers.summary.receives'), value: money(figures?.amount, true) },
    { term: t('transfers.summary.fee'), value: money(fee ?? undefined) },
    { term: t('transfers.summary.total'), value: money(fee === null ? undefined : figures?.total) },
    { term: t('transfers.summary.left'), value: money(fee === null ? undefined : figures?.left) },
    {
      term: t('transfers.summary.arrival'),
      value:
        arrivalSeconds === null
          ? dash
          : t('transfers.summary.arrivesIn', { duration: formats.duration(arrivalSeconds) }),
    },
    ...[
      { term: t('transfers.form.invoiceNumber'), value: filed.invoiceNumber.trim() },
      { term: t('transfers.form.category'), value: filed.category.trim() },
      { term: t('transfers.form.attachments'), value: filed.attachments > 0 ? formats.count(filed.attachments) : '' },
      { term: t('transfers.form.notes'), value: filed.notes.trim() },
    ].flatMap(({ term, value }) =>
      value === '' ? [] : [{ term, value: <span className="break-words whitespace-pre-wrap">{value}</span> }],
    ),
  ];
}
