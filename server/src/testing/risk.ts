import type { Body } from '@causeway/contract/call.ts';
import type { addRiskPolicy, RiskContent } from '@causeway/contract/risk.ts';
import { type AssessedSubject, accountKey } from '../features/risk/index.ts';
import { addEntry } from '../features/risk/service/lists.ts';
import { addPolicy } from '../features/risk/service/policies.ts';
import { systemClock } from '../platform/clock.ts';
import { newId } from '../platform/ids.ts';
import type { SignedInContext } from '../platform/session.ts';
import { chainFamilies } from './chain-families.ts';
import { randomAddress } from './company.ts';
import type { TestDatabase } from './database.ts';

/** A withdrawal of 100 USDT to a new address; `usd` sets quantity and value alike. */
export function riskSubject({
  usd = 100,
  ...given
}: Partial<AssessedSubject> & { usd?: number } = {}): AssessedSubject {
  const { accountKind = 'crypto_address', account = randomAddress() } = given;
  return {
    id: newId(),
    business: 'crypto_withdrawal',
    chainId: 'ethereum',
    coin: 'USDT',
    quantityMinor: BigInt(Math.round(usd * 1_000_000)),
    decimals: 6,
    valueUsdCents: BigInt(Math.round(usd * 100)),
    currency: null,
    region: null,
    accountKind,
    account,
    accountKey: accountKind === null ? '' : accountKey(chainFamilies, accountKind, account),
    initiatorId: newId(),
    ...given,
  };
}

/** A member of a company who may do everything, as services receive them. */
export function riskManager(companyId: string): SignedInContext {
  const session = { id: newId(), companyId, userId: newId(), userName: 'Ada Wong', permissions: [] };
  return { session, locale: 'en-us', ip: '127.0.0.1', userAgent: '', requestId: newId(), clock: systemClock };
}

/** Puts an address on the white list with its limits in US dollars (single, daily, cumulative), or on the black list. */
export async function listAddress(
  db: TestDatabase,
  companyId: string,
  account: string,
  limits: [number, number, number] | null,
): Promise<string> {
  const [single, daily, cumulative] = limits ?? [];
  const common = { payeeType: 'crypto_address' as const, account };
  const body = limits
    ? {
        kind: 'white' as const,
        ...common,
        limits: { single: String(single), daily: String(daily), cumulative: String(cumulative) },
      }
    : { kind: 'black' as const, ...common };
  const entry = await db.app.withCompany(companyId, (tx) => addEntry(tx, riskManager(companyId), chainFamilies, body));
  return entry.id;
}

type NewPolicy = Body<typeof addRiskPolicy>;

/** A policy that forbids withdrawals of what is given. */
export function forbidding(content: RiskContent, given: Partial<NewPolicy> = {}): NewPolicy {
  return {
    name: 'Forbidden',
    business: 'crypto_withdrawal',
    method: 'forbid',
    content,
    result: 'deny',
    window: 'day',
    ...given,
  };
}

export async function enact(db: TestDatabase, companyId: string, policy: NewPolicy): Promise<string> {
  const made = await db.app.withCompany(companyId, (tx) => addPolicy(tx, riskManager(companyId), policy));
  return made.id;
}
