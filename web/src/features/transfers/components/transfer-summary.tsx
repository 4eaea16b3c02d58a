import type { CryptoPayee } from '@causeway/contract/payees.ts';
import type { ForeseenReview, NetworkFeeOption } from '@causeway/contract/transfers.ts';
import type { Wallet } from '@causeway/contract/wallets.ts';
import type { ReactNode } from 'react';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import { Card } from '../../../ui/card.tsx';
import { DescriptionList, type Fact } from '../../../ui/description-list.tsx';
import { Money } from '../../../ui/money.tsx';
import { walletName } from '../../wallets/index.ts';
import { type AmountRules, reckon, worth } from '../amounts.ts';
import { levelTexts } from '../fee-levels.ts';
import { rateLine } from '../network-fees.ts';

export interface SummaryProps {
  wallet: Wallet | undefined;
  payee: Pick<CryptoPayee, 'label' | 'address'> | undefined;
  amount: string;
  /** Null until it is known. */
  fee: string | null;
  /** What was chosen where the network fee is a choice, and the confirmations that come after its block. */
  network: NetworkFeeOption | null;
  confirmations: number | null;
  /** How long it takes until it is final; null until it is known. */
  arrivalSeconds: number | null;
  rules: AmountRules | null;
  /** What it is filed under, and what goes with it: attachments by their names. */
  filed: { invoiceNumber: string; category: string; notes: string; attachments: readonly string[] };
  /** What would stop it, or who will have to approve it; null until it is known. */
  review: ForeseenReview | null;
}

interface Props extends SummaryProps {
  /** What is foreseen of it, or was said of its submission. */
  note: ReactNode;
}

/** The result of the transfer, computed again with every key: beside the form, or in it where there is no room beside. */
export function TransferSummary({ inForm = false, ...props }: Props & { inForm?: boolean }) {
  const t = useText();
  const title = t('transfers.summary');
  if (!inForm) {
    return (
      <Card title={title}>
        <Content {...props} />
      </Card>
    );
  }
  return (
    <section aria-label={title} className="rounded-10 bg-sunken p-4">
      <h2 className="m-0 mb-3 text-14 font-semibold">{title}</h2>
      <Content {...props} />
    </section>
  );
}

function Content({ note, ...props }: Props) {
  const t = useText();
  const formats = useFormats();
  const { wallet } = props;
  return (
    <>
      <DescriptionList facts={useTransferFacts(props)} />
      {wallet?.unitPrice != null && wallet.priceUpdatedAt !== null && (
        <p className="m-0 mt-3 text-12 text-faint">
          {t('transfers.summary.rateAt', { time: formats.dateTime(wallet.priceUpdatedAt) })}
        </p>
      )}
      <div className="mt-4 empty:hidden">{note}</div>
    </>
  );
}

/** Who, how much, where: for the summary and once more for the confirmation. */
export function useTransferFacts({
  wallet,
  payee,
  amount,
  fee,
  network,
  confirmations,
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
    {
      term: t(
        network !== null && network.fee === network.networkFee
          ? 'transfers.summary.networkFee'
          : 'transfers.summary.fee',
      ),
      value: money(fee ?? undefined, network !== null),
    },
    ...(network === null
      ? []
      : [
          ...(network.fee === network.networkFee
            ? []
            : [{ term: t('transfers.summary.networkPart'), value: money(network.networkFee) }]),
          {
            term: t('transfers.summary.speed'),
            value: t('transfers.summary.speedOf', {
              level: t(levelTexts[network.level]),
              rate: rateLine(network.feeRate),
            }),
          },
        ]),
    { term: t('transfers.summary.total'), value: money(fee === null ? undefined : figures?.total) },
    { term: t('transfers.summary.left'), value: money(fee === null ? undefined : figures?.left) },
    {
      term: t('transfers.summary.arrival'),
      value:
        network !== null
          ? t('transfers.summary.inBlock', {
              duration: formats.duration(network.expectedSeconds),
              count: confirmations ?? 0,
            })
          : arrivalSeconds === null
            ? dash
            : t('transfers.summary.arrivesIn', { duration: formats.duration(arrivalSeconds) }),
    },
    ...[
      { term: t('transfers.form.invoiceNumber'), value: filed.invoiceNumber.trim() },
      { term: t('transfers.form.category'), value: filed.category.trim() },
      { term: t('transfers.form.attachments'), value: filed.attachments.join('\n') },
      { term: t('transfers.form.notes'), value: filed.notes.trim() },
    ].flatMap(({ term, value }) =>
      value === '' ? [] : [{ term, value: <span className="break-words whitespace-pre-wrap">{value}</span> }],
    ),
  ];
}
