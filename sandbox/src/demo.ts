import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Body, type Call, failure, type Output } from '@causeway/contract/call.ts';
import {
  getCaptcha,
  getPasswordKey,
  login,
  register,
  sendCode,
  sendRegisterCode,
} from '@causeway/contract/identity.ts';
import { listWallets } from '@causeway/contract/wallets.ts';
import { CompactEncrypt, importJWK } from 'jose';
import * as z from 'zod/mini';
import type { DeskClient } from './desk-client.ts';
import { readJson, writeDurably } from './durable-file.ts';
import { FAUCET_COINS, type FaucetCoin } from './tokens.ts';

export type DemoSignIn = { email: string; password: string };

type DemoOptions = {
  consoleUrl: string;
  desk: DeskClient;
  dataDir: string;
  /** Asks the operator's command line for a fresh invitation code. */
  invite: () => Promise<string>;
};

const COMPANY = 'Harbour Lane Trading';
/** Known to everybody, on a sandbox that only this machine can reach and that holds nothing of value. */
const SIGN_IN: DemoSignIn = { email: 'demo@causeway.example', password: 'Causeway-Demo-1' };
const FIRST_DEPOSITS: Readonly<Partial<Record<FaucetCoin, string>>> = {
  USDT: '25000',
  USDC: '12500.5',
  HKDT: '80000',
  ETH: '3.25',
};
const PATIENCE_MS = 30_000;

/**
 * Makes the demo company, once, through the front door: invitation, code by mail, sign-up, sign-in, and real deposits
 * to its wallets. A run that was cut off goes on where it stopped: an existing sign-in is used, deposits are made once.
 */
export async function ensureDemoCompany(options: DemoOptions): Promise<DemoSignIn> {
  const file = join(options.dataDir, 'demo.json');
  const known = await readJson(file).catch(() => undefined);
  const done = typeof known === 'object' && known !== null && 'done' in known ? String(known.done) : '';
  if (done === 'all') return SIGN_IN;
  if (done !== 'company') {
    await signUp(options);
    await writeDurably(file, JSON.stringify({ done: 'company' }));
  }
  const token = await signIn(options);
  await deposit(options, token);
  await writeDurably(file, JSON.stringify({ done: 'all' }));
  return SIGN_IN;
}

async function signUp(options: DemoOptions): Promise<void> {
  const before = await options.desk.mails(SIGN_IN.email);
  await request(options, sendRegisterCode, { email: SIGN_IN.email, captcha: await solveCaptcha(options) });
  const code = await nextCode(options, before[0]?.id);
  await request(options, register, {
    companyName: COMPANY,
    email: SIGN_IN.email,
    code,
    password: await encryptPassword(options),
    invitationCode: await options.invite(),
    agreeTerms: true,
    agreePaymentTerms: true,
    agreePrivacy: true,
    language: 'en_US',
  });
}

async function signIn(options: DemoOptions): Promise<string> {
  const { email } = SIGN_IN;
  const password = await encryptPassword(options);
  const captcha = await solveCaptcha(options);
  const first = await request(options, login, { loginMethod: 'email', email, password, captcha });
  if (first.ticket === null) throw new Error('the sign-in gave no ticket');
  const before = await options.desk.mails(email);
  await request(options, sendCode, { scenario: 'login', ticket: first.ticket });
  const code = await nextCode(options, before[0]?.id);
  const second = await request(options, login, { loginMethod: 'email', ticket: first.ticket, code });
  if (second.accessToken === null) throw new Error('the sign-in gave no token');
  return second.accessToken;
}

async function deposit(options: DemoOptions, token: string): Promise<void> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  let { items } = await request(options, listWallets, undefined, token);
  while (items.length === 0) {
    if (Date.now() > giveUpAt) throw new Error('the company was given no wallets');
    await delay(200);
    items = (await request(options, listWallets, undefined, token)).items;
  }
  for (const wallet of items) {
    const coin = FAUCET_COINS.find((known) => known === wallet.coin);
    const amount = coin === undefined ? undefined : FIRST_DEPOSITS[coin];
    if (coin === undefined || amount === undefined) continue;
    if ((await options.desk.balance(coin, wallet.address)) === '0')
      await options.desk.faucet(coin, wallet.address, amount);
  }
}

async function request<const C extends Call>(
  options: DemoOptions,
  call: C,
  body: Body<C>,
  token?: string,
): Promise<Output<C>> {
  const response = await fetch(`${options.consoleUrl}${call.path}`, {
    method: call.method,
    headers: {
      'accept-language': 'en-us',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json();
  const refused = z.safeParse(failure, answer);
  if (refused.success) throw new Error(`${call.name} was refused: ${refused.data.errors.join(' ')}`);
  const envelope = z.safeParse(z.object({ data: z.unknown() }), answer);
  const output = z.safeParse(call.output, envelope.data?.data);
  if (!output.success) throw new Error(`the answer to ${call.name} is not what the contract says`);
  return output.data as Output<C>;
}

/** Finds the number whose hash the challenge names (ALTCHA's proof of work) and writes the solution as ALTCHA does. */
async function solveCaptcha(options: DemoOptions): Promise<string> {
  const { algorithm, challenge, maxnumber, salt, signature } = await request(options, getCaptcha, undefined);
  const hash = algorithm.replace('-', '').toLowerCase();
  for (let number = 0; number <= maxnumber; number += 1) {
    if (createHash(hash).update(`${salt}${number}`).digest('hex') !== challenge) continue;
    return Buffer.from(JSON.stringify({ algorithm, challenge, number, salt, signature })).toString('base64');
  }
  throw new Error('the captcha has no solution');
}

async function encryptPassword(options: DemoOptions): Promise<string> {
  const { key } = await request(options, getPasswordKey, undefined);
  return new CompactEncrypt(new TextEncoder().encode(SIGN_IN.password))
    .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM' })
    .encrypt(await importJWK(key, 'RSA-OAEP-256'));
}

/** The code in the first mail that came after the one with this id. */
async function nextCode({ desk }: DemoOptions, after = ''): Promise<string> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  while (Date.now() < giveUpAt) {
    const [newest] = await desk.mails(SIGN_IN.email);
    const code = newest !== undefined && newest.id > after ? newest.codes[0] : undefined;
    if (code !== undefined) return code;
    await delay(50);
  }
  throw new Error('the mail with the code did not arrive');
}
