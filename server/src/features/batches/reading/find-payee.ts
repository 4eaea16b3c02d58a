import type { BatchError, Written } from '@causeway/contract/batches-rules.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { familyOfAddress } from '../../chains/index.ts';
import type { BankPayeeEntry, CryptoPayeeEntry, Directory, DirectoryWallet } from './directory.ts';

/** Which saved payee a row means, and out of which wallet it is paid. */

export type SavedPayee = ({ kind: 'crypto' } & CryptoPayeeEntry) | ({ kind: 'bank' } & BankPayeeEntry);

/** The directory, by what rows name. */
export interface DirectoryIndex extends Directory {
  byLabel: ReadonlyMap<string, SavedPayee[]>;
  /** By the family and its key of an address. */
  byAddress: ReadonlyMap<string, SavedPayee[]>;
  /** By each name of a bank account. */
  byAccount: ReadonlyMap<string, SavedPayee[]>;
}

export type Refused = {
  column: 'payee' | 'account' | 'asset' | 'place';
  key: BatchError;
  blanks: Record<string, string | number>;
};

export function indexOf(directory: Directory): DirectoryIndex {
  const byLabel = new Map<string, SavedPayee[]>();
  const byAddress = new Map<string, SavedPayee[]>();
  const byAccount = new Map<string, SavedPayee[]>();
  const add = (map: Map<string, SavedPayee[]>, key: string, payee: SavedPayee) => {
    const found = map.get(key);
    if (found) found.push(payee);
    else map.set(key, [payee]);
  };
  const familyByChain = new Map(
    directory.wallets.flatMap(({ chain }) => (chain ? [[chain.id, chain.family] as const] : [])),
  );
  for (const entry of directory.cryptoPayees) {
    const payee: SavedPayee = { kind: 'crypto', ...entry };
    add(byLabel, labelKey(entry.label), payee);
    const family = directory.families.get(familyByChain.get(entry.chainId) ?? '');
    if (family) add(byAddress, `${family.name} ${family.keyOf(entry.address)}`, payee);
  }
  for (const entry of directory.bankPayees) {
    const payee: SavedPayee = { kind: 'bank', ...entry };
    add(byLabel, labelKey(entry.label), payee);
    for (const name of entry.names) add(byAccount, accountKeyOf(name), payee);
  }
  return { ...directory, byLabel, byAddress, byAccount };
}

