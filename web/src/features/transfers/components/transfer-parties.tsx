import type { CryptoPayee } from '@causeway/contract/payees.ts';
import type { Wallet } from '@causeway/contract/wallets.ts';
import type { BankWallet, ChainWallet } from '@causeway/contract/wallets-rules.ts';
import { useRouter } from '@tanstack/react-router';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Address } from '../../../ui/address.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { ComboboxField } from '../../../ui/combobox-field.tsx';
import type { Fields } from '../../../ui/form-state.ts';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { Banner } from '../../../ui/states.tsx';
import { choiceSize, usePayeeChoice, useWaitingPayees } from '../../payees/index.ts';
import { sumOf } from '../amounts.ts';
import { payeeTexts, type ReadyTransfer, type TransferValues } from '../transfer-values.ts';

type TransferFields = Fields<TransferValues, ReadyTransfer>;

interface SourceProps {
  fields: TransferFields;
  wallets: readonly ChainWallet[] | undefined;
  /** Wallets at banks are offered too: they lead to the form for a bank account. */
  atBanks: readonly BankWallet[];
}

/** Which wallet it leaves: the coin, then the chain; a coin that is on one chain only needs no second choice. */
export function TransferSource({ fields, wallets = [], atBanks }: SourceProps) {
  const t = useText();
  const router = useRouter();
  const { coin } = fields.values;
  const ofCoin = wallets.filter((wallet) => wallet.asset === coin);
  const coins = [...new Set(wallets.map((wallet) => wallet.asset))];
  const currencies = [...new Set(atBanks.map((wallet) => wallet.asset))];
  const available = (wallet: ChainWallet) =>
    wallet.frozen || wallet.withdrawalsPaused
      ? t(wallet.frozen ? 'transfers.form.walletFrozen' : 'transfers.form.walletPaused')
      : t('transfers.form.walletDetail', { amount: amountLine(wallet.available, wallet.asset) });
  const chooseCoin = (next: string) => {
    const atBank = atBanks.find(({ asset }) => asset === next);
    if (atBank) {
      router.history.push(`/app/transfer-out/bank?wallet=${atBank.id}`);
      return;
    }
    const offered = wallets.filter((wallet) => wallet.asset === next && !wallet.frozen && !wallet.withdrawalsPaused);
    fields.set('coin', next);
    fields.set('chain', (offered.length === 1 ? offered[0]?.place.chain : undefined) ?? '');
    fields.set('payeeId', '');
    fields.set('amount', '');
    untie(fields);
  };
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <SelectField
        label={t('transfers.form.wallet')}
        placeholder={t('transfers.form.walletPlaceholder')}
        disabled={wallets.length + atBanks.length === 0}
        options={[...coins, ...currencies].map((symbol) => ({
          value: symbol,
          label: symbol,
          detail: <WalletsOfCoin wallets={[...wallets, ...atBanks].filter(({ asset }) => asset === symbol)} />,
        }))}
        {...fields.value('coin')}
        onChange={chooseCoin}
      />
      <SelectField
        label={t('transfers.form.chain')}
        placeholder={t(coin === '' ? 'transfers.form.walletFirst' : 'transfers.form.chainPlaceholder')}
        disabled={coin === ''}
        options={ofCoin.map((wallet) => ({
          value: wallet.place.chain,
          label: wallet.place.name,
          detail: available(wallet),
          disabled: wallet.frozen || wallet.withdrawalsPaused,
        }))}
        {...fields.value('chain')}
        onChange={(next) => {
          if (next !== fields.values.chain) {
            fields.set('payeeId', '');
            untie(fields);
          }
          fields.set('chain', next);
        }}
      />
    </div>
  );
}

