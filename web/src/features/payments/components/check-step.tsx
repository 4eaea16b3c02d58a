import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Banner, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { ChangedAccount } from '../../payees/index.ts';
import { RefusalNote, ReviewNote, TransferCode, useTransactionCode } from '../../transfers/index.ts';
import { boundTo, checkContent, stepOf } from '../payment-values.ts';
import { CoinQuote } from './coin-quote.tsx';
import { usePaymentFacts } from './use-payment-facts.tsx';
import type { PaymentForm } from './use-payment-form.ts';
import type { usePaymentSubmit } from './use-payment-submit.ts';
import { Verification } from './verification.tsx';

interface Props {
  form: PaymentForm;
  submission: ReturnType<typeof usePaymentSubmit>;
}

/** The last step: everything once more, what asks for a look, what would stop it, and the code. */
export function CheckStep({ form, submission }: Props) {
  const t = useText();
  const { outlook, outlookError, isOtherAccount } = form;
  const facts = usePaymentFacts(form);
  if (outlook === undefined) {
    if (outlookError !== null) return <ErrorState error={outlookError} onRetry={form.again} />;
    return (
      <Loading loading skeleton={<Skeleton height="h-80" />}>
        {null}
      </Loading>
    );
  }
  return (
    <>
      {isOtherAccount && (
        <Banner
          kind="negative"
          action={
            <Button size="small" onClick={form.takeAccount}>
              {t('payments.check.takeAccount')}
            </Button>
          }
        >
          {t('payments.check.otherAccount')}
        </Banner>
      )}
      {outlook.changedUntil !== null && (
        <ChangedAccount until={outlook.changedUntil} now={outlook.account} before={outlook.before ?? undefined} />
      )}
      <Verification of={outlook.account.verification} />
      {outlook.nameSent.lost.length > 0 && (
        <Banner kind="negative">{t('payments.check.nameLost', { lost: outlook.nameSent.lost.join(' ') })}</Banner>
      )}
      <Part title={t('payments.check.amounts')} facts={facts.amounts} />
      {form.coins.chosen !== undefined && <CoinQuote form={form} isLast />}
      {!outlook.arrival.certain && <p className="m-0 text-12 text-faint">{t('payments.check.uncertain')}</p>}
      <Part title={t('payments.check.account')} facts={facts.account} />
      {facts.terms.length > 0 && <Part title={t('payments.check.terms')} facts={facts.terms} />}
      <Earlier form={form} />
      {submission.refusal === null ? (
        <ReviewNote review={outlook.review} coin={outlook.asset} onAgain={form.again} />
      ) : (
        <RefusalNote {...submission.refusal} />
      )}
      {submission.unknown && <Banner kind="pending">{t('payments.check.unknown')}</Banner>}
      {!form.blocked && !isOtherAccount && <Code form={form} />}
    </>
  );
}

function Part({ title, facts }: { title: string; facts: Parameters<typeof DescriptionList>[0]['facts'] }) {
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <h3 className="m-0 text-14 font-semibold">{title}</h3>
      <DescriptionList framed facts={facts} />
    </section>
  );
}

/** What was right in an earlier step and is so no more: a balance that went down, a purpose that is asked for. */
function Earlier({ form: { fields, around, go } }: { form: PaymentForm }) {
  const t = useText();
  const checked = checkContent(fields.values, around);
  const [problem] = checked.ok ? [] : checked.problems;
  if (problem === undefined) return null;
  const field = String(problem.path[0]);
  return (
    <Banner
      kind="negative"
      action={
        <Button size="small" onClick={() => go(stepOf(field))}>
          {t('payments.check.correct')}
        </Button>
      }
    >
      {t(problem.message)}
    </Banner>
  );
}

function Code({ form: { fields, around, outlook, go } }: { form: PaymentForm }) {
  const code = useTransactionCode({
    fields,
    checked: checkContent(fields.values, around),
    boundTo,
    subjectOf: ({ content, coins }) =>
      coins === null ? { kind: 'payout', content: { ...content } } : { kind: 'cryptoPayout', content: { ...coins } },
    recipient: outlook?.review?.codeRecipient,
    firstText: 'payments.check.codeFirst',
    onWrong: (field) => go(stepOf(field)),
  });
  return <TransferCode {...code} code={fields.value('code')} uploading={around.uploading} />;
}