function labelKey(label: string): string {
  return label.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

function accountKeyOf(account: string): string {
  return account
    .normalize('NFKC')
    .replaceAll(/[\s\-.]/g, '')
    .toUpperCase();
}

/** The wallets that a row's asset and place allow; a place is a chain or bank by id or name, or the company's own account at it. */
export function walletsFor(index: Directory, written: Written): DirectoryWallet[] | Refused {
  const { wallets } = index;
  const asset = written.asset?.normalize('NFKC').toUpperCase();
  const ofAsset = asset === undefined ? wallets : wallets.filter((wallet) => wallet.asset === asset);
  if (written.asset !== undefined && ofAsset.length === 0) {
    const assets = [...new Set(wallets.map((wallet) => wallet.asset))].join(', ');
    return { column: 'asset', key: 'assetUnknown', blanks: { value: written.asset, assets } };
  }
  if (written.place === undefined) return ofAsset;
  const place = written.place;
  const there = ofAsset.filter((wallet) => isAt(wallet, place));
  if (there.length > 0) return there;
  const places = [...new Set(ofAsset.map(placeOf))].join(', ');
  return { column: 'place', key: 'placeUnknown', blanks: { value: place, places } };
}

export function placeOf({ chain, bank }: DirectoryWallet): string {
  return chain?.name ?? bank?.names[0] ?? '';
}

function isAt({ chain, bank }: DirectoryWallet, place: string): boolean {
  const sought = labelKey(place);
  const names = chain ? [chain.id, chain.name] : bank ? [bank.id, ...bank.names] : [];
  if (names.some((name) => labelKey(name) === sought)) return true;
  return bank?.accounts.some((account) => accountKeyOf(account) === accountKeyOf(place)) ?? false;
}

/** Wallets out of which a payee can be paid: its own coin on its own chain, or its own currency at any bank. */
function walletsOf(payee: SavedPayee, wallets: readonly DirectoryWallet[]): DirectoryWallet[] {
  return wallets.filter(({ asset, chain, bank }) =>
    payee.kind === 'crypto'
      ? chain?.id === payee.chainId && asset === payee.coin
      : bank !== null && asset === payee.currency,
  );
}

/**
 * The saved payee and the wallet that a row means. `null`: the row has an account that no saved payee has.
 */
export function findSaved(
  index: DirectoryIndex,
  written: Written,
  wallets: readonly DirectoryWallet[],
): { payee: SavedPayee; wallet: DirectoryWallet } | Refused | null {
  const { account, payee: label } = written;
  if (account === undefined && label === undefined) return { column: 'payee', key: 'required', blanks: {} };
  const ofLabel = label === undefined ? null : (index.byLabel.get(labelKey(label)) ?? []);
  let candidates: SavedPayee[];
  if (account === undefined) {
    if (ofLabel?.length === 0) return { column: 'payee', key: 'payeeUnknown', blanks: { value: label ?? '' } };
    candidates = ofLabel ?? [];
  } else {
    const found = byAccountOf(index, account);
    if ('key' in found) return found;
    candidates = found.payees;
    if (candidates.length === 0) {
      // A saved payee's label over another account: an invoice with a changed account looks like this.
      const [saved] = ofLabel ?? [];
      if (saved) return { column: 'account', key: 'payeeDiffers', blanks: { value: account, label: saved.label } };
      return null;
    }
    if (ofLabel !== null && ofLabel.length > 0) {
      const both = candidates.filter(({ id }) => ofLabel.some((each) => each.id === id));
      const [first] = candidates;
      if (both.length === 0 && first) {
        return { column: 'payee', key: 'payeeDiffers', blanks: { value: label ?? '', label: first.label } };
      }
      candidates = both;
    }
  }
  return payableFrom(candidates, wallets, written);
}

function byAccountOf(
  { families, byAddress, byAccount }: DirectoryIndex,
  account: string,
): { payees: SavedPayee[] } | Refused {
  const family = familyOfAddress(families, account);
  if (family === null) return { payees: byAccount.get(accountKeyOf(account)) ?? [] };
  try {
    const address = family.readAddress(account, 'account');
    return { payees: byAddress.get(`${family.name} ${family.keyOf(address)}`) ?? [] };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { column: 'account', key: error.key as BatchError, blanks: { value: account } };
  }
}

/** The one payee among candidates that the wallets of the row can pay, and the wallet. */
function payableFrom(
  candidates: readonly SavedPayee[],
  wallets: readonly DirectoryWallet[],
  written: Written,
): { payee: SavedPayee; wallet: DirectoryWallet } | Refused {
  const column = written.payee === undefined ? 'account' : 'payee';
  const value = written.payee ?? written.account ?? '';
  const payable = candidates.flatMap((payee) => {
    const found = walletsOf(payee, wallets);
    return found.length === 0 ? [] : [{ payee, wallets: found }];
  });
  const [one, second] = payable;
  if (one === undefined) {
    const paid = candidates.map((payee) =>
      payee.kind === 'crypto' ? `${payee.coin} · ${payee.chainId}` : payee.currency,
    );
    return { column, key: 'payeeOtherPlace', blanks: { value, paid: [...new Set(paid)].join(', ') } };
  }
  if (second !== undefined) return { column, key: 'payeeAmbiguous', blanks: { value, count: payable.length } };
  const [wallet, other] = one.wallets;
  if (wallet === undefined) return { column: 'place', key: 'walletMissing', blanks: {} };
  if (other !== undefined) {
    return { column: 'place', key: 'placeAmbiguous', blanks: { places: one.wallets.map(placeOf).join(', ') } };
  }
  return { payee: one.payee, wallet };
}
