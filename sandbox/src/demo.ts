import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { listWallets } from '@causeway/contract/wallets.ts';
import { request, type SignIn, signIn, signUp } from './console-client.ts';
import { ensureDemoCards } from './demo-cards.ts';
import { ensureDemoRequests } from './demo-requests.ts';
import { COLLEAGUES, type Colleague, ensureStaff } from './demo-staff.ts';
import { ensureDemoTrades } from './demo-trades.ts';
import type { DeskClient } from './desk-client.ts';
import { readJson, writeDurably } from './durable-file.ts';
import { FAUCET_COINS, type FaucetCoin } from './tokens.ts';

type DemoOptions = {
  consoleUrl: string;
  desk: DeskClient;
  dataDir: string;
  /** Asks the operator's command line for a fresh invitation code. */
  invite: () => Promise<string>;
  /** Says what could not be made. */
  say: (text: string) => void;
};

export type DemoSignIn = SignIn & { role: 'administrator' | Colleague['role'] };

const COMPANY = 'Harbour Lane Trading';
/** Known to everybody, on a sandbox that only this machine can reach and that holds nothing of value. */
const SIGN_IN: SignIn = { email: 'demo@causeway.example', password: 'Tidal-Ledger-26' };
const ADMINISTRATOR: DemoSignIn = { ...SIGN_IN, role: 'administrator' };
const FIRST_DEPOSITS: Readonly<Partial<Record<FaucetCoin, string>>> = {
  USDT: '25000',
  USDC: '12500.5',
  HKDT: '80000',
  ETH: '3.25',
};
const PATIENCE_MS = 30_000;

/**
 * Makes the demo company, once, through the front door: invitation, code by mail, sign-up, sign-in, colleagues, and real deposits
 * to its wallets. A run that was cut off goes on where it stopped: an existing sign-in is used, deposits are made once.
 * Returns who can sign in; an existing company without colleagues is left unchanged.
 */
export async function ensureDemoCompany(options: DemoOptions): Promise<DemoSignIn[]> {
  const file = join(options.dataDir, 'demo.json');
  const known = await readJson(file).catch(() => undefined);
  const done = typeof known === 'object' && known !== null && 'done' in known ? String(known.done) : '';
  if (done === 'all') return [ADMINISTRATOR];
  if (done === 'staffed') return [ADMINISTRATOR, ...COLLEAGUES];
  if (done !== 'company') {
    await signUp(options, { ...SIGN_IN, companyName: COMPANY, invitationCode: await options.invite() });
    await writeDurably(file, JSON.stringify({ done: 'company' }));
  }
  const token = await signIn(options, SIGN_IN);
  await Promise.all([deposit(options, token), ensureStaff(options, token)]);
  await ensureDemoRequests(options, token);
  await writeDurably(file, JSON.stringify({ done: 'staffed' }));
  // The company is whole without them.
  await ensureDemoCards(options, token).catch((error: unknown) =>
    options.say(`The demo cards could not be made: ${error instanceof Error ? error.message : String(error)}`),
  );
  return [ADMINISTRATOR, ...COLLEAGUES];
}

async function deposit({ consoleUrl, desk }: DemoOptions, token: string): Promise<void> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  let { items } = await request(consoleUrl, listWallets, { token });
  while (items.length === 0) {
    if (Date.now() > giveUpAt) throw new Error('the company was given no wallets');
    await delay(200);
    items = (await request(consoleUrl, listWallets, { token })).items;
  }
  for (const { asset, place } of items) {
    if (place.kind !== 'chain') continue;
    const coin = FAUCET_COINS.find((known) => known === asset);
    const amount = coin === undefined ? undefined : FIRST_DEPOSITS[coin];
    if (coin === undefined || amount === undefined) continue;
    if ((await desk.balance(coin, place.address)) === '0') await desk.faucet(coin, place.address, amount);
    if (coin === 'USDT') await ensureDemoTrades(desk, COMPANY, place.address);
  }
}
