import type { ExchangeSide } from '@causeway/contract/exchange-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { AmountField } from '../../../ui/amount-field.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { withoutTrailingZeros } from '../../wallets/index.ts';
import type { ExchangeWallet } from '../exchange-values.ts';
import type { ExchangeForm } from './use-exchange-form.ts';

interface Props {
  form: ExchangeForm;
}

/** What is sold and what is bought: an amount typed on one side, the other one follows from the quote. */
export function ExchangeSides({ form }: Props) {
  const t = useText();
  const { fields, swap } = form;
  return (
    <div className="flex flex-col gap-4">
      <Side form={form} side="sell" />
      <div className="flex justify-center">
        <Button
          size="small"
          onClick={swap}
          disabled={fields.values.sellWalletId === '' && fields.values.buyWalletId === ''}
        >
          <Icon name="exchange" />
          {t('exchanges.form.swap')}
        </Button>
      </div>
      <Side form={form} side="buy" />
    </div>
  );
}

function Side({ form, side }: Props & { side: ExchangeSide }) {
  const t = useText();
  const { fields, wallets, around } = form;
  const field = side === 'sell' ? 'sellWalletId' : 'buyWalletId';
  const wallet = side === 'sell' ? around.sold : around.bought;
  const bound = fields.value(field);
  const problem = form.rate.firm?.problem;
  return (
    <fieldset className="m-0 grid gap-4 border-0 p-0 sm:grid-cols-2">
      <legend className="sr-only">{t(`exchanges.form.${side}`)}</legend>
      <SelectField
        label={t(`exchanges.form.${side}Wallet`)}
        placeholder={t('exchanges.form.walletPlaceholder')}
        disabled={wallets.length === 0}
        options={wallets.map((each) => optionOf(each, side, t))}
        {...bound}
        error={bound.error ?? (problem?.field === field ? problem.sentence : undefined)}
        onChange={(next) => {
          // The same wallet on both sides is the wish to exchange the other way round.
          if (next === fields.values[side === 'sell' ? 'buyWalletId' : 'sellWalletId']) form.swap();
          else bound.onChange(next);
        }}
      />
      <SideAmount form={form} side={side} wallet={wallet} />
    </fieldset>
  );
}

function optionOf(wallet: ExchangeWallet, side: ExchangeSide, t: ReturnType<typeof useText>) {
  const stop = side === 'sell' ? wallet.cannotSell : wallet.cannotBuy;
  return {
    value: wallet.walletId,
    label: `${wallet.asset} · ${wallet.placeName}`,
    detail:
      stop === null
        ? t('exchanges.form.available', { amount: amountLine(wallet.available, wallet.asset) })
        : t(`exchanges.${side === 'sell' ? 'cannotSell' : 'cannotBuy'}.${stop}`),
    disabled: stop !== null,
  };
}

function SideAmount({ form, side, wallet }: Props & { side: ExchangeSide; wallet: ExchangeWallet | undefined }) {
  const t = useText();
  const { fields, rate } = form;
  const { fixed } = fields.values;
  const bound = fields.value('amount');
  const isFixed = fixed === side;
  const isLimit = fields.values.timing === 'limit';
  const followed = side === 'sell' ? rate.shown?.sell.total : rate.shown?.buy.quantity;
  const shown = isLimit && side === 'buy' ? fields.values.bound : followed;
  const { firm } = rate;
  // Whatever side was typed, what is wrong with the amount is said there.
  const problem = firm?.problem?.field === 'amount' ? firm.problem.sentence : undefined;
  const refused = rate.error?.fields['amount'];
  const type = (amount: string) => {
    if (!isFixed) fields.set('fixed', side);
    bound.onChange(amount);
  };
  const line = (amount: string) => amountLine(amount, wallet?.asset);
  return (
    <AmountField
      label={t(
        side === 'sell'
          ? 'exchanges.form.sellAmount'
          : isLimit
            ? 'exchanges.summary.least'
            : 'exchanges.form.buyAmount',
      )}
      coin={wallet?.asset ?? ''}
      decimals={wallet?.decimals ?? 18}
      {...(isFixed ? bound : { name: `${side}Amount`, onBlur: bound.onBlur })}
      value={isFixed ? bound.value : shown === undefined || shown === '' ? '' : withoutTrailingZeros(shown)}
      onChange={type}
      disabled={wallet === undefined || (isLimit && side === 'buy')}
      error={isFixed ? (bound.error ?? problem ?? refused) : undefined}
      {...(side === 'sell' &&
        wallet !== undefined && {
          aside: t('exchanges.form.available', { amount: line(wallet.available) }),
          hint:
            wallet.limit === null
              ? t('exchanges.form.minimum', { minimum: line(wallet.minimum) })
              : t('exchanges.form.limits', { minimum: line(wallet.minimum), limit: line(wallet.limit) }),
          onAll: () => type(withoutTrailingZeros(wallet.available)),
        })}
      {...(side === 'buy' && { hint: t(isLimit ? 'exchanges.limit.buyHint' : 'exchanges.form.buyHint') })}
    />
  );
}
