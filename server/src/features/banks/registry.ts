import { currencies } from '@causeway/contract/currencies.ts';
import { parseAmount } from '@causeway/contract/money.ts';
import type pg from 'pg';
import type { BankConfig } from '../../platform/config/banks.ts';
import { ConfigError } from '../../platform/config/config.ts';
import { createClient } from '../../platform/database/primary.ts';
import { nilCompany } from '../identity/index.ts';
import { recordRegistry } from './registry-changes.ts';

/**
 * Writes the configured banks and their currencies into the database, as the owner. A bank or a currency there that is no longer
 * configured is switched off, never deleted, since companies have accounts there. What another file has changed is recorded.
 * @param digest SHA-256 of the file, hexadecimal
 * @throws ConfigError for an amount with more decimals than its currency has
 */
export async function registerBanks(ownerUrl: string, banks: readonly BankConfig[], digest: string): Promise<void> {
  const client = createClient(ownerUrl, { application_name: 'causeway-migrate' });
  await client.connect();
  try {
    await client.query('begin');
    await client.query('set local role causeway_owner');
    // Hand-overs under way end first, and later ones see what the file switches off.
    await client.query("select pg_advisory_xact_lock(causeway.switch_lock('banks'))");
    for (const bank of banks) await registerBank(client, bank);
    await client.query('update causeway.bank set enabled = false where not (id = any ($1))', [
      banks.map(({ id }) => id),
    ]);
    await recordRegistry(client, banks, digest, nilCompany);
    await client.query('commit');
  } finally {
    await client.end();
  }
}

async function registerBank(client: pg.Client, bank: BankConfig): Promise<void> {
  await client.query(
    `insert into causeway.bank (id, name, name_zh_hk, name_zh_cn, country, bic, clearing_system, clearing_code, time_zone, calendars,
       address, enabled, opens_accounts, account_holder)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
     on conflict (id) do update set name = excluded.name, name_zh_hk = excluded.name_zh_hk, name_zh_cn = excluded.name_zh_cn,
       country = excluded.country, bic = excluded.bic, clearing_system = excluded.clearing_system,
       clearing_code = excluded.clearing_code, time_zone = excluded.time_zone, calendars = excluded.calendars,
       address = excluded.address, enabled = excluded.enabled, opens_accounts = excluded.opens_accounts,
       account_holder = excluded.account_holder`,
    [
      ...[bank.id, bank.name, bank.nameZhHk ?? null, bank.nameZhCn ?? null, bank.country, bank.bic],
      ...[
        bank.clearingSystem ?? null,
        bank.clearingCode ?? null,
        bank.timeZone,
        bank.calendars,
        bank.address,
        bank.enabled,
        bank.opensAccounts,
        bank.accountHolder,
      ],
    ],
  );
  for (const currency of bank.currencies) await registerCurrency(client, bank, currency);
  await client.query(
    'update causeway.bank_asset set enabled = false where bank_id = $1 and not (asset_id = any ($2))',
    [bank.id, bank.currencies.map((each) => each.currency)],
  );
  await registerRange(client, bank);
}

async function registerCurrency(
  client: pg.Client,
  { id: bankId }: BankConfig,
  {
    currency,
    fee,
    minimum,
    cutOff,
    days,
    collectingAccount,
    payoutFees,
    payoutMinimum,
    payouts,
    enabled,
  }: BankConfig['currencies'][number],
): Promise<void> {
  const minor = (amount: string, name: string) => {
    const parsed = parseAmount(amount, currencies[currency].decimals);
    if (parsed.ok) return parsed.minor.toString();
    throw new ConfigError(
      `BANK_REGISTRY_FILE: the ${name} of ${currency} at ${bankId} has more decimals than ${currency} has.`,
    );
  };
  await client.query(
    `insert into causeway.bank_asset (bank_id, asset_id, recharge_fee, recharge_minimum, cut_off, days_least, days_most,
       collecting_account, enabled, payout_fee_local, payout_fee_swift, payout_minimum, payouts_paused)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
     on conflict (bank_id, asset_id) do update set recharge_fee = excluded.recharge_fee,
       recharge_minimum = excluded.recharge_minimum, cut_off = excluded.cut_off, days_least = excluded.days_least,
       days_most = excluded.days_most, collecting_account = excluded.collecting_account, enabled = excluded.enabled,
       payout_fee_local = excluded.payout_fee_local, payout_fee_swift = excluded.payout_fee_swift,
       payout_minimum = excluded.payout_minimum, payouts_paused = excluded.payouts_paused`,
    [
      ...[bankId, currency, minor(fee, 'fee'), minimum === undefined ? null : minor(minimum, 'minimum')],
      ...[cutOff, days[0], days[1], collectingAccount, enabled],
      ...[minor(payoutFees.local, 'payout fee'), minor(payoutFees.swift, 'payout fee')],
      payoutMinimum === undefined ? null : minor(payoutMinimum, 'least payout'),
      !payouts,
    ],
  );
}

/** The counter never falls, whatever the file says: the numbers below it have been given out. */
async function registerRange(client: pg.Client, { id, accounts }: BankConfig): Promise<void> {
  if (accounts === undefined) {
    // Without a range no further account is opened; the counter is kept for when it comes back.
    await client.query('update causeway.bank_account_range set open = false where bank_id = $1', [id]);
    return;
  }
  await client.query(
    `insert into causeway.bank_account_range as r (bank_id, prefix, digits, next_number) values ($1, $2, $3, $4)
     on conflict (bank_id) do update set prefix = excluded.prefix, digits = excluded.digits, open = true,
       next_number = greatest(r.next_number, excluded.next_number)`,
    [id, accounts.prefix, accounts.digits, accounts.first],
  );
}
