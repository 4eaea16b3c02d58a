import type { TradeDetail } from '@causeway/contract/trades.ts';
import { useText } from '../../../lib/locale.tsx';
import { AmountField } from '../../../ui/amount-field.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Button } from '../../../ui/button.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { Banner } from '../../../ui/states.tsx';
import { isBlocked, ReviewNote, TransferCode } from '../../transfers/index.ts';
import { payable } from '../values.ts';
import { SellerAsPayee } from './seller-as-payee.tsx';
import { useRelease } from './use-release.ts';

interface Props {
  trade: TradeDetail;
  /** The milestone that is to be paid; absent: chosen here. */
  milestoneId?: string;
  onClose: () => void;
}

/** Pays the seller: whom, how much, the fee on top, and the code of the transfer that it is. */
export function ReleaseDialog({ trade, milestoneId = '', onClose }: Props) {
  const t = useText();
  const { recipient } = trade;
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t('trades.release.title')}
      description={t('trades.release.text')}
    >
      {recipient?.usable ? (
        <ReleaseForm trade={trade} recipient={recipient} milestoneId={milestoneId} onClose={onClose} />
      ) : (
        <SellerAsPayee trade={trade} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface FormProps extends Required<Props> {
  recipient: NonNullable<TradeDetail['recipient']>;
}

function ReleaseForm({ trade, recipient, milestoneId, onClose }: FormProps) {
  const t = useText();
  const release = useRelease({ trade, payeeId: recipient.id, milestoneId, onDone: onClose });
  const { fields, review, fee, feeProblem, levels, isUnclear, code } = release;
  const { asset, decimals, milestones } = trade;
  const most = payable(trade);
  const chosen = milestones.find(({ id }) => id === fields.values.milestoneId);
  const reached = milestones.filter((milestone) => milestone.reached && !milestone.released);
  const blocked = !isUnclear && (isBlocked(review) || !trade.can.release);
  const choices = [
    ...reached.map(({ id, name, amount }) => ({ value: id, label: name, detail: amountLine(amount, asset) })),
    { value: 'amount', label: t('trades.release.otherAmount') },
  ];
  const choose = (value: string) => {
    fields.set('milestoneId', value === 'amount' ? '' : value);
    fields.set('amount', value === 'amount' ? '' : (milestones.find(({ id }) => id === value)?.amount ?? ''));
  };
  return (
    <Form fields={fields} onSubmit={release.submit} label={t('trades.release.title')}>
      <DescriptionList
        framed
        facts={[
          { term: t('trades.field.number'), value: trade.number },
          { term: t('trades.release.payee'), value: recipient.name },
          { term: t('trades.release.most'), value: amountLine(most, asset) },
        ]}
      />
      {reached.length > 0 && (
        <SelectField
          label={t('trades.release.what')}
          options={choices}
          value={fields.values.milestoneId === '' ? 'amount' : fields.values.milestoneId}
          onChange={choose}
        />
      )}
      {chosen === undefined ? (
        <AmountField
          label={t('trades.release.amount')}
          coin={asset}
          decimals={decimals}
          onAll={() => fields.set('amount', most)}
          {...fields.value('amount')}
        />
      ) : (
        <DescriptionList
          framed
          facts={[{ term: t('trades.release.amount'), value: amountLine(chosen.amount, asset) }]}
        />
      )}
      {levels.length > 0 && (
        <SelectField label={t('trades.release.feeLevel')} options={levels} {...fields.value('feeLevel')} />
      )}
      <p className={`figures m-0 text-13 ${feeProblem === null ? 'text-muted' : 'text-negative'}`} role="status">
        {fee === null
          ? (feeProblem ?? t('trades.release.feeUnknown'))
          : t('trades.release.fee', { fee: amountLine(fee, asset) })}
      </p>
      {fields.error('amount') !== undefined && chosen !== undefined && (
        <p role="alert" className="m-0 text-13 text-negative">
          {fields.error('amount')}
        </p>
      )}
      {isUnclear ? (
        <Banner kind="pending">{t('trades.unclear')}</Banner>
      ) : trade.can.release ? (
        <ReviewNote review={review} coin={asset} />
      ) : (
        <Banner kind="pending">{t('trades.changed')}</Banner>
      )}
      {!blocked && <TransferCode {...code} code={fields.value('code')} />}
      <div className="flex flex-wrap justify-end gap-3 border-t border-line pt-5">
        <Button disabled={fields.submitting} onClick={onClose}>
          {t('trades.back')}
        </Button>
        <Button type="submit" kind="primary" busy={fields.submitting} disabled={blocked}>
          {t(review?.outcome === 'required' ? 'trades.release.submitReview' : 'trades.release.submit')}
        </Button>
      </div>
    </Form>
  );
}
