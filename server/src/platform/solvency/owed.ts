import type { BalanceRow } from './store.ts';

/** What of the ledger is money that companies are owed, and what at their addresses is the operator's own. */

/** Arriving money counts: it is at the company's address, though it may not be spent yet. */
const owedKinds: readonly string[] = ['available', 'outbound', 'inbound', 'escrow'];
/**
 * Fees not yet collected, advances for network fees, and what was cleared by cards and the issuer was not paid: it is no company's. What an exchange has moved between assets (`fx`) is neither, until it is settled:
 * then the difference shows what is missing. So does a deficit: what one company owes covers no other.
 */
const ownKinds: readonly string[] = ['fee', 'gas', 'card'];

export interface Owed {
  /** Minor units by asset, of each company that has wallets; in the order of the companies' ids. */
  companies: Map<string, { sums: Map<string, bigint>; parts: Map<string, Record<string, string>> }>;
  own: Map<string, bigint>;
  atBanks: Map<string, bigint>;
  /** The operator's own at banks. */
  ownAtBanks: Map<string, bigint>;
}

export function owedOf(balances: readonly BalanceRow[]): Owed {
  const owed: Owed = { companies: new Map(), own: new Map(), atBanks: new Map(), ownAtBanks: new Map() };
  for (const { companyId, asset, kind, isAtBank, minor } of balances) {
    const company = owed.companies.get(companyId) ?? { sums: new Map(), parts: new Map() };
    owed.companies.set(companyId, company);
    if (owedKinds.includes(kind)) {
      addTo(company.sums, asset, minor);
      if (isAtBank) addTo(owed.atBanks, asset, minor);
      const parts = company.parts.get(asset) ?? {};
      parts[kind] = String(BigInt(parts[kind] ?? '0') + minor);
      company.parts.set(asset, parts);
    }
    if (ownKinds.includes(kind)) addTo(isAtBank ? owed.ownAtBanks : owed.own, asset, minor);
  }
  return owed;
}

export function addTo(sums: Map<string, bigint>, asset: string, minor: bigint): void {
  sums.set(asset, (sums.get(asset) ?? 0n) + minor);
}
