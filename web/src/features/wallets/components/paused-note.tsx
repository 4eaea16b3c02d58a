import type { Wallet } from '@causeway/contract/wallets.ts';
import { useText } from '../../../lib/locale.tsx';
import { Banner } from '../../../ui/states.tsx';

/** What the operator has switched off for a time, for every company, and what that stops. */
export function PausedNote({ wallet }: { wallet: Pick<Wallet, 'withdrawalsPaused' | 'depositsPaused'> }) {
  const t = useText();
  return (
    <>
      {wallet.withdrawalsPaused && <Banner kind="pending">{t('wallets.paused.withdrawalsText')}</Banner>}
      {wallet.depositsPaused && <Banner kind="pending">{t('wallets.paused.depositsText')}</Banner>}
    </>
  );
}
