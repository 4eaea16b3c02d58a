import type { Wallet } from '@causeway/contract/wallets.ts';
import { useText } from '../../../lib/locale.tsx';
import { Banner } from '../../../ui/states.tsx';
import { isZero, withoutTrailingZeros } from '../amounts.ts';

/** Why a wallet is frozen and what that stops. */
export function FrozenNote({ wallet }: { wallet: Wallet }) {
  const t = useText();
  return (
    <Banner kind="negative">
      {isZero(wallet.deficit)
        ? t('wallets.frozen.operator')
        : t('wallets.frozen.deficit', { amount: `${withoutTrailingZeros(wallet.deficit)} ${wallet.coin}` })}
    </Banner>
  );
}
