import type { Wallet } from '@causeway/contract/wallets.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Banner } from '../../../ui/states.tsx';
import { SupportContact } from '../../../ui/support-contact.tsx';
import { isZero } from '../amounts.ts';

const deficitTexts = { chain: 'wallets.frozen.deficit', bank: 'wallets.frozen.bankDeficit' } as const;

/** Why a wallet is frozen and what that stops. */
export function FrozenNote({ wallet }: { wallet: Wallet }) {
  const t = useText();
  const formats = useFormats();
  return (
    <Banner kind="negative">
      {wallet.frozenBy
        ? t('wallets.frozen.because', { ...wallet.frozenBy, since: formats.dateTime(wallet.frozenBy.since) })
        : isZero(wallet.deficit)
          ? t('wallets.frozen.operator')
          : t(deficitTexts[wallet.place.kind], { amount: amountLine(wallet.deficit, wallet.asset) })}
      {wallet.frozenBy && <SupportContact reference={wallet.frozenBy.reference} />}
    </Banner>
  );
}
