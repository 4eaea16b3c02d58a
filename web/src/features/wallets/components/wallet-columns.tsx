import type { Chain, Wallet } from '@causeway/contract/wallets.ts';
import type { Formats } from '../../../lib/format.ts';
import type { Translate } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import type { Column } from '../../../ui/data-table.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Tag } from '../../../ui/status-dot.tsx';
import { isZero } from '../amounts.ts';
import { explorerLink } from '../api.ts';
import { exchangeAddress, rechargeAddress, transferOutAddress } from '../naming.ts';

/** Decimals shown in the list; what is beyond them is there on hover and in the wallet's own panel. */
const listDecimals = 8;
const priceDecimals = 6;

interface Words {
  t: Translate;
  formats: Formats;
  /** A currency's name; null of a coin. */
  currencyName: (asset: string) => string | null;
}

export function walletColumns(
  { t, formats, currencyName }: Words,
  chains: readonly Chain[] | undefined,
  may: { send: boolean; exchange: boolean },
): Column<Wallet>[] {
  const money = (wallet: Wallet, amount: string, fiat?: ReturnType<typeof worthOf>) => (
    <Money amount={amount} coin={wallet.asset} fiat={fiat} atMost={listDecimals} align="right" />
  );
  return [
    {
      id: 'wallet',
      header: t('wallets.column.wallet'),
      sort: (wallet) => `${wallet.asset} ${wallet.place.name}`,
      card: 'title',
      skeleton: 'w-20',
      cell: (wallet) => (
        <span className="inline-flex min-w-28 flex-col">
          <span className="inline-flex items-center gap-2">
            <span className="font-medium">{wallet.asset}</span>
            {wallet.frozen && <Tag tone="negative">{t('wallets.frozen')}</Tag>}
            <PausedTags wallet={wallet} t={t} />
          </span>
          <span className="text-12 font-normal text-faint">
            {[currencyName(wallet.asset), wallet.place.name].filter((part) => part !== null).join(' · ')}
          </span>
        </span>
      ),
    },
    {
      id: 'address',
      header: t('wallets.column.addressOrAccount'),
      hideable: true,
      skeleton: 'w-36',
      cell: ({ place, depositsPaused }) =>
        depositsPaused ? (
          <Dash />
        ) : place.kind === 'bank' ? (
          <span className="inline-flex items-center gap-1 whitespace-nowrap">
            <span className="figures">{place.account.number}</span>
            <CopyButton text={place.account.number} what={t('wallets.account.number')} />
          </span>
        ) : (
          <Address
            value={place.address}
            short
            what={t('wallets.column.address')}
            explorerUrl={explorerLink(chains, place.chain, 'address', place.address)}
          />
        ),
    },
    {
      id: 'available',
      header: t('wallets.column.available'),
      align: 'right',
      cell: (wallet) => money(wallet, wallet.available),
    },
    {
      id: 'quantity',
      header: t('wallets.column.quantity'),
      align: 'right',
      card: 'figure',
      // The order of what they are worth: quantities of different coins do not compare.
      sort: (wallet) => (wallet.value === null ? null : BigInt(wallet.value.replace('.', ''))),
      cell: (wallet) => money(wallet, wallet.quantity, worthOf(wallet)),
    },
    {
      id: 'price',
      header: t('wallets.column.price'),
      align: 'right',
      hideable: true,
      cell: (wallet) => <Price wallet={wallet} t={t} formats={formats} />,
    },
    {
      id: 'share',
      header: t('wallets.column.share'),
      align: 'right',
      hideable: true,
      skeleton: 'w-12',
      cell: (wallet) => (wallet.share === null ? <Dash /> : formats.percent(Number(wallet.share) / 100)),
    },
    {
      id: 'processing',
      header: t('wallets.column.processing'),
      align: 'right',
      hideable: true,
      cell: (wallet) => <Processing wallet={wallet} t={t} />,
    },
    {
      id: 'actions',
      header: t('wallets.column.actions'),
      align: 'right',
      skeleton: 'w-32',
      cell: (wallet) => <RowActions wallet={wallet} may={may} t={t} />,
    },
  ];
}

/** What a wallet holds in the base currency, with the time of the price; undefined while no price is known. */
export function worthOf({ base, priceUpdatedAt }: Wallet) {
  if (base.value === null) return undefined;
  return { amount: base.value, coin: base.currency, ...(priceUpdatedAt !== null && { at: priceUpdatedAt }) };
}

function Price({ wallet, t, formats }: { wallet: Wallet; t: Translate; formats: Formats }) {
  const { unitPrice, currency } = wallet.base;
  if (unitPrice === null) return <span className="text-faint">{t('wallets.unknown')}</span>;
  return (
    <span className="inline-flex flex-col items-end">
      <Money amount={unitPrice} coin={currency} atMost={priceDecimals} align="right" />
      {wallet.priceUpdatedAt !== null && (
        <time
          dateTime={wallet.priceUpdatedAt}
          title={formats.dateTime(wallet.priceUpdatedAt)}
          className="text-12 whitespace-nowrap text-faint"
        >
          {formats.time(wallet.priceUpdatedAt)}
        </time>
      )}
    </span>
  );
}

/** What can be done with a wallet. What a member may not do, or a frozen wallet does not allow, is left out. */
function RowActions({ wallet, may, t }: { wallet: Wallet; may: { send: boolean; exchange: boolean }; t: Translate }) {
  const small = 'text-13 text-accent whitespace-nowrap';
  return (
    <span className="inline-flex flex-wrap justify-end gap-x-3 gap-y-1">
      <PlainLink href={rechargeAddress(wallet)} className={small}>
        {t('wallets.recharge')}
      </PlainLink>
      {may.send && !wallet.frozen && !wallet.withdrawalsPaused && (
        <PlainLink href={transferOutAddress(wallet)} className={small}>
          {t('wallets.transferOut')}
        </PlainLink>
      )}
      {may.exchange && !wallet.frozen && (
        <PlainLink href={exchangeAddress(wallet)} className={small}>
          {t('wallets.exchange')}
        </PlainLink>
      )}
    </span>
  );
}

/** What the operator has switched off for a time. */
function PausedTags({ wallet: { withdrawalsPaused, depositsPaused }, t }: { wallet: Wallet; t: Translate }) {
  return (
    <>
      {withdrawalsPaused && <Tag tone="pending">{t('wallets.paused.withdrawals')}</Tag>}
      {depositsPaused && <Tag tone="pending">{t('wallets.paused.deposits')}</Tag>}
    </>
  );
}

/** What is on its way in and out; a dash where nothing moves, so that movements are conspicuous. */
function Processing({ wallet, t }: { wallet: Wallet; t: Translate }) {
  const lines = [
    { label: t('wallets.inbound'), amount: wallet.inbound },
    { label: t('wallets.outbound'), amount: wallet.outbound },
  ].filter((line) => !isZero(line.amount));
  if (lines.length === 0) return <Dash />;
  return (
    <span className="inline-flex flex-col items-end">
      {lines.map((line) => (
        <span key={line.label} className="flex flex-col items-end">
          <Money amount={line.amount} coin={wallet.asset} atMost={listDecimals} align="right" />
          <span className="text-12 text-faint">{line.label}</span>
        </span>
      ))}
    </span>
  );
}

function Dash() {
  return <span className="text-faint">–</span>;
}
