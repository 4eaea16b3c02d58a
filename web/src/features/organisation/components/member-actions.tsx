import type { Effect } from '@causeway/contract/effect.ts';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { ControlNote, useTellChange } from '../../control/index.ts';
import { type Member, useDeleteMember, useResetMemberPassword, useSendActivation, useSetMemberStatus } from '../api.ts';
import { ImpactNote } from './impact-note.tsx';

type Action = 'delete' | 'disable' | 'enable' | 'reset' | 'activation';

/** What can be done with a member beside editing; each is asked about first, with what happens to their open approvals. */
export function MemberActions({ member }: { member: Member }) {
  const t = useText();
  const [action, setAction] = useState<Action>('delete');
  const [asking, setAsking] = useState(false);
  const run = useActions(member, () => setAsking(false));
  const ask = (wanted: Action) => {
    setAction(wanted);
    setAsking(true);
  };
  return (
    <>
      <Button icon="trash" onClick={() => ask('delete')}>
        {t('organisation.action.delete')}
      </Button>
      {member.status === 'invited' ? (
        <Button onClick={() => ask('activation')}>{t('organisation.action.activation')}</Button>
      ) : (
        <>
          {member.frozen === null && (
            <Button onClick={() => ask(member.status === 'active' ? 'disable' : 'enable')}>
              {t(member.status === 'active' ? 'organisation.action.disable' : 'organisation.action.enable')}
            </Button>
          )}
          {member.status === 'active' && <Button onClick={() => ask('reset')}>{t('organisation.action.reset')}</Button>}
        </>
      )}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t(`organisation.ask.${action}`)}
        description={t(`organisation.askText.${action}`, { email: member.email })}
        facts={factsOf(member, t)}
        confirmText={t(`organisation.action.${action}`)}
        negative={action === 'delete' || action === 'disable'}
        busy={run.busy}
        onConfirm={() => run.start(action)}
      >
        {asking && (action === 'delete' || action === 'disable') && (
          <div className="mt-4">
            <ImpactNote memberId={member.id} />
          </div>
        )}
        {asking && (action === 'enable' || action === 'reset') && (
          <div className="mt-4">
            <ControlNote permission="member.manage" />
          </div>
        )}
      </ConfirmDialog>
    </>
  );
}

function factsOf(member: Member, t: Translate) {
  return [
    { term: t('organisation.field.name'), value: member.name },
    { term: t('organisation.field.email'), value: <span className="break-all">{member.email}</span> },
    { term: t('organisation.field.role'), value: member.role.name },
  ];
}

/** Does it, says so, and closes the question; a refusal shows its own reason. */
function useActions(member: Member, close: () => void) {
  const t = useText();
  const router = useRouter();
  const remove = useDeleteMember({
    onSuccess: () => {
      toast('success', t('organisation.deleted'));
      router.history.push(`/app/member-management${router.state.location.searchStr}`);
    },
  });
  const status = useSetMemberStatus();
  const reset = useResetMemberPassword();
  const activation = useSendActivation();
  const tell = useTellChange();
  const body = { id: member.id };
  // What is refused stays in question, with the reason.
  const done = (text: string) => ({
    onSuccess: () => {
      toast('success', text);
      close();
    },
  });
  const told = (text: string) => ({
    onSuccess: (effect: Effect) => {
      tell(effect, text);
      close();
    },
  });
  const start = (action: Action) => {
    switch (action) {
      case 'delete':
        return remove.mutate({ body });
      case 'disable':
      case 'enable':
        return status.mutate({ body: { ...body, enabled: action === 'enable' } }, told(t('organisation.set')));
      case 'reset':
        return reset.mutate({ body }, told(t('organisation.member.resetMailed', { email: member.email })));
      case 'activation':
        return activation.mutate({ body }, done(t('organisation.member.mailed', { email: member.email })));
    }
  };
  return { start, busy: [remove, status, reset, activation].some(({ isPending }) => isPending) };
}
