import { fileTypes, maxAttachments, maxFileBytes } from '@causeway/contract/files-rules.ts';
import { notesMaxLength } from '@causeway/contract/transfers-rules.ts';
import { isAtBank } from '@causeway/contract/wallets-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { AmountField } from '../../../ui/amount-field.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { CardPage } from '../../../ui/card-page.tsx';
import { FileDrop } from '../../../ui/file-drop.tsx';
import { Form } from '../../../ui/form.tsx';
import { useMedia, wideScreen } from '../../../ui/media.ts';
import { Page as Frame } from '../../../ui/page.tsx';
import { ErrorState, NoPermission } from '../../../ui/states.tsx';
import { TextArea } from '../../../ui/text-field.tsx';
import { withoutTrailingZeros } from '../../wallets/index.ts';
import { amountProblem, mostThatCanBeSent } from '../amounts.ts';
import { uploadAttachment } from '../attachments.ts';
import { NetworkFee } from '../components/network-fee.tsx';
import { ReferenceFields } from '../components/reference-fields.tsx';
import { RefusalNote, ReviewNote } from '../components/review-note.tsx';
import { TestFirst } from '../components/test-first.tsx';
import { TransferCode } from '../components/transfer-code.tsx';
import { TransferConfirm } from '../components/transfer-confirm.tsx';
import { TransferPayee, TransferSource } from '../components/transfer-parties.tsx';
import { TransferSummary } from '../components/transfer-summary.tsx';
import { useSubmit } from '../components/use-submit.ts';
import { useTransactionCode } from '../components/use-transaction-code.ts';
import { type TransferForm, useTransferForm } from '../components/use-transfer-form.ts';
import { useForeseenReview } from '../foreseen-review.ts';
import { amountTexts, boundTo, checkContent } from '../transfer-values.ts';

/** 10 MB as files are measured where people see them; the server allows the little more that 10 MiB are. */
const largest_bytes = Math.floor(maxFileBytes / 1_000_000) * 1_000_000;
const attachmentRules = { types: fileTypes, largest_bytes, most: maxAttachments };

/** Transfer out, for those who may. */
export function Page() {
  if (usePermission('transfer.create') !== false) return <TransferOut />;
  return (
    <CardPage>
      <NoPermission />
    </CardPage>
  );
}

