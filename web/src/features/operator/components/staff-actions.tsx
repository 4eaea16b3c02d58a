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
  const run = useStaffActions(person);
  const close = () => setAsked(null);
  return (
    <>
      {person.state === 'disabled' ? (
        <Button onClick={() => setAsked('reactivate')}>{t('operator.staff.reactivate')}</Button>
      ) : (
        <>
          <Button onClick={() => setAsked('disable')}>{t('operator.staff.disable')}</Button>
          <Button onClick={() => setAsked('reset')}>
            {t(person.state === 'invited' ? 'operator.staff.newLink' : 'operator.staff.reset')}
          </Button>
          <Button onClick={() => setAsked('role')}>{t('operator.staff.role')}</Button>
        </>
      )}
      {asked === 'role' && <RoleDialog person={person} onClose={close} />}
      {asked !== null && asked !== 'role' && (
        <ReasonDialog
          title={t(`operator.ask.${asked}`, { name: person.name })}
          text={t(
            asked === 'reset' && person.state === 'invited' ? 'operator.askText.newLink' : `operator.askText.${asked}`,
          )}
          submitText={t(asked === 'disable' ? 'operator.staff.disable' : 'operator.propose')}
          negative={asked === 'disable'}
          needsSecond={asked !== 'disable'}
          facts={[
            { term: t('operator.field.email'), value: <span className="break-all">{person.email}</span> },
            { term: t('operator.field.role'), value: t(`operator.role.${person.role}`) },
          ]}
          onSubmit={({ reason }) => run(asked, reason)}
          onClose={close}
        />
      )}
    </>
  );
}
