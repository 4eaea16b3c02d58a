import type { OutputInput } from '@causeway/contract/call.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { getFunding } from '@causeway/contract/recharges.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import {
  type BankCurrency,
  type CatalogueBank,
  dayAt,
  expectedArrival,
  findBankAccount,
  findBanks,
} from '../../banks/index.ts';
import { refusal } from '../../ledger/index.ts';
import { describePlace } from '../service/place.ts';
import { findWallets, type WalletRow } from '../store.ts';

/** A wallet at a bank with what its bank says of its currency now. */
export interface FundedWallet {
  wallet: WalletRow;
  bank: CatalogueBank;
  currency: BankCurrency;
}

/**
 * The wallet into which money can be paid by bank transfer.
 * @throws DomainError walletNotFound, rechargeNotAtBank; bankUnknown and currencyNotAtBank where either is not in the registry any more;
 *   rechargesPaused while the operator has switched recharges off
 */
export async function findFundedWallet(tx: Tx, walletId: string): Promise<FundedWallet> {
  const found = await findWalletAtBank(tx, walletId);
  if (found.currency.rechargesOff) throw refusal('rechargesPaused', { currency: found.wallet.asset }, 'walletId');
  return found;
}

/**
 * The same while recharges are off: what is under way arrives all the same.
 * @throws DomainError as `findFundedWallet`, except rechargesPaused
 */
export async function findWalletAtBank(tx: Tx, walletId: string): Promise<FundedWallet> {
  const [wallet] = await findWallets(tx, walletId);
  if (!wallet) throw new DomainError('walletNotFound');
  if (wallet.bank === null) throw refusal('rechargeNotAtBank', {}, 'walletId');
  const { id } = wallet.bank;
  const bank = (await findBanks(tx)).find((each) => each.id === id && each.enabled);
  if (!bank) throw refusal('bankUnknown', {}, 'walletId');
  const currency = bank.currencies.find((each) => each.asset === wallet.asset && each.enabled);
  if (!currency) throw refusal('currencyNotAtBank', {}, 'walletId');
  return { wallet, bank, currency };
}

/**
 * What a payer has to write, and when a payment made now is expected.
 * @throws DomainError as `findFundedWallet`
 */
export async function describeFunding(
  tx: Tx,
  { locale, clock }: Pick<SignedInContext, 'locale' | 'clock'>,
  { id }: { id: string },
): Promise<OutputInput<typeof getFunding>> {
  const { wallet, bank, currency } = await findFundedWallet(tx, id);
  const { reference, bankName, bankAddress } = await findBankAccount(tx, bank.id, wallet.asset);
  const place = describePlace(wallet, locale);
  if (place.kind !== 'bank') throw refusal('rechargeNotAtBank', {}, 'walletId');
  const inUnits = (minor: bigint) => formatAmount(minor, wallet.decimals);
  const now = clock.now();
  const { isCertain, ...expected } = expectedArrival(now, bank, currency);
  return {
    walletId: wallet.id,
    asset: wallet.asset,
    decimals: wallet.decimals,
    bankName: bankName ?? place.name,
    bankEnglishName: bankName === null && place.name !== bank.name ? bank.name : null,
    bankAddress,
    account: place.account,
    reference,
    minimum: inUnits(currency.minimumMinor),
    fee: inUnits(currency.rechargeFeeMinor),
    timeZone: bank.timeZone,
    cutOff: currency.cutOff,
    today: dayAt(now, bank.timeZone),
    expected: { ...expected, certain: isCertain },
  };
}
