import { useListState } from '../../../lib/list-state.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Page as Frame } from '../../../ui/page.tsx';
import { ErrorState, NoPermission } from '../../../ui/states.tsx';
import { useReserveProof, useReserveProofs } from '../api.ts';
import { ReserveLimits } from '../components/reserve-limits.tsx';
import { ReserveNights } from '../components/reserve-nights.tsx';
import { ReserveProofCard } from '../components/reserve-proof-card.tsx';

const names = ['day'] as const;
const isoDay = /^\d{4}-\d{2}-\d{2}$/;

/** What the company was counted with in the platform's signed reports, and the proof of it; the address keeps the day. */
export function Page() {
  const t = useText();
  const isAllowed = usePermission('transaction.export');
  return <Frame intro={t('statements.reserves.intro')}>{isAllowed === false ? <NoPermission /> : <Reserves />}</Frame>;
}

function Reserves() {
  const list = useListState(names);
  const nights = useReserveProofs(list.cursor, list.size);
  const asked = list.filters.day;
  const day = asked !== undefined && isoDay.test(asked) ? asked : (nights.data?.items[0]?.day ?? '');
  const proof = useReserveProof(day);
  return (
    <>
      {proof.error !== null && proof.data === undefined ? (
        <ErrorState error={proof.error} onRetry={() => void proof.refetch()} />
      ) : (
        (day !== '' || nights.data === undefined) && <ReserveProofCard proof={proof.data} />
      )}
      <ReserveNights query={nights} list={list} />
      <ReserveLimits />
    </>
  );
}
