import { notesMaxLength } from '@causeway/contract/transfers-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { CardPage } from '../../../ui/card-page.tsx';
import { Form } from '../../../ui/form.tsx';
import { useMedia, wideScreen } from '../../../ui/media.ts';
import { Page as Frame } from '../../../ui/page.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { EmptyState, ErrorState, NoPermission } from '../../../ui/states.tsx';
import { TextArea } from '../../../ui/text-field.tsx';
import { RefusalNote, ReviewNote, TransferCode, useTransactionCode } from '../../transfers/index.ts';
import { ExchangeConfirm } from '../components/exchange-confirm.tsx';
import { ExchangeSides } from '../components/exchange-sides.tsx';
import { ExchangeSummary } from '../components/exchange-summary.tsx';
import { ExchangeTiming } from '../components/exchange-timing.tsx';
import { useExchangeForm } from '../components/use-exchange-form.ts';
import { useExchangeSubmit } from '../components/use-exchange-submit.ts';
import { boundTo, checkContent } from '../exchange-values.ts';

/** Exchange between own wallets, for those who may. */
export function Page() {
  if (usePermission('exchange.create') !== false) return <Exchange />;
  return (
    <CardPage>
      <NoPermission />
    </CardPage>
  );
}

/** One amount is typed, the other follows from a live quote; the summary beside it says what it costs (decisions, "Exchange"). */
function Exchange() {
  const t = useText();
  const form = useExchangeForm();
  const { fields, options, wallets, rate, blocked } = form;
  // A code outlives the quotes that are within the bound that it is made for.
  const code = useTransactionCode({
    fields,
    checked: checkContent(fields.values, form.around),
    boundTo: ({ content }) => boundTo(content),
    subjectOf: ({ content }) => ({ kind: 'exchange', content: { ...content } }),
    recipient: rate.firm?.review.codeRecipient,
    firstText: 'exchanges.form.codeFirst',
    wouldStop: () => blocked,
  });
  const submit = useExchangeSubmit(form);
  // One column: what is about to happen is read before the button, and not found behind it.
  const isWide = useMedia(wideScreen);
  if (options.data === undefined && options.error !== null) {
    return (
      <CardPage>
        <ErrorState error={options.error} onRetry={() => void options.refetch()} />
      </CardPage>
    );
  }
  if (options.data !== undefined && wallets.length < 2) {
    return (
      <CardPage>
        <EmptyState icon="exchange" title={t('exchanges.empty')} text={t('exchanges.emptyText')} />
      </CardPage>
    );
  }
  const review = rate.shown?.review ?? null;
  const note =
    submit.refusal === null ? (
      <ReviewNote review={review} coin={rate.shown?.sell.asset ?? ''} onAgain={rate.again} />
    ) : (
      <RefusalNote {...submit.refusal} />
    );
  const isReviewed = review?.outcome === 'required';
  return (
    <Frame
      actions={
        <PlainLink href="/app/wallet/exchange/planned" className={buttonClass('secondary')}>
          {t('exchanges.planned')}
        </PlainLink>
      }
    >
      <div className="grid items-start gap-6 lg:grid-cols-[3fr_2fr]">
        <Card>
          <Form fields={fields} onSubmit={submit.ask} label={t('exchanges.form.label')}>
            <ExchangeSides form={form} />
            <ExchangeTiming form={form} />
            <TextArea label={t('exchanges.form.notes')} optional maxLength={notesMaxLength} {...fields.text('notes')} />
            {!blocked && <TransferCode {...code} code={fields.value('code')} />}
            {!isWide && <ExchangeSummary form={form} note={note} inForm />}
            <div className="flex justify-end border-t border-line pt-5">
              <Button
                type="submit"
                kind="primary"
                size="large"
                busy={fields.submitting}
                disabled={blocked || rate.error !== null || rate.isAsking}
              >
                {t(
                  isReviewed
                    ? 'exchanges.form.submitReview'
                    : fields.values.timing === 'limit'
                      ? 'exchanges.form.submitLimit'
                      : 'exchanges.form.submit',
                )}
              </Button>
            </div>
          </Form>
        </Card>
        {isWide && (
          <div className="sticky top-21">
            <ExchangeSummary form={form} note={note} />
          </div>
        )}
      </div>
      <ExchangeConfirm form={form} submit={submit} />
    </Frame>
  );
}
