import type { BatchCheck, CheckedRow } from '@causeway/contract/batch-runs.ts';
import { useParams, useRouter } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { usePermission } from '../../../lib/permission.ts';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { CardPage } from '../../../ui/card-page.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { Page as Frame } from '../../../ui/page.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Banner, ErrorState, Loading, NoPermission, Skeleton } from '../../../ui/states.tsx';
import { ReviewNote, TransferCode, useTransactionCode } from '../../transfers/index.ts';
import { useBatch } from '../api.ts';
import { useCheck, useSubmitRun } from '../api-runs.ts';
import { AskedDays } from '../components/asked-days.tsx';
import { RunTotals } from '../components/run-totals.tsx';
import { checkRun, checkRunContent, contentOf, emptyRun, type ReadyRun, type RunValues } from '../run-values.ts';
import { findingTone } from '../words.ts';

/** What a batch would meet, and its submission under one code; the same page sends failed rows again. */
export function Page() {
  const { id } = useParams({ strict: false }) as { id: string };
  if (usePermission('transfer.create') !== false) return <Checked key={id} id={id} />;
  return (
    <CardPage narrow>
      <NoPermission />
    </CardPage>
  );
}

function Checked({ id }: { id: string }) {
  const read = useCheck(id);
  const { data } = read;
  if (data === undefined && read.error !== null) {
    return (
      <CardPage narrow>
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      </CardPage>
    );
  }
  // That nothing can be submitted may be what was kept from before a payment failed.
  const isOld = data?.rows === 0 && read.isFetching;
  return (
    <Loading loading={data === undefined || isOld} skeleton={<Skeleton height="h-100" />}>
      {data && <Submission id={id} check={data} onAgain={() => void read.refetch()} />}
    </Loading>
  );
}

function Submission({ id, check, onAgain }: { id: string; check: BatchCheck; onAgain: () => void }) {
  const t = useText();
  const asked = useBatch(id).data?.asked ?? null;
  if (check.rows === 0) {
    return (
      <Frame narrow>
        <Card>
          <div className="flex flex-col items-start gap-4">
            <Banner kind="notice">{t('batches.submit.nothing')}</Banner>
            <PlainLink href={`/app/storm/${id}`} className={buttonClass('secondary')}>
              {t('batches.submit.back')}
            </PlainLink>
          </div>
        </Card>
      </Frame>
    );
  }
  return (
    <Frame narrow intro={t(check.number > 1 ? 'batches.submit.introAgain' : 'batches.submit.intro')}>
      <Card title={t('batches.submit.rows', { rows: check.rows })}>
        <div className="flex flex-col gap-5">
          <RunTotals totals={check.totals} valueUsd={check.valueUsd} />
          <Wallets wallets={check.wallets} />
          {check.errors > 0 && (
            <p className="m-0 text-13 text-muted">{t('batches.submit.refused', { count: check.errors })}</p>
          )}
        </div>
      </Card>
      {check.number === 1 && asked !== null && <AskedDays asked={asked} />}
      <Findings id={id} check={check} />
      {check.errors > 0 ? (
        <Card>
          <Banner
            kind="negative"
            action={
              <Button size="small" onClick={onAgain}>
                {t('batches.submit.again')}
              </Button>
            }
          >
            {t('batches.submit.wrong', { count: check.errors })}
          </Banner>
        </Card>
      ) : (
        <SubmitForm id={id} check={check} onAgain={onAgain} />
      )}
    </Frame>
  );
}

/** What each paying wallet has, and has left. */
function Wallets({ wallets }: { wallets: BatchCheck['wallets'] }) {
  const t = useText();
  return (
    <section className="flex flex-col gap-2">
      <h3 className="m-0 text-14 font-semibold">{t('batches.submit.wallets')}</h3>
      <DescriptionList
        facts={wallets.map(({ asset, place, available, left, covered }) => ({
          term: `${asset} · ${place}`,
          value: (
            <span className="figures flex flex-col items-end">
              <span className={covered ? '' : 'font-medium text-negative'}>
                {covered
                  ? t('batches.submit.left', { amount: amountLine(left, asset) })
                  : t('batches.submit.lacks', { amount: amountLine(left.slice(1), asset) })}
              </span>
              <span className="text-12 text-faint">
                {t('batches.submit.available', { amount: amountLine(available, asset) })}
              </span>
            </span>
          ),
        }))}
      />
    </section>
  );
}

