import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Call, Output } from '@causeway/contract/call.ts';
import { addCryptoPayee } from '@causeway/contract/payees.ts';
import { getFee, listWallets, type Wallet } from '@causeway/contract/wallets.ts';
import { type ChainWallet, isOnChain } from '@causeway/contract/wallets-rules.ts';
import { Refused, type RequestOptions, request, signIn, signUp } from '@causeway/sandbox/console-client.ts';
import { type Product, until } from './product.ts';

/** One company as its own client sees it: through the console's API alone. */
export interface Company {
  name: string;
  email: string;
  token: string;
  wallets: readonly Wallet[];
  wallet(coin: string): ChainWallet;
  /** One call. @throws Refused */
  call<const C extends Call>(call: C, options?: RequestOptions<C>): Promise<Output<C>>;
  /** The same call until it is answered, whatever happens to the server or the answer meanwhile. @throws Refused */
  insist<const C extends Call>(call: C, options?: RequestOptions<C>): Promise<Output<C>>;
  /** The current wallets. */
  balances(): Promise<Wallet[]>;
}

export interface Payee {
  id: string;
  coin: string;
  address: string;
}

const chain = 'ethereum';
const patienceMs = 90_000;
const pauseMs = 100;
let opened = 0;

export async function openCompany(product: Product, name: string): Promise<Company> {
  const { consoleUrl, desk } = product;
  const person = { email: `${name}@example.com`, password: 'Faults-and-1' };
  await signUp(
    { consoleUrl, desk },
    { ...person, companyName: `Company ${name}`, invitationCode: await product.invite() },
  );
  const token = await signIn({ consoleUrl, desk }, person);
  // Each company at an address of its own: what one address may ask for in an hour is limited.
  opened += 1;
  const from = `10.1.${opened >> 8}.${opened & 255}`;
  const company: Company = {
    name,
    email: person.email,
    token,
    wallets: [],
    wallet: (coin) => walletOf(company.wallets, coin),
    call: (call, options) => request(consoleUrl, call, { ...options, token, from }),
    insist: (call, options) => insist(() => company.call(call, options), call.name),
    balances: async () => (await company.insist(listWallets)).items,
  };
  await until('the company has its wallets', async () => (await company.balances()).length > 0, patienceMs);
  company.wallets = await company.balances();
  return company;
}

export function walletOf(wallets: readonly Wallet[], coin: string): ChainWallet {
  const wallet = wallets.filter(isOnChain).find((candidate) => candidate.asset === coin);
  if (wallet === undefined) throw new Error(`there is no wallet of ${coin}`);
  return wallet;
}

/** An unused address, saved as a payee. */
export async function savePayee(company: Company, coin: string): Promise<Payee> {
  const { address } = await import('viem/accounts').then(({ generatePrivateKey, privateKeyToAccount }) =>
    privateKeyToAccount(generatePrivateKey()),
  );
  const id = randomUUID();
  await company.insist(addCryptoPayee, { body: { id, label: `Payee ${address.slice(2, 8)}`, chain, coin, address } });
  return { id, coin, address };
}

export async function feeOf(company: Company, coin: string): Promise<string> {
  return (await company.insist(getFee, { query: { feeType: 'crypto_withdraw_fee', asset: coin, chain } })).fee;
}

/** Tries again while the server does not respond or is unavailable. */
async function insist<T>(attempt: () => Promise<T>, name: string): Promise<T> {
  const giveUpAt = Date.now() + patienceMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof Refused && error.status < 500) throw error;
      if (Date.now() > giveUpAt)
        throw new Error(`${name} was not answered for ${patienceMs / 1000} s`, { cause: error });
      await delay(pauseMs);
    }
  }
}
