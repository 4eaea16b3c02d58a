import type { ReactNode } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import type { CompanyFile } from '../api.ts';
import { useFreezes } from '../freeze-api.ts';
import { FreezeActions } from './freeze-actions.tsx';
import { FreezeSection } from './freeze-section.tsx';

/** What of a company is frozen and can be: the company, its wallets, its members. */
export function FreezePart({ company: { id, name: companyName, wallets, people } }: { company: CompanyFile }) {
  const t = useText();
  const frozen = new Set(
    useFreezes(id).data?.items.flatMap(({ subjectId, endedAt }) => (endedAt === null ? [subjectId] : [])),
  );
  return (
    <div className="flex flex-col gap-6">
      <FreezeSection companyId={id} name={companyName} />
      <Card title={t('ops.freeze.wallets')}>
        <Rows none={t('ops.freeze.noWallets')}>
          {wallets.map(({ id: subjectId, asset, place, account, frozenAt }) => {
            const name = `${asset} · ${place}`;
            const isFrozen = frozenAt !== null || frozen.has(subjectId);
            return (
              <Row key={subjectId} name={name} detail={account} state={isFrozen ? t('ops.freeze.frozen') : null}>
                <FreezeActions companyId={id} kind="wallet" subjectId={subjectId} name={name} frozen={isFrozen} />
              </Row>
            );
          })}
        </Rows>
      </Card>
      <Card title={t('ops.freeze.members')}>
        <Rows none={t('ops.freeze.noMembers')}>
          {people.map(({ id: subjectId, name: given, email, role, disabled }) => {
            const name = given === '' ? email : given;
            const isFrozen = frozen.has(subjectId);
            const state = isFrozen ? 'ops.freeze.frozen' : disabled ? 'ops.freeze.disabled' : 'ops.freeze.active';
            return (
              <Row key={subjectId} name={name} detail={given === '' ? role : `${email} · ${role}`} state={t(state)}>
                <FreezeActions companyId={id} kind="member" subjectId={subjectId} name={name} frozen={isFrozen} />
              </Row>
            );
          })}
        </Rows>
      </Card>
    </div>
  );
}

function Rows({ none, children }: { none: string; children: readonly ReactNode[] }) {
  if (children.length === 0) return <EmptyState title={none} />;
  return <ul className="m-0 flex list-none flex-col gap-4 p-0">{children}</ul>;
}

interface RowProps {
  name: string;
  detail: string | null;
  state: string | null;
  children: ReactNode;
}

function Row({ name, detail, state, children }: RowProps) {
  const t = useText();
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <div className="min-w-0">
        <p className="m-0 font-medium">{name}</p>
        <p className="m-0 text-13 break-all text-faint">{detail}</p>
        {state !== null && (
          <StatusDot tone={state === t('ops.freeze.frozen') ? 'negative' : 'neutral'}>{state}</StatusDot>
        )}
      </div>
      {children}
    </li>
  );
}
