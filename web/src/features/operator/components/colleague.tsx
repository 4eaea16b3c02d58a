import type { Operator } from '@causeway/contract/operator.ts';
import type { OperatorState } from '@causeway/contract/operator-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { StatusDot, Tag } from '../../../ui/status-dot.tsx';
import { useMe } from '../me.ts';
import { staffStateTexts, staffTones } from '../words.ts';

/** Who it is; the reader's own line says so. */
export function ColleagueName({ person: { id, name, email } }: { person: Pick<Operator, 'id' | 'name' | 'email'> }) {
  const t = useText();
  const me = useMe();
  return (
    <span className="flex min-w-0 flex-col">
      <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-0.5">
        <span className="font-medium break-words">{name}</span>
        {me?.id === id && <Tag>{t('ops.you')}</Tag>}
      </span>
      <span className="text-12 break-all text-faint">{email}</span>
    </span>
  );
}

export function ColleagueState({ state }: { state: OperatorState }) {
  const t = useText();
  return <StatusDot tone={staffTones[state]}>{t(staffStateTexts[state])}</StatusDot>;
}
