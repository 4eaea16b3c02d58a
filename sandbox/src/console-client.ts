import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Body, type Call, failure, type Output, type Params, type Query } from '@causeway/contract/call.ts';
import {
  getCaptcha,
  getPasswordKey,
  login,
  register,
  sendCode,
  sendRegisterCode,
} from '@causeway/contract/identity.ts';
import { CompactEncrypt, importJWK, type JWK } from 'jose';
import * as z from 'zod/mini';
import type { DeskClient } from './desk-client.ts';

/** The console as a program uses it: each call of the contract over HTTP, and the ways in through the front door. */

export type SignIn = { email: string; password: string };

export type RequestOptions<C extends Call> = {
  params?: Params<C>;
  query?: Query<C>;
  body?: Body<C>;
  token?: string;
  idempotencyKey?: string;
  /** The network address the call seems to come from, where the console trusts a proxy to say so. */
  from?: string;
  signal?: AbortSignal;
};

/** The console answered and said no. */
export class Refused extends Error {
  readonly key: string;
  readonly status: number;

  constructor(call: string, status: number, key: string, sentences: readonly string[]) {
    super(`${call} was refused (${status} ${key}): ${sentences.join(' ')}`);
    this.name = 'Refused';
    this.key = key;
    this.status = status;
  }
}

const PATIENCE_MS = 30_000;

/** One call. @throws Refused; another error when no answer came */
export async function request<const C extends Call>(
  consoleUrl: string,
  call: C,
  { params, query, body, token, idempotencyKey, from, signal }: RequestOptions<C> = {},
): Promise<Output<C>> {
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(text(params, name)));
  const asked = Object.keys(query ?? {}).map((name): [string, string] => [name, text(query, name)]);
  const search = asked.length === 0 ? '' : `?${new URLSearchParams(asked)}`;
  const response = await fetch(`${consoleUrl}${path}${search}`, {
    method: call.method,
    headers: {
      'accept-language': 'en-us',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...(from === undefined ? {} : { 'x-forwarded-for': from }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  const answer: unknown = await response.json();
  const refused = z.safeParse(failure, answer);
  if (refused.success) throw new Refused(call.name, response.status, refused.data.key, refused.data.errors);
  const envelope = z.safeParse(z.object({ data: z.unknown() }), answer);
  const output = z.safeParse(call.output, envelope.data?.data);
  if (!output.success) throw new Error(`the answer to ${call.name} is not what the contract says`);
  return output.data as Output<C>;
}

export type FrontDoor = { consoleUrl: string; desk: DeskClient };

/** Makes a company: code by mail, then sign-up with the invitation code. */
export async function signUp(
  door: FrontDoor,
  { email, password, companyName, invitationCode }: SignIn & { companyName: string; invitationCode: string },
): Promise<void> {
  const { consoleUrl } = door;
  const before = await door.desk.mails(email);
  const { ticket } = await request(consoleUrl, sendRegisterCode, {
    body: { email, captcha: await solveCaptcha(consoleUrl) },
  });
  const code = await nextCode(door, email, before[0]?.id);
  await request(consoleUrl, register, {
    body: {
      companyName,
      email,
      ticket,
      code,
      password: await encryptPassword(consoleUrl, password),
      invitationCode,
      agreeTerms: true,
      agreePaymentTerms: true,
      agreePrivacy: true,
      language: 'en_US',
    },
  });
}

/** Both steps of the sign-in; returns the token. */
export async function signIn(door: FrontDoor, { email, password }: SignIn): Promise<string> {
  const { consoleUrl, desk } = door;
  const encrypted = await encryptPassword(consoleUrl, password);
  const captcha = await solveCaptcha(consoleUrl);
  const first = await request(consoleUrl, login, {
    body: { loginMethod: 'email', email, password: encrypted, captcha },
  });
  if (first.ticket === null) throw new Error('the sign-in gave no ticket');
  const before = await desk.mails(email);
  await request(consoleUrl, sendCode, { body: { scenario: 'login', ticket: first.ticket } });
  const code = await nextCode(door, email, before[0]?.id);
  const second = await request(consoleUrl, login, { body: { loginMethod: 'email', ticket: first.ticket, code } });
  if (second.accessToken === null) throw new Error('the sign-in gave no token');
  return second.accessToken;
}

/** Finds the number whose hash the challenge names (ALTCHA's proof of work) and writes the solution as ALTCHA does. */
async function solveCaptcha(consoleUrl: string): Promise<string> {
  const { algorithm, challenge, maxnumber, salt, signature } = await request(consoleUrl, getCaptcha);
  const hash = algorithm.replace('-', '').toLowerCase();
  for (let number = 0; number <= maxnumber; number += 1) {
    if (createHash(hash).update(`${salt}${number}`).digest('hex') !== challenge) continue;
    return Buffer.from(JSON.stringify({ algorithm, challenge, number, salt, signature })).toString('base64');
  }
  throw new Error('the captcha has no solution');
}

/** A password as the console takes it: encrypted to its published key. */
export async function encryptPassword(consoleUrl: string, password: string): Promise<string> {
  const { key } = await request(consoleUrl, getPasswordKey);
  return sealPassword(key, password);
}

/** A password encrypted to a published key. */
export async function sealPassword(key: JWK, password: string): Promise<string> {
  return new CompactEncrypt(new TextEncoder().encode(password))
    .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM' })
    .encrypt(await importJWK(key, 'RSA-OAEP-256'));
}

/** The code in the first mail that came after the one with this id. */
async function nextCode({ desk }: FrontDoor, email: string, after = ''): Promise<string> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  while (Date.now() < giveUpAt) {
    const [newest] = await desk.mails(email);
    const code = newest !== undefined && newest.id > after ? newest.codes[0] : undefined;
    if (code !== undefined) return code;
    await delay(50);
  }
  throw new Error('the mail with the code did not arrive');
}

function text(values: object | undefined, name: string): string {
  const value: unknown = values === undefined ? undefined : Reflect.get(values, name);
  return String(value);
}
