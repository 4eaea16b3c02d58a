import { isOnChain } from '@causeway/contract/wallets-rules.ts';
import { useRouter } from '@tanstack/react-router';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { SelectField } from '../../../ui/select-field.tsx';
import { walletName } from '../../wallets/index.ts';
import type { PaymentForm } from './use-payment-form.ts';

interface Props {
  form: PaymentForm;
  /** Wallets of coins are offered too: they lead to the form for an address. */
  withCoins?: boolean;
}

/** The wallet that pays. */
export function WalletField({ form: { fields, wallets, sources, payee, coins: paying }, withCoins = false }: Props) {
  const t = useText();
  const router = useRouter();
  const bound = fields.value('walletId');
  const coins = withCoins ? (wallets.data?.items ?? []).filter(isOnChain) : [];
  const atBanks = withCoins ? (wallets.data?.items ?? []).filter((each) => !isOnChain(each)) : sources;
  const none = payee !== undefined && wallets.data !== undefined && sources.length === 0;
  return (
    <SelectField
      label={t('payments.form.wallet')}
      placeholder={t('payments.form.walletPlaceholder')}
      disabled={atBanks.length === 0 && coins.length === 0 && paying.options.length === 0}
      options={[
        ...[...atBanks, ...coins].map((each) => ({
          value: each.id,
          label: walletName(each),
          detail: each.frozen
            ? t('payments.form.walletFrozen')
            : each.withdrawalsPaused
              ? t('payments.form.walletPaused')
              : t('payments.form.available', { amount: amountLine(each.available, each.asset) }),
          disabled: each.frozen || each.withdrawalsPaused,
        })),
        ...(withCoins ? [] : paying.options).map(({ walletId, asset, placeName, available, cannotPay }) => ({
          value: walletId,
          label: `${asset} · ${placeName}`,
          detail:
            paying.bank === undefined
              ? t('payments.coins.noBank')
              : cannotPay === null
                ? t('payments.form.available', { amount: amountLine(available, asset) })
                : t(`exchanges.cannotSell.${cannotPay}`),
          disabled: paying.bank === undefined || cannotPay !== null,
        })),
      ]}
      {...bound}
      error={bound.error ?? (none ? t('payments.form.noWallet', { currency: payee.account.currency }) : undefined)}
      onChange={(next) => {
        if (coins.some(({ id }) => id === next)) {
          router.history.push(`/app/transfer-out?wallet=${next}`);
          return;
        }
        const asset = atBanks.find(({ id }) => id === next)?.asset;
        const isOfCoins = paying.options.some(({ walletId }) => walletId === next);
        if (payee !== undefined && payee.account.currency !== asset && !isOfCoins) {
          fields.set('payeeId', '');
          fields.set('versionId', '');
        }
        bound.onChange(next);
      }}
    />
  );
}