const shownAtOnce = 20;

/** Rows with something to look at, those that are refused first. */
function Findings({ id, check }: { id: string; check: BatchCheck }) {
  const t = useText();
  const [shown, setShown] = useState(shownAtOnce);
  const found = useMemo(() => {
    const isWrong = (row: CheckedRow) => row.findings.some(({ severity }) => severity === 'error');
    const all = check.items.filter(({ findings }) => findings.length > 0);
    return [...all.filter(isWrong), ...all.filter((row) => !isWrong(row))];
  }, [check.items]);
  if (found.length === 0) return null;
  return (
    <Card title={t('batches.submit.look')}>
      <ul className="m-0 list-none rounded-6 border border-line p-0" aria-label={t('batches.submit.look')}>
        {found.slice(0, shown).map((row) => (
          <li key={row.id} className="flex flex-col gap-1 border-b border-line px-4 py-2.5 text-13 last:border-b-0">
            <span className="flex flex-wrap items-baseline justify-between gap-x-4">
              <span className="font-medium">
                {t('batches.submit.row', { number: row.number })} {row.payee ?? ''}
              </span>
              {row.amount !== null && row.asset !== null && (
                <span className="figures">{amountLine(row.amount, row.asset)}</span>
              )}
            </span>
            {row.findings.map(({ key, severity, sentence }) => (
              <span key={key} className={severity === 'error' ? 'text-negative' : findingTone(key)}>
                {sentence}
              </span>
            ))}
          </li>
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap gap-2">
        {found.length > shown && (
          <Button size="small" onClick={() => setShown(shown + 5 * shownAtOnce)}>
            {t('batches.submit.more', { count: found.length - shown })}
          </Button>
        )}
        {check.errors > 0 && (
          <PlainLink href={`/app/storm/${id}`} className={buttonClass('secondary', 'small')}>
            {t('batches.submit.mend')}
          </PlainLink>
        )}
      </div>
    </Card>
  );
}

function SubmitForm({ id, check, onAgain }: { id: string; check: BatchCheck; onAgain: () => void }) {
  const t = useText();
  const router = useRouter();
  const [runId] = useState(() => newId());
  const content = contentOf(runId, id, check);
  // The form's check is stable between renders and looks at what is submitted now.
  const now = useRef(content);
  now.current = content;
  const [isStable] = useState(() => (values: RunValues) => checkRun(values, now.current));
  const fields = useFields<RunValues, ReadyRun>({ check: isStable, defaults: emptyRun });
  const submit = useSubmitRun(check.number === 1);
  const code = useTransactionCode({
    fields,
    checked: checkRunContent(fields.values, content),
    boundTo: (ready) => JSON.stringify(ready.content),
    subjectOf: (ready) => ({ kind: 'batch', content: { ...ready.content } }),
    recipient: check.review?.codeRecipient,
    firstText: 'batches.submit.notReady',
  });
  async function onSubmit({ content: run, ...proof }: ReadyRun): Promise<void> {
    const made = await submit.mutateAsync({ body: { ...run, ...proof } });
    router.history.replace(`/app/storm/${id}/run/${made.id}`);
  }
  const { review } = check;
  return (
    <Card>
      <Form fields={fields} onSubmit={onSubmit} label={t('batches.submit.title')}>
        {review !== null && <ReviewNote review={{ ...review, stop: null }} coin="USD" onAgain={onAgain} />}
        {content !== null && <TransferCode {...code} code={fields.value('code')} />}
        <p className="m-0 text-13 text-muted">{t('batches.submit.oneCode', { rows: check.rows })}</p>
        <div className="flex flex-wrap justify-end gap-2 border-t border-line pt-5">
          <PlainLink href={`/app/storm/${id}`} className={buttonClass('secondary', 'large')}>
            {t('batches.submit.back')}
          </PlainLink>
          <Button type="submit" kind="primary" size="large" busy={fields.submitting} disabled={content === null}>
            {t('batches.submit.submit', { rows: check.rows })}
          </Button>
        </div>
      </Form>
    </Card>
  );
}
