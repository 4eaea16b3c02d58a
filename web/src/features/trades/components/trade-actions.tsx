import type { TradeDetail } from '@causeway/contract/trades.ts';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmTradeDialog } from './confirm-trade-dialog.tsx';
import { DeclineDialog, DisputeDialog } from './reason-dialogs.tsx';
import { ReleaseDialog } from './release-dialog.tsx';

type Opened = 'confirm' | 'decline' | 'release' | 'dispute';

/** What the buyer can do now. */
export function TradeActions({ trade }: { trade: TradeDetail }) {
  const t = useText();
  const mayAct = usePermission('transfer.create') === true;
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => setOpened(null);
  if (!mayAct) return null;
  const { can } = trade;
  return (
    <>
      {can.dispute && <Button onClick={() => setOpened('dispute')}>{t('trades.dispute')}</Button>}
      {can.decline && <Button onClick={() => setOpened('decline')}>{t('trades.decline')}</Button>}
      {can.release && (
        <Button kind="primary" onClick={() => setOpened('release')}>
          {t('trades.release')}
        </Button>
      )}
      {can.confirm && (
        <Button kind="primary" onClick={() => setOpened('confirm')}>
          {t('trades.confirm')}
        </Button>
      )}
      {opened === 'confirm' && <ConfirmTradeDialog trade={trade} onClose={close} />}
      {opened === 'decline' && <DeclineDialog trade={trade} onClose={close} />}
      {opened === 'release' && <ReleaseDialog trade={trade} onClose={close} />}
      {opened === 'dispute' && <DisputeDialog trade={trade} onClose={close} />}
    </>
  );
}
