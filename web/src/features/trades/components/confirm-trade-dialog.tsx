import type { CodeMethod } from '@causeway/contract/identity.ts';
import type { TradeDetail } from '@causeway/contract/trades.ts';
import { useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { codeFields, placed } from '../../../lib/placed.ts';
import { reportError } from '../../../lib/report-error.ts';
import { toast } from '../../../lib/toasts.ts';
import { Address } from '../../../ui/address.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { type Checked, useFields } from '../../../ui/form-state.ts';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Banner } from '../../../ui/states.tsx';
import { isBlocked, ReviewNote, TransferCode, useTransactionCode } from '../../transfers/index.ts';
import { useConfirmTrade } from '../api.ts';
import { lackingOf } from '../values.ts';

interface Values {
  codeMethod: CodeMethod;
  code: string;
}

function check(values: Values): Checked<Values> {
  return /^\d{6}$/.test(values.code)
    ? { ok: true, values }
    : { ok: false, problems: [{ path: ['code'], message: 'field.code' }] };
}

interface Props {
  trade: TradeDetail;
  onClose: () => void;
}

/** Repeats what is frozen, for whom and out of which wallet, and takes the code that proves it. */
export function ConfirmTradeDialog({ trade, onClose }: Props) {
  const t = useText();
  const confirm = useConfirmTrade();
  // The same confirmation, however often it is sent; of the trade as it was shown.
  const [content] = useState(() => ({ id: newId(), tradeId: trade.id, version: trade.version }));
  /** No clear answer came: sending again repeats the same confirmation. */
  const [isUnclear, setUnclear] = useState(false);
  const fields = useFields<Values, Values>({ check, defaults: { codeMethod: 'email', code: '' } });
  const { review, asset, quantity, payee, available } = trade;
  const lacking = trade.walletId === null ? quantity : lackingOf(trade);
  const isOther = trade.version !== content.version;
  const blocked = !isUnclear && (lacking !== null || isOther || !trade.can.confirm || isBlocked(review));
  const isReviewed = review?.outcome === 'required';
  const code = useTransactionCode({
    fields,
    checked: { ok: true, values: content },
    boundTo: ({ id }) => id,
    subjectOf: (subject) => ({ kind: 'trade', content: { ...subject } }),
    recipient: review?.codeRecipient,
    firstText: 'trades.confirm.first',
  });

  async function submit(proof: Values): Promise<void> {
    try {
      const { state } = await confirm.mutateAsync({ body: { ...content, ...proof } });
      const text = state === 'created' ? 'trades.confirmed.review' : 'trades.confirmed.frozen';
      toast('success', t(text, { number: trade.number }));
      onClose();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setUnclear(!error.refused);
      reportError(error);
      throw placed(error, codeFields);
    }
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => open || fields.submitting || onClose()}
      title={t('trades.confirm.title')}
      description={t(isReviewed ? 'trades.confirm.textReview' : 'trades.confirm.text')}
    >
      <Form fields={fields} onSubmit={submit} label={t('trades.confirm.title')}>
        <DescriptionList
          framed
          facts={[
            { term: t('trades.field.number'), value: trade.number },
            { term: t('trades.field.payee'), value: payee.name },
            { term: t('trades.field.payeeWallet'), value: <Address value={payee.wallet} copyable={false} /> },
            { term: t('trades.confirm.wallet'), value: `${asset} · ${trade.chainName}` },
            { term: t('trades.confirm.freezes'), value: <Money amount={quantity} coin={asset} align="right" /> },
            {
              term: t('trades.confirm.available'),
              value: available === null ? '–' : <Money amount={available} coin={asset} align="right" />,
            },
          ]}
        />
        <Standing trade={trade} lacking={lacking} isOther={isOther} isUnclear={isUnclear} />
        {!blocked && <TransferCode {...code} code={fields.value('code')} />}
        <div className="flex flex-wrap justify-end gap-3 border-t border-line pt-5">
          <Button disabled={fields.submitting} onClick={onClose}>
            {t('trades.back')}
          </Button>
          <Button type="submit" kind="primary" busy={fields.submitting} disabled={blocked}>
            {t(isReviewed ? 'trades.confirm.submitReview' : 'trades.confirm.submit', {
              amount: amountLine(quantity, asset),
            })}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

interface StandingProps {
  trade: TradeDetail;
  lacking: string | null;
  isOther: boolean;
  isUnclear: boolean;
}

/** Why it cannot be confirmed, with what helps, or what it will wait for. */
function Standing({ trade, lacking, isOther, isUnclear }: StandingProps) {
  const t = useText();
  const { asset, chainId } = trade;
  if (isUnclear) return <Banner kind="pending">{t('trades.unclear')}</Banner>;
  if (isOther || !trade.can.confirm) return <Banner kind="pending">{t('trades.changed')}</Banner>;
  if (lacking !== null) {
    return (
      <Banner
        kind="negative"
        action={
          <PlainLink
            href={`/app/wallet/recharge?${new URLSearchParams({ coin: asset, chain: chainId })}`}
            className={buttonClass('secondary', 'small')}
          >
            {t('trades.confirm.topUp')}
          </PlainLink>
        }
      >
        <p className="m-0 font-medium">{t('trades.insufficient')}</p>
        <p className="m-0 mt-1">{t('trades.insufficient.lacking', { amount: amountLine(lacking, asset) })}</p>
      </Banner>
    );
  }
  return <ReviewNote review={trade.review} coin={asset} />;
}
