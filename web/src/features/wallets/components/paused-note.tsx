import type { Wallet } from '@causeway/contract/wallets.ts';
import { useText } from '../../../lib/locale.tsx';
import { Banner } from '../../../ui/states.tsx';

/** What the operator has switched off for a time, for every company, and what that stops. */
export function PausedNote({ wallet }: { wallet: Pick<Wallet, 'withdrawalsPaused' | 'depositsPaused' | 'place'> }) {
  const t = useText();
  const of = wallet.place.kind === 'bank' ? 'bank' : 'chain';
  return (
    <>
      {wallet.withdrawalsPaused && <Banner kind="pending">{t(`wallets.paused.withdrawalsText.${of}`)}</Banner>}
      {wallet.depositsPaused && <Banner kind="pending">{t(`wallets.paused.depositsText.${of}`)}</Banner>}
    </>
  );
}
