import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Banner } from '../../../ui/states.tsx';
import { ReviewNote } from '../../transfers/index.ts';
import { RateState, useLimitFacts, useQuoteFacts } from './exchange-summary.tsx';
import type { ExchangeForm } from './use-exchange-form.ts';
import type { useExchangeSubmit } from './use-exchange-submit.ts';

interface Props {
  form: ExchangeForm;
  submit: ReturnType<typeof useExchangeSubmit>;
}

/** Repeats what leaves and what arrives, with the quote that is about to be taken; a quote that ends meanwhile is renewed in sight. */
export function ExchangeConfirm({ form, submit }: Props) {
  const t = useText();
  const { rate, fields } = form;
  const quote = rate.shown;
  const isLimit = fields.values.timing === 'limit';
  const quoteFacts = useQuoteFacts(quote, fields.values.bound);
  const limitFacts = useLimitFacts(form);
  const facts = isLimit ? limitFacts : quoteFacts;
  const isReviewed = quote?.review.outcome === 'required';
  const kind = isLimit ? (isReviewed ? 'limitReview' : 'limit') : isReviewed ? 'review' : 'now';
  const ready = submit.unknown || (rate.firm !== undefined && !rate.isOut && !form.blocked);
  return (
    <ConfirmDialog
      open={submit.asking}
      onOpenChange={(next) => next || submit.back()}
      title={t(`exchanges.confirm.${kind}Title`)}
      description={t(`exchanges.confirm.${kind}Text`)}
      facts={facts}
      confirmText={
        isReviewed
          ? t('exchanges.confirm.review')
          : isLimit
            ? t('exchanges.form.submitLimit')
            : t('exchanges.confirm.exchange', { amount: amountLine(quote?.sell.total ?? '', quote?.sell.asset) })
      }
      cancelText={t('exchanges.confirm.back')}
      busy={submit.busy}
      disabled={!ready}
      onConfirm={() => void submit.confirm()}
    >
      {submit.renewed !== null && (
        <p role="status" className="mt-3 mb-0">
          {submit.renewed} {t('exchanges.confirm.renewed')}
        </p>
      )}
      {!submit.unknown && <RateState form={form} />}
      <div className="mt-4 empty:hidden">
        {submit.unknown ? (
          <Banner kind="pending">{t('exchanges.confirm.unknown')}</Banner>
        ) : (
          <ReviewNote review={quote?.review ?? null} coin={quote?.sell.asset ?? ''} />
        )}
      </div>
    </ConfirmDialog>
  );
}
