import type { Wallet } from '@causeway/contract/wallets.ts';
import { isOnChain } from '@causeway/contract/wallets-rules.ts';
import type { Translate } from '../../../lib/locale.tsx';
import { buttonClass } from '../../../ui/button.tsx';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { walletName } from '../naming.ts';

/** What can be done with the wallet of a row; nothing yet with a currency at a bank. */
export function WalletActions({ wallet, maySend, t }: { wallet: Wallet; maySend: boolean; t: Translate }) {
  if (!isOnChain(wallet)) return <span className="text-faint">–</span>;
  const choice = new URLSearchParams({ coin: wallet.asset, chain: wallet.place.chain });
  const name = walletName(wallet);
  return (
    <span className="inline-flex gap-1">
      <Action
        icon="collect"
        label={t('wallets.rechargeOne', { wallet: name })}
        href={`/app/wallet/recharge?${choice}`}
      />
      {maySend && !wallet.frozen && (
        <Action
          icon="upload"
          label={t('wallets.transferOutOf', { wallet: name })}
          href={`/app/transfer-out?wallet=${wallet.id}`}
        />
      )}
    </span>
  );
}

function Action({ icon, label, href }: { icon: IconName; label: string; href: string }) {
  return (
    <PlainLink href={href} title={label} aria-label={label} className={buttonClass('quiet', 'small')}>
      <Icon name={icon} />
    </PlainLink>
  );
}
