import { lazy, Suspense, useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Button } from '../../../ui/button.tsx';

const LookDialog = lazy(async () => ({ default: (await import('./look-dialog.tsx')).LookDialog }));

/** Opens the company's own console in a tab, read-only; nothing for those who may not. */
export function LookAction({ companyId, name }: { companyId: string; name: string }) {
  const t = useText();
  const may = usePermission('operator.look');
  const [asking, setAsking] = useState(false);
  if (!may) return null;
  return (
    <>
      <Button icon="external" onClick={() => setAsking(true)}>
        {t('ops.look.begin')}
      </Button>
      {asking && (
        <Suspense>
          <LookDialog companyId={companyId} name={name} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  );
}
