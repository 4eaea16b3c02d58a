import type { Chain, Wallet } from '@causeway/contract/wallets.ts';
import type { Formats } from '../../../lib/format.ts';
import type { Translate } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import type { Column } from '../../../ui/data-table.tsx';
import { Money } from '../../../ui/money.tsx';
import { Tag } from '../../../ui/status-dot.tsx';
import { isZero } from '../amounts.ts';
import { explorerLink } from '../api.ts';

/** Decimals shown in the list; what is beyond them is there on hover and in the wallet's own panel. */
const listDecimals = 8;

export function walletColumns(t: Translate, formats: Formats, chains: readonly Chain[] | undefined): Column<Wallet>[] {
  const money = (wallet: Wallet, amount: string, fiat?: ReturnType<typeof worthOf>) => (
    <Money amount={amount} coin={wallet.coin} fiat={fiat} atMost={listDecimals} align="right" />
  );
  return [
    {
      id: 'coin',
      header: t('wallets.column.coinAndChain'),
      sort: (wallet) => `${wallet.coin} ${wallet.chainName}`,
      card: 'title',
      skeleton: 'w-20',
      cell: (wallet) => (
        <span className="inline-flex flex-col">
          <span className="inline-flex items-center gap-2">
            <span className="font-medium">{wallet.coin}</span>
            {wallet.frozen && <Tag tone="negative">{t('wallets.frozen')}</Tag>}
          </span>
          <span className="text-12 font-normal text-faint">{wallet.chainName}</span>
        </span>
      ),
    },
    {
      id: 'address',
      header: t('wallets.column.address'),
      hideable: true,
      skeleton: 'w-36',
      cell: (wallet) => (
        <Address
          value={wallet.address}
          short
          what={t('wallets.column.address')}
          explorerUrl={explorerLink(chains, wallet.chain, 'address', wallet.address)}
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
  ];
}

/** What a wallet holds in US dollars, with the time of the price; undefined while no price is known. */
export function worthOf({ value, priceUpdatedAt }: Wallet) {
  if (value === null) return undefined;
  return { amount: value, coin: 'USD', ...(priceUpdatedAt !== null && { at: priceUpdatedAt }) };
}

function Price({ wallet, t, formats }: { wallet: Wallet; t: Translate; formats: Formats }) {
  if (wallet.unitPrice === null) return <span className="text-faint">{t('wallets.unknown')}</span>;
  return (
    <span className="inline-flex flex-col items-end">
      <Money amount={wallet.unitPrice} coin="USD" align="right" />
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

/** What is on its way in and out; a dash where nothing moves, so that what does stands out. */
function Processing({ wallet, t }: { wallet: Wallet; t: Translate }) {
  const lines = [
    { label: t('wallets.inbound'), amount: wallet.inbound },
    { label: t('wallets.outbound'), amount: wallet.outbound },
  ].filter((line) => !isZero(line.amount));
  if (lines.length === 0) return <Dash />;
  return (
    <span className="inline-flex flex-col items-end">
      {lines.map((line) => (
        <span key={line.label} className="whitespace-nowrap">
          <span className="mr-2 text-12 text-faint">{line.label}</span>
          <Money amount={line.amount} atMost={listDecimals} />
        </span>
      ))}
    </span>
  );
}

function Dash() {
  return <span className="text-faint">–</span>;
}
