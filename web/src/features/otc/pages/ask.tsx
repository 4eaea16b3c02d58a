import { otcTextMaxLength } from '@causeway/contract/otc-rules.ts';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { usePermission } from '../../../lib/permission.ts';
import { messageOf, reportError } from '../../../lib/report-error.ts';
import { toast } from '../../../lib/toasts.ts';
import { AmountField } from '../../../ui/amount-field.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { CardPage } from '../../../ui/card-page.tsx';
import { Form } from '../../../ui/form.tsx';
import { type Fields, useFields } from '../../../ui/form-state.ts';
import { Page as Frame } from '../../../ui/page.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { Banner, ErrorState, NoPermission } from '../../../ui/states.tsx';
import { TextArea } from '../../../ui/text-field.tsx';
import { useAsk, useTerms, useWallets } from '../api.ts';
import { type AskValues, checkRequest, deadlineOf, emptyRequest, type Wallet, waits } from '../values.ts';

/** Asking the desk for a price, for those who may. */
export function Page() {
  if (usePermission('exchange.create') !== false) return <Ask />;
  return (
    <CardPage narrow>
      <NoPermission />
    </CardPage>
  );
}

function Ask() {
  const t = useText();
  const navigate = useNavigate();
  const ask = useAsk();
  const options = useWallets();
  const wallets = options.data?.wallets ?? [];
  const minimum = useTerms().data?.minimumUsd;
  const [key] = useState(() => newId());
  const known = useRef(wallets);
  known.current = wallets;
  const fields = useFields<AskValues, AskValues>({
    check: (values) => checkRequest(values, known.current),
    defaults: emptyRequest(key),
    keep: 'otc',
  });
  /** The amount was too small for the desk: the sentence of the refusal, and what it was of. */
  const [tooSmall, setTooSmall] = useState<{ sentence: string; of: string } | null>(null);
  if (options.data === undefined && options.error !== null) {
    return (
      <CardPage narrow>
        <ErrorState error={options.error} onRetry={() => void options.refetch()} />
      </CardPage>
    );
  }
  const submit = async ({ wait, ...values }: AskValues) => {
    setTooSmall(null);
    const of = intentOf(values);
    try {
      const { id } = await ask.mutateAsync({ body: { ...values, deadline: deadlineOf(wait, Date.now()) } });
      fields.reset();
      toast('success', t('otc.asked'));
      void navigate({ to: `/app/otc/${id}` });
    } catch (error) {
      if (error instanceof ApiError && error.key === 'otcBelowMinimum') {
        setTooSmall({ sentence: messageOf(error), of });
      } else reportError(error);
      throw error;
    }
  };
  return (
    <Frame
      narrow
      {...(minimum !== undefined && { intro: t('otc.ask.intro', { minimum: amountLine(minimum, 'USD') }) })}
    >
      <Card>
        <Form fields={fields} onSubmit={submit} label={t('otc.ask')}>
          <WalletField fields={fields} side="sell" wallets={wallets} />
          <WalletField fields={fields} side="buy" wallets={wallets} />
          <AmountFields fields={fields} wallets={wallets} />
          {tooSmall?.of === intentOf(fields.values) && (
            <Banner
              kind="pending"
              action={
                <PlainLink href={exchangeLink(fields.values)} className={buttonClass('secondary', 'small')}>
                  {t('otc.ask.exchange')}
                </PlainLink>
              }
            >
              {tooSmall.sentence}
            </Banner>
          )}
          <SelectField
            label={t('otc.field.wait')}
            hint={t('otc.ask.waitHint')}
            options={waits.map((value) => ({ value, label: t(`otc.wait.${value}`) }))}
            {...fields.value('wait')}
          />
          <TextArea
            label={t('otc.field.note')}
            hint={t('otc.ask.noteHint')}
            optional
            maxLength={otcTextMaxLength}
            {...fields.text('note')}
          />
          <div className="flex justify-end border-t border-line pt-5">
            <Button type="submit" kind="primary" size="large" busy={fields.submitting}>
              {t('otc.ask.submit')}
            </Button>
          </div>
        </Form>
      </Card>
    </Frame>
  );
}

/** What the desk's least amount is about, as one text. */
function intentOf({ sellWalletId, buyWalletId, fixed, amount }: Omit<AskValues, 'wait'>): string {
  return JSON.stringify([sellWalletId, buyWalletId, fixed, amount]);
}

type AskFields = Fields<AskValues, AskValues>;

function WalletField({
  fields,
  side,
  wallets,
}: {
  fields: AskFields;
  side: 'sell' | 'buy';
  wallets: readonly Wallet[];
}) {
  const t = useText();
  return (
    <SelectField
      label={t(`otc.ask.${side}Wallet`)}
      placeholder={t('exchanges.form.walletPlaceholder')}
      disabled={wallets.length === 0}
      options={wallets.map(({ walletId, asset, placeName, available, cannotSell, cannotBuy }) => {
        const stop = side === 'sell' ? cannotSell : cannotBuy;
        // The desk decides on the position's room itself.
        const isStopped = stop !== null && stop !== 'limit';
        return {
          value: walletId,
          label: `${asset} · ${placeName}`,
          detail: isStopped
            ? t(`exchanges.${side === 'sell' ? 'cannotSell' : 'cannotBuy'}.${stop}`)
            : t('exchanges.form.available', { amount: amountLine(available, asset) }),
          disabled: isStopped,
        };
      })}
      {...fields.value(side === 'sell' ? 'sellWalletId' : 'buyWalletId')}
    />
  );
}

function AmountFields({ fields, wallets }: { fields: AskFields; wallets: readonly Wallet[] }) {
  const t = useText();
  const { fixed, sellWalletId, buyWalletId } = fields.values;
  const wallet = wallets.find(({ walletId }) => walletId === (fixed === 'sell' ? sellWalletId : buyWalletId));
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        label={t('otc.field.fixed')}
        options={[
          { value: 'sell', label: t('otc.fixed.sell') },
          { value: 'buy', label: t('otc.fixed.buy') },
        ]}
        {...fields.value('fixed')}
      />
      <AmountField
        label={t('otc.field.amount')}
        coin={wallet?.asset ?? ''}
        decimals={wallet?.decimals ?? 18}
        disabled={wallet === undefined}
        {...fields.value('amount')}
      />
    </div>
  );
}

/** The page of exchanges with what was typed here. */
function exchangeLink({ sellWalletId: sell, buyWalletId: buy, fixed, amount }: AskValues): string {
  return `/app/wallet/exchange?${new URLSearchParams({ sell, buy, fixed, amount })}`;
}
