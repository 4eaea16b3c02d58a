import { join } from 'node:path';
import { CUSTOMER } from './bank/catalogue.ts';
import { writeDurably } from './durable-file.ts';

/** What the file of banks says of the sandbox's: one that is reached by files, and one by HTTP, which opens companies' accounts itself. */

/** Of `harbour`: bank 998, branch 001, then nine digits, which end in the currency's ISO 4217 number. */
const collectingAccount = (numeric: string): string => `998001000000${numeric}`;

const atHarbour = (
  currency: string,
  numeric: string,
  days: readonly [number, number],
  cutOff = '17:00',
  fee = '0',
  swift = '25',
) => ({
  currency,
  cutOff,
  days,
  fee,
  payoutFees: { local: '1', swift },
  collectingAccount: collectingAccount(numeric),
});

const atMeridian = (currency: string, account: string, enabled = true) => ({
  currency,
  cutOff: '16:00',
  days: [0, 2],
  fee: '0',
  collectingAccount: account,
  enabled,
});

const banks = [
  {
    id: 'harbour',
    name: 'Harbour Bank',
    nameZhHk: '海港銀行',
    nameZhCn: '海港银行',
    country: 'HK',
    bic: 'HRBRHKHH',
    clearingSystem: 'HKNCC',
    clearingCode: '998',
    timeZone: 'Asia/Hong_Kong',
    calendars: ['HKD'],
    address: '1 Harbour View Street, Central, Hong Kong',
    accountHolder: CUSTOMER,
    accounts: { prefix: '998001', digits: 7 },
    currencies: [
      atHarbour('HKD', '344', [0, 2], '17:00', '0', '200'),
      atHarbour('USD', '840', [1, 3], '16:00', '10'),
      atHarbour('CNY', '156', [1, 3], '16:00', '0', '180'),
      atHarbour('EUR', '978', [1, 3], '15:00', '10'),
      atHarbour('GBP', '826', [1, 3], '15:00', '10'),
    ],
  },
  {
    id: 'meridian',
    name: 'Meridian Payments',
    nameZhHk: '子午線支付',
    nameZhCn: '子午线支付',
    country: 'SG',
    bic: 'MRDPSGSG',
    timeZone: 'Asia/Singapore',
    calendars: ['SGD'],
    address: '8 Meridian Quay, Singapore 018956',
    opensAccounts: true,
    currencies: [
      atMeridian('SGD', '70200000001'),
      atMeridian('JPY', '39200000001'),
      // Companies hold these at Harbour Bank.
      atMeridian('EUR', '97800000001', false),
      atMeridian('GBP', '82600000001', false),
      atMeridian('USD', '84000000001', false),
    ],
  },
];

/** Writes the banks of the sandbox for the migration program. */
export async function writeBankRegistry(dataDir: string): Promise<void> {
  await writeDurably(bankRegistryFile(dataDir), `${JSON.stringify({ banks }, null, 2)}\n`);
}

export function bankRegistryFile(dataDir: string): string {
  return join(dataDir, 'bank-registry.json');
}
