import type { Locale } from '@causeway/contract/locale.ts';
import type { Place } from '@causeway/contract/wallets.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { nameOfPlace } from '../../banks/index.ts';
import { findWallets, type WalletRow } from '../store.ts';

/** Where a wallet's asset is, as the contract says it, in the reader's language. */
export function describePlace({ chain, bank }: Pick<WalletRow, 'chain' | 'bank'>, locale: Locale): Place {
  if (chain !== null) return { kind: 'chain', chain: chain.id, name: chain.name, address: chain.address };
  invariant(bank, 'a wallet is on a chain or at a bank');
  const { holder, number, iban, bic, clearingCode, branchCode, country } = bank;
  return {
    kind: 'bank',
    bank: bank.id,
    name: nameOfPlace(bank, locale),
    account: { holder, number, iban, bic, clearingCode, branchCode, country },
  };
}

/** What a wallet is called in sentences, in the reader's language. */
export interface WalletName {
  asset: string;
  decimals: number;
  place: string;
}

/** What a wallet is called; null for one that the company does not have. */
export async function nameWallet(tx: Tx, id: string, locale: Locale): Promise<WalletName | null> {
  const [wallet] = await findWallets(tx, id);
  if (!wallet) return null;
  return { asset: wallet.asset, decimals: wallet.decimals, place: describePlace(wallet, locale).name };
}

/** What the company's wallets are called, by id. */
export async function nameWallets(tx: Tx, locale: Locale): Promise<Map<string, WalletName>> {
  const wallets = await findWallets(tx);
  return new Map(
    wallets.map((wallet) => {
      const { id, asset, decimals } = wallet;
      return [id, { asset, decimals, place: describePlace(wallet, locale).name }];
    }),
  );
}
