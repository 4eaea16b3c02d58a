import { type ExceptionSubject, exceptionSubjects } from '@causeway/contract/operator-exceptions-rules.ts';
import { useParams } from '@tanstack/react-router';
import { useText } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { PanelSection, SidePanel } from '../../../ui/side-panel.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { useActs, useExceptions } from '../api-exceptions.ts';
import { SubjectActs } from '../components/transaction-acts.tsx';

/** One payment, address or wallet beside the list: what is the matter, and what can be done about it. */
export function Page() {
  const t = useText();
  const { subject, id } = useParams({ strict: false }) as { subject: string; id: string };
  const known = exceptionSubjects.find((one) => one === subject);
  return (
    <SidePanel title={t('ops.exceptions.panel')} backTo="/app/exceptions">
      {known === undefined ? <p className="m-0">{t('ops.exceptions.gone')}</p> : <Parts subject={known} id={id} />}
    </SidePanel>
  );
}

function Parts({ subject, id }: { subject: ExceptionSubject; id: string }) {
  const t = useText();
  const read = useActs(subject, id);
  const open = useExceptions().data?.items.find((item) => item.subject?.kind === subject && item.subject.id === id);
  const { data } = read;
  if (data === undefined && read.error !== null) {
    return <ErrorState error={read.error} onRetry={() => void read.refetch()} />;
  }
  return (
    <Loading loading={data === undefined} skeleton={<Skeleton height="h-80" />}>
      {data && (
        <div className="flex flex-col gap-8">
          <DescriptionList
            facts={[
              { term: t('ops.exceptions.subject'), value: <span className="wrap-anywhere">{data.name}</span> },
              { term: t('ops.exceptions.matter'), value: open?.title ?? t('ops.exceptions.settled') },
              ...(open === undefined
                ? []
                : [
                    { term: t('ops.exceptions.next'), value: open.nextStep },
                    { term: t('ops.exceptions.since'), value: <Time at={open.since} /> },
                  ]),
              ...(open?.company
                ? [
                    {
                      term: t('ops.exceptions.company'),
                      value: (
                        <PlainLink href={`/app/companies/${open.company.id}`} className="text-accent">
                          {open.company.name}
                        </PlainLink>
                      ),
                    },
                  ]
                : []),
              ...(open?.chain ? [{ term: t('ops.exceptions.chain'), value: open.chain }] : []),
              ...(open?.hash ? [{ term: t('ops.exceptions.hash'), value: <Address value={open.hash} /> }] : []),
              ...(subject === 'transaction'
                ? [
                    {
                      term: t('ops.exceptions.transaction'),
                      value: (
                        <PlainLink href={`/app/payments/${id}`} className="text-accent wrap-anywhere">
                          {id}
                        </PlainLink>
                      ),
                    },
                  ]
                : []),
            ]}
          />
          <PanelSection title={t('ops.exceptions.acts')}>
            <SubjectActs subject={subject} id={id} />
          </PanelSection>
        </div>
      )}
    </Loading>
  );
}
