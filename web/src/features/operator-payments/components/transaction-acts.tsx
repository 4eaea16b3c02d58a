import type { ExceptionSubject } from '@causeway/contract/operator-exceptions-rules.ts';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { useActs } from '../api-exceptions.ts';
import { ActList } from './act-list.tsx';

/** What can be done about one outgoing payment, for the page of a transaction. */
export function TransactionActs({ id }: { id: string }) {
  return <SubjectActs subject="transaction" id={id} />;
}

/** What can be done about a payment, address or wallet, for the panel beside the exceptions. */
export function SubjectActs({ subject, id }: { subject: ExceptionSubject; id: string }) {
  const read = useActs(subject, id);
  const { data } = read;
  if (data === undefined && read.error !== null) {
    return <ErrorState error={read.error} onRetry={() => void read.refetch()} />;
  }
  return (
    <Loading loading={data === undefined} skeleton={<Skeleton height="h-40" />}>
      {data && <ActList about={data} />}
    </Loading>
  );
}