/** Transfer out to a saved payee, with a summary beside it that follows every key (decisions, "Transactions"). */
function TransferOut() {
  const t = useText();
  const form = useTransferForm();
  const { fields, wallets, sources, wallet, payee, fee, networkFees, arrivalSeconds, rules } = form;
  const foreseen = useForeseenReview(wallet, fields.values.payeeId, fields.values.amount, rules);
  const { review, blocked } = foreseen;
  const code = useTransactionCode({
    fields,
    checked: checkContent(fields.values, form.around),
    boundTo: ({ content }) => boundTo(content),
    subjectOf: ({ content }) => ({ kind: 'transfer', content: { ...content } }),
    recipient: review?.codeRecipient,
    firstText: 'transfers.form.codeFirst',
    wouldStop: foreseen.again,
  });
  const submit = useSubmit(form, foreseen.again);
  // One column: what is about to happen is read before the button, and not found behind it.
  const isWide = useMedia(wideScreen);
  if (wallets.data === undefined && wallets.error !== null) {
    return (
      <CardPage>
        <ErrorState error={wallets.error} onRetry={() => void wallets.refetch()} />
      </CardPage>
    );
  }
  const { amount, invoiceNumber, category, notes, attachments } = fields.values;
  const filed = { invoiceNumber, category, notes, attachments: attachments.map(({ name }) => name) };
  const network = networkFees?.chosen ?? null;
  const confirmations = networkFees?.confirmations ?? null;
  // How long it takes follows from the fee, where that is a choice.
  const arrival = { network, confirmations, arrivalSeconds: networkFees === null ? arrivalSeconds : null };
  const summary = { wallet, payee, amount, fee, ...arrival, rules, review, filed };
  const asked = submit.ready && {
    fee: submit.ready.fee,
    network: submit.ready.network,
    rules: rules && { ...rules, fee: submit.ready.fee },
  };
  const isReviewed = review?.outcome === 'required';
  const note =
    submit.refusal === null ? (
      <ReviewNote review={review} coin={wallet?.asset ?? ''} onAgain={() => void foreseen.again()} />
    ) : (
      <RefusalNote {...submit.refusal} />
    );
  return (
    <Frame>
      <div className="grid items-start gap-6 lg:grid-cols-[3fr_2fr]">
        <Card>
          <Form fields={fields} onSubmit={submit.ask} label={t('transfers.form.label')}>
            <TransferSource fields={fields} wallets={sources} atBanks={(wallets.data?.items ?? []).filter(isAtBank)} />
            <TransferPayee fields={fields} wallet={wallet} payee={payee} />
            <TransferAmount form={form} />
            <NetworkFee form={form} />
            <TestFirst form={form} />
            <ReferenceFields fields={fields} />
            <FileDrop
              label={t('transfers.form.attachments')}
              optional
              rules={attachmentRules}
              onUpload={uploadAttachment}
              onUploading={form.setUploading}
              {...fields.value('attachments')}
            />
            <TextArea
              label={t('transfers.form.notes')}
              optional
              hint={t('transfers.form.notesHint')}
              maxLength={notesMaxLength}
              {...fields.text('notes')}
            />
            {!blocked && <TransferCode {...code} code={fields.value('code')} uploading={form.around.uploading} />}
            {!isWide && wallet !== undefined && <TransferSummary {...summary} note={note} inForm />}
            <div className="flex justify-end border-t border-line pt-5">
              <Button type="submit" kind="primary" size="large" busy={fields.submitting} disabled={blocked}>
                {t(
                  blocked
                    ? 'transfers.form.blocked'
                    : isReviewed
                      ? 'transfers.form.submitReview'
                      : 'transfers.form.submit',
                )}
              </Button>
            </div>
          </Form>
        </Card>
        {isWide && (
          <div className="sticky top-21">
            <TransferSummary {...summary} note={note} />
          </div>
        )}
      </div>
      <TransferConfirm
        {...summary}
        {...asked}
        open={submit.asking}
        onClose={submit.back}
        onConfirm={() => void submit.confirm()}
        busy={submit.busy}
        unknown={submit.unknown}
      />
    </Frame>
  );
}

/** "All" is offered once the fee is known: before, it would be more than can be sent. */
function TransferAmount({ form: { fields, wallet, rules, fee, networkFees, limits } }: { form: TransferForm }) {
  const t = useText();
  const bound = fields.value('amount');
  const problem = rules === null ? null : amountProblem(bound.value, rules);
  const inCoin = (amount: string) => amountLine(amount, wallet?.asset);
  const chosenMost = networkFees?.most(fields.values.feeLevel) ?? null;
  const flatMost = rules === null || fee === null ? null : mostThatCanBeSent(rules);
  const most = networkFees ? chosenMost && withoutTrailingZeros(chosenMost) : flatMost;
  const minimum = wallet === undefined ? {} : { minimum: inCoin(wallet.minimum) };
  return (
    <AmountField
      label={t('transfers.form.amount')}
      coin={wallet?.asset ?? ''}
      decimals={wallet?.decimals ?? 18}
      {...bound}
      disabled={wallet === undefined}
      error={bound.error !== undefined && problem !== null ? t(amountTexts[problem], minimum) : bound.error}
      {...(wallet !== undefined && {
        aside: t('transfers.form.available', { amount: inCoin(wallet.available) }),
        hint: [
          t('transfers.form.amountHint', minimum),
          limits.transfer === null ? '' : t('transfers.form.transferLimit', { limit: inCoin(limits.transfer) }),
          limits.daily === null ? '' : t('transfers.form.dailyLimit', { limit: inCoin(limits.daily) }),
        ]
          .join(' ')
          .trim(),
      })}
      {...(most !== null && { onAll: () => fields.set('amount', most) })}
    />
  );
}
