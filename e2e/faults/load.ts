import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Body, Call, Output } from '@causeway/contract/call.ts';
import { sendUserCode } from '@causeway/contract/identity.ts';
import { cancelTransfer, transferOut } from '@causeway/contract/transfers.ts';
import { Refused } from '@causeway/sandbox/console-client.ts';
import type { DeskMail } from '@causeway/sandbox/desk-client.ts';
import type { FaucetCoin } from '@causeway/sandbox/tokens.ts';
import type { Chance } from './chance.ts';
import { type Company, feeOf, type Payee, savePayee } from './company.ts';
import type { Journal, Wish } from './journal.ts';
import { type Product, until } from './product.ts';

/**
 * The load: clients that transfer one after another, each to a payee of its own, and a stream of deposits. Half of the
 * responses are lost on the way; the client then repeats the request with the same key, as in production.
 */
export interface Load {
  /** Transfers acknowledged so far. */
  progress(): number;
  /** When every client has done its part. */
  finished: Promise<void>;
}

export interface LoadOptions {
  product: Product;
  journal: Journal;
  chance: Chance;
  companies: readonly Company[];
  /** Of each client; there is one for every company and coin. */
  transfersEach: number;
}

interface Client {
  company: Company;
  payee: Payee;
  fee: string;
}

export const loadCoins = ['USDT', 'HKDT', 'ETH'] as const satisfies FaucetCoin[];
const firstDeposits: Readonly<Record<(typeof loadCoins)[number], string>> = {
  USDT: '50000',
  HKDT: '50000',
  ETH: '500',
};
const laterDeposits: readonly string[] = ['1000', '0.25', '77.125'];
const patienceMs = 120_000;
const longestAbortMs = 120;
const longestPauseMs = 300;
const cancelShare = 1 / 6;

/** Money in, payees saved, fees known: what must exist before anything is killed. */
export async function prepareLoad({ product, journal, companies }: LoadOptions): Promise<Client[]> {
  const clients: Client[] = [];
  for (const company of companies) {
    for (const coin of loadCoins) {
      await deposit(product, journal, company, coin, firstDeposits[coin]);
      clients.push({ company, payee: await savePayee(company, coin), fee: await feeOf(company, coin) });
    }
  }
  for (const company of companies) {
    const isFunded = async (): Promise<boolean> => {
      const wallets = await company.balances();
      return loadCoins.every((coin) => wallets.some((wallet) => wallet.asset === coin && Number(wallet.available) > 0));
    };
    await until('the first deposits are available', isFunded, patienceMs);
  }
  return clients;
}

export function startLoad(options: LoadOptions, clients: readonly Client[]): Load {
  const { product, journal, chance, transfersEach } = options;
  let acknowledged = 0;
  const total = clients.length * transfersEach;

  async function run(client: Client): Promise<void> {
    for (let number = 0; number < transfersEach; number += 1) {
      await transfer(product, journal, chance, client, number);
      acknowledged += 1;
      await delay(chance.below(longestPauseMs));
    }
  }

  async function keepDepositing(): Promise<void> {
    for (let number = 0; number < total / 4; number += 1) {
      await until('the next deposit is due', async () => acknowledged >= number * 4, patienceMs);
      const { company } = chance.pick(clients);
      await deposit(product, journal, company, chance.pick(loadCoins), chance.pick(laterDeposits));
    }
  }

  const finished = Promise.all([...clients.map(run), keepDepositing()]).then(() => undefined);
  return { progress: () => acknowledged, finished };
}

async function deposit(
  product: Product,
  journal: Journal,
  company: Company,
  coin: FaucetCoin,
  amount: string,
): Promise<void> {
  await product.desk.faucet(coin, company.wallet(coin).place.address, amount);
  journal.note({ kind: 'deposit', company: company.name, coin, amount });
}

async function transfer(
  product: Product,
  journal: Journal,
  chance: Chance,
  { company, payee, fee }: Client,
  number: number,
): Promise<void> {
  // No amount occurs twice with a payee, so that a mail's code can be told from another's. None ends with a zero, which mails leave out.
  const amount = payee.coin === 'ETH' ? `1.${100 + number}1` : `${100 + number}.5`;
  const content = { id: randomUUID(), walletId: company.wallet(payee.coin).id, payeeId: payee.id, amount };
  const { coin, address } = payee;
  const wish: Wish = { ...content, company: company.name, coin, address, fee };
  const key = randomUUID();
  const code = await askForCode(product, company, wish);
  journal.note({ kind: 'asked', key, transfer: wish });
  const body = { ...content, attachmentIds: [], fee, codeMethod: 'email' as const, code };
  const { id, stage } = await lossily(company, chance, transferOut, key, body);
  journal.note({ kind: 'answered', key, id, stage });
  if (chance.next() < cancelShare) await cancel(journal, chance, company, id);
}

async function cancel(journal: Journal, chance: Chance, company: Company, id: string): Promise<void> {
  const key = randomUUID();
  journal.note({ kind: 'cancel-asked', key, id });
  try {
    const { stage } = await lossily(company, chance, cancelTransfer, key, { id });
    journal.note({ kind: 'cancel-answered', key, id, stage });
  } catch (error) {
    if (!(error instanceof Refused) || error.key !== 'transferNotCancellable') throw error;
    journal.note({ kind: 'cancel-refused', key, id, reason: error.key });
  }
}

/** Has a code mailed for exactly this transfer, and finds it. An answer that was lost shows as "too soon". */
export async function askForCode(
  product: Product,
  company: Company,
  wish: Omit<Wish, 'company' | 'coin' | 'fee'>,
): Promise<string> {
  const { id, walletId, payeeId, amount, address } = wish;
  const content = { id, walletId, payeeId, amount, attachmentIds: [] };
  const subject = { kind: 'transfer' as const, content };
  await company.insist(sendUserCode, { body: { scenario: 'transaction', subject } }).catch((error: unknown) => {
    if (!(error instanceof Refused) || error.key !== 'codeTooSoon') throw error;
  });
  let code: string | undefined;
  const hasCome = async (): Promise<boolean> => {
    const mails = await product.desk.mails(company.email);
    const mail = mails.find(({ text }) => text.includes(address) && text.includes(amount));
    code = mail && codeIn(mail);
    return code !== undefined;
  };
  await until(`the code for ${id} is mailed`, hasCome, patienceMs);
  return code ?? '';
}

/** The line that is nothing but six digits: addresses and amounts hold digits too. */
function codeIn({ text }: DeskMail): string | undefined {
  return /^\s*(\d{6})\s*$/m.exec(text)?.[1];
}

/** Asks until an answer comes through: of those that would, one half is lost, by hanging up early or just before reading. */
async function lossily<const C extends Call>(
  company: Company,
  chance: Chance,
  call: C,
  idempotencyKey: string,
  body: Body<C>,
): Promise<Output<C>> {
  for (;;) {
    const fate = chance.next();
    if (fate < 0.25) {
      const signal = AbortSignal.timeout(chance.below(longestAbortMs) + 1);
      await company.call(call, { body, idempotencyKey, signal }).catch(() => undefined);
    } else if (fate < 0.5) {
      await company.call(call, { body, idempotencyKey }).catch(() => undefined);
    } else {
      return company.insist(call, { body, idempotencyKey });
    }
  }
}