/** Where a coin is held, and how much of it can be sent from there in all. */
function WalletsOfCoin({ wallets }: { wallets: readonly Wallet[] }) {
  const t = useText();
  const usable = wallets.filter(({ frozen }) => !frozen);
  const [first] = wallets;
  if (first === undefined) return null;
  const available = sumOf(
    usable.map((wallet) => wallet.available),
    first.decimals,
  );
  const amount = amountLine(available, first.asset);
  return [
    ...wallets.map(({ place }) => place.name),
    usable.length === 0 ? t('transfers.form.walletFrozen') : t('transfers.form.walletDetail', { amount }),
  ].join(' · ');
}

/** Another wallet or payee: neither a test of what was typed nor the rest of one. */
function untie(fields: TransferFields): void {
  fields.set('testTotal', '');
  fields.set('restOf', '');
}

interface PayeeProps {
  fields: TransferFields;
  wallet: ChainWallet | undefined;
  /** The payee chosen, once it is known; it may be one that the list does not reach. */
  payee: CryptoPayee | undefined;
}

/** Whom it goes to: one of the book, found by typing; a new one is a detour that leads back here. */
export function TransferPayee({ fields, wallet, payee }: PayeeProps) {
  const t = useText();
  const mayAdd = usePermission('payee.manage');
  const choice = usePayeeChoice(wallet?.place.chain ?? '', wallet?.asset ?? '');
  const listed = choice.data?.items ?? [];
  const held = useWaitingPayees(wallet?.place.chain ?? '', wallet?.asset ?? '').data?.items ?? [];
  const isListed = payee === undefined || [...listed, ...held].some(({ id }) => id === payee.id);
  // The one that is chosen is among the options also where their lists do not reach it, or are still to come.
  const payees = isListed || payee.status === 'waiting' ? listed : [payee, ...listed];
  const waiting = isListed || payee.status !== 'waiting' ? held : [payee, ...held];
  const add = new URLSearchParams({ return: '/app/transfer-out' });
  if (wallet !== undefined) {
    add.set('chain', wallet.place.chain);
    add.set('coin', wallet.asset);
  }
  const none = wallet !== undefined && choice.data !== undefined && payees.length === 0;
  const bound = fields.value('payeeId');
  const problem = payee && payeeTexts[payee.status];
  const payeeField = (
    <ComboboxField
      label={t('transfers.form.payee')}
      placeholder={t(wallet === undefined ? 'transfers.form.payeeFirst' : 'transfers.form.payeePlaceholder')}
      disabled={wallet === undefined}
      options={[
        ...payees.map((each) => ({ value: each.id, label: each.label, detail: <Shortened address={each.address} /> })),
        ...waiting.map((each) => ({
          value: each.id,
          label: each.label,
          detail: (
            <>
              {t('transfers.form.payeeWaiting')} · <Shortened address={each.address} />
            </>
          ),
          disabled: true,
        })),
      ]}
      {...(mayAdd && {
        aside: (
          <PlainLink href={`/app/payee/add?${add}`} className="text-accent">
            {t('transfers.form.addPayee')}
          </PlainLink>
        ),
      })}
      {...bound}
      onChange={(next) => {
        if (next !== bound.value) untie(fields);
        bound.onChange(next);
      }}
      error={bound.error ?? (problem && t(problem))}
      {...(payee !== undefined
        ? { hint: <Address value={payee.address} copyable={false} /> }
        : none
          ? { hint: t('transfers.form.payeeNone', { coin: wallet.asset, chain: wallet.place.name }) }
          : (choice.data?.total ?? 0) > choiceSize && { hint: t('transfers.form.payeeMany') })}
    />
  );
  const warning = payee?.code === 'token' || payee?.code === 'contract' ? codeTexts[payee.code] : null;
  return (
    <div className="flex flex-col gap-2">
      {payeeField}
      {warning !== null && <Banner kind="pending">{t(warning)}</Banner>}
    </div>
  );
}

function Shortened({ address }: { address: string }) {
  return <span className="font-mono">{`${address.slice(0, 8)}…${address.slice(-6)}`}</span>;
}

const codeTexts = { token: 'transfers.form.payeeToken', contract: 'transfers.form.payeeContract' } as const;
