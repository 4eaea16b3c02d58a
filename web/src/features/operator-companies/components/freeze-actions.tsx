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
  const [asking, setAsking] = useState(false);
  const propose = useProposeUnfreeze();
  const proposed = useProposed();
  if (!may) return null;
  const { companyId, kind, subjectId, name } = target;
  const word = t(frozen ? 'ops.freeze.unfreeze' : 'ops.freeze.freeze');
  return (
    <>
      <Button onClick={() => setAsking(true)}>
        {word}
        <span className="sr-only"> {name}</span>
      </Button>
      {asking && !frozen && <FreezeDialog target={target} onClose={() => setAsking(false)} />}
      {asking && frozen && (
        <ReasonDialog
          title={t('ops.freeze.askUnfreeze', { name })}
          text={t(`ops.freeze.unfreezeEffect.${kind}`)}
          submitText={t('ops.propose')}
          needsSecond
          facts={[]}
          onSubmit={async ({ reason }) => {
            const body = { kind, subjectId, reason };
            const { proposalId } = await propose.mutateAsync({ params: { id: companyId }, body });
            proposed(proposalId);
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
