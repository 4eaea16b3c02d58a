import type { Output } from '@causeway/contract/call.ts';
import type { getQueueItem } from '@causeway/contract/operator-queue.ts';
import { useParams } from '@tanstack/react-router';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Address } from '../../../ui/address.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { LinkedText } from '../../../ui/linked-text.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { PanelSection, SidePanel } from '../../../ui/side-panel.tsx';
import { Banner, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { useItem } from '../api.ts';
import { CommentForm } from '../components/comment-form.tsx';
import { ItemActions } from '../components/item-actions.tsx';
import { ItemHistory } from '../components/item-history.tsx';
import { ItemKind } from '../components/item-kind.tsx';
import { areaOf, goTexts, isCode, isMessage } from '../words.ts';

type Item = Output<typeof getQueueItem>;

/** One item beside the list: what is the matter, what to do, what was done, and who has it. */
export function Page() {
  const t = useText();
  const { id } = useParams({ strict: false }) as { id: string };
  const mayWork = usePermission('operator.queue');
  const read = useItem(id);
  const { data } = read;
  return (
    <SidePanel
      title={data?.title ?? t('ops.queue.field.item')}
      backTo="/app/home"
      // Also where nothing can be done any more: a dialog that is open says why.
      {...(data && mayWork && { actions: <ItemActions key={data.id} item={data} /> })}
    >
      {data === undefined && read.error !== null ? (
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <Loading loading={data === undefined} skeleton={<Skeleton height="h-80" />}>
          {data && <Parts item={data} mayWork={mayWork === true} />}
        </Loading>
      )}
    </SidePanel>
  );
}

function Parts({ item, mayWork }: { item: Item; mayWork: boolean }) {
  const t = useText();
  const { amount, company, owner, resolvedAt } = item;
  const messages = item.facts.filter(({ value }) => isMessage(value));
  return (
    <div className="flex flex-col gap-8">
      {item.state === 'open' ? (
        <Banner
          kind={item.urgency === 'urgent' ? 'negative' : 'pending'}
          {...(item.link !== null && {
            action: (
              <PlainLink href={item.link} className="font-medium whitespace-nowrap text-accent">
                {t(goTexts[areaOf(item.link)] ?? 'ops.queue.go.other')}
              </PlainLink>
            ),
          })}
        >
          <span className="wrap-anywhere">
            <LinkedText text={item.nextStep} links={item.facts} />
          </span>
        </Banner>
      ) : (
        <Banner kind="positive">{t('ops.queue.ended')}</Banner>
      )}
      <DescriptionList
        facts={[
          { term: t('ops.queue.field.item'), value: item.title },
          { term: t('ops.queue.field.kind'), value: <ItemKind item={item} /> },
          {
            term: t('ops.queue.field.owner'),
            value: owner?.name ?? <span className="text-faint">{t('ops.queue.owner.none')}</span>,
          },
          {
            term: t('ops.queue.field.company'),
            value:
              company === null ? (
                t('ops.queue.platform')
              ) : (
                <PlainLink href={`/app/companies/${company.id}`} className="text-accent">
                  {company.name}
                </PlainLink>
              ),
          },
          ...(amount === null
            ? []
            : [
                {
                  term: t('ops.queue.field.amount'),
                  value: (
                    <Money
                      amount={amount.quantity}
                      coin={amount.asset}
                      align="right"
                      fiat={amount.usd === null ? undefined : { amount: amount.usd, coin: 'USD' }}
                    />
                  ),
                },
              ]),
          { term: t('ops.queue.field.openedAt'), value: <Time at={item.openedAt} /> },
          ...(resolvedAt === null ? [] : [{ term: t('ops.queue.field.resolvedAt'), value: <Time at={resolvedAt} /> }]),
          ...item.facts
            .filter((fact) => !messages.includes(fact))
            .map((fact) => ({ term: fact.label, value: <FactValue fact={fact} all={item.facts} /> })),
        ]}
      />
      {messages.map(({ label, value }) => (
        <PanelSection key={label} title={label} aside={<CopyButton text={value} what={label} />}>
          <pre className="m-0 rounded-6 border border-line bg-sunken p-3 font-mono text-12 whitespace-pre-wrap wrap-anywhere">
            {value}
          </pre>
        </PanelSection>
      ))}
      {mayWork && <CommentForm key={item.id} id={item.id} />}
      <PanelSection title={t('ops.queue.history')}>
        <ItemHistory history={item.history} />
      </PanelSection>
    </div>
  );
}

/** A moment of the program is shown as one of the reader's; what has a page leads there. */
function FactValue({ fact: { label, value }, all }: { fact: Item['facts'][number]; all: Item['facts'] }) {
  if (/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value)) return <Time at={value} />;
  if (isCode(value) && all.every((fact) => fact.link === null || fact.value !== value)) {
    return <Address value={value} what={label} />;
  }
  return (
    <span className="whitespace-pre-line wrap-anywhere">
      <LinkedText text={value} links={all} />
    </span>
  );
}
