import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Button } from '../../../ui/button.tsx';
import { ReasonDialog, useProposed } from '../../operator/index.ts';
import { useProposeUnfreeze } from '../freeze-api.ts';
import { FreezeDialog, type FreezeTarget } from './freeze-dialog.tsx';

/** Freezes at once, or proposes to unfreeze; nothing for those who may not. */
export function FreezeActions({ frozen, ...target }: FreezeTarget & { frozen: boolean }) {
  const t = useText();
  const may = usePermission('operator.freeze');
  const [asked, setAsked] = useState<'freeze' | 'unfreeze' | null>(null);
  const propose = useProposeUnfreeze();
  const proposed = useProposed();
  if (!may) return null;
  const { companyId, kind, subjectId, name } = target;
  const close = () => setAsked(null);
  const word = t(frozen ? 'ops.freeze.unfreeze' : 'ops.freeze.freeze');
  return (
    <>
      <Button onClick={() => setAsked(frozen ? 'unfreeze' : 'freeze')}>
        {word}
        <span className="sr-only"> {name}</span>
      </Button>
      {asked === 'freeze' && (
        <FreezeDialog target={target} over={frozen ? t('ops.over.frozen', { name }) : null} onClose={close} />
      )}
      {asked === 'unfreeze' && (
        <ReasonDialog
          title={t('ops.freeze.askUnfreeze', { name })}
          text={t(`ops.freeze.unfreezeEffect.${kind}`)}
          submitText={t('ops.propose')}
          needsSecond
          facts={[]}
          over={frozen ? null : t('ops.over.free', { name })}
          onSubmit={async ({ reason }) => {
            const body = { kind, subjectId, reason };
            const { proposalId } = await propose.mutateAsync({ params: { id: companyId }, body });
            proposed(proposalId);
          }}
          onClose={close}
        />
      )}
    </>
  );
}
