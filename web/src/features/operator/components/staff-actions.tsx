import type { Operator } from '@causeway/contract/operator.ts';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { ReasonDialog } from './reason-dialog.tsx';
import { RoleDialog } from './role-dialog.tsx';
import { type StaffAction, useStaffActions } from './use-staff-actions.ts';

/** What can be done with a colleague, by their state. */
export function StaffActions({ person }: { person: Operator }) {
  const t = useText();
  const [asked, setAsked] = useState<StaffAction | 'role' | null>(null);
  const [seen, setSeen] = useState(person.state);
  const ask = (action: StaffAction | 'role') => {
    setSeen(person.state);
    setAsked(action);
  };
  const run = useStaffActions(person);
  const close = () => setAsked(null);
  return (
    <>
      {person.state === 'disabled' ? (
        <Button onClick={() => ask('reactivate')}>{t('ops.staff.reactivate')}</Button>
      ) : (
        <>
          <Button onClick={() => ask('disable')}>{t('ops.staff.disable')}</Button>
          <Button onClick={() => ask('reset')}>
            {t(person.state === 'invited' ? 'ops.staff.newLink' : 'ops.staff.reset')}
          </Button>
          <Button onClick={() => ask('role')}>{t('ops.staff.role')}</Button>
        </>
      )}
      {asked === 'role' && <RoleDialog person={person} onClose={close} />}
      {asked !== null && asked !== 'role' && (
        <ReasonDialog
          title={t(`ops.ask.${asked}`, { name: person.name })}
          text={t(asked === 'reset' && person.state === 'invited' ? 'ops.askText.newLink' : `ops.askText.${asked}`)}
          submitText={t(asked === 'disable' ? 'ops.staff.disable' : 'ops.propose')}
          negative={asked === 'disable'}
          needsSecond={asked !== 'disable'}
          facts={[
            { term: t('ops.field.email'), value: <span className="break-all">{person.email}</span> },
            { term: t('ops.field.role'), value: t(`ops.role.${person.role}`) },
          ]}
          over={person.state === seen ? null : t('ops.over.changed')}
          onSubmit={({ reason }) => run(asked, reason)}
          onClose={close}
        />
      )}
    </>
  );
}
