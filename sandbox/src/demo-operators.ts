import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  activateOperator,
  checkOperatorActivation,
  type OperatorRole,
  operatorPasswordKey,
} from '@causeway/contract/operator.ts';
import { Secret, TOTP } from 'otpauth';
import { request, sealPassword } from './console-client.ts';
import { readJson, writeDurably } from './durable-file.ts';

type DemoOperatorOptions = {
  /** Of the operator's console. */
  url: string;
  dataDir: string;
  /** Runs a command of the operator's command line. */
  command: (words: readonly string[]) => Promise<unknown>;
};

export type DemoOperator = { email: string; password: string; role: OperatorRole; secret: string };

/** Two who may decide on each other's proposals, one who may not, and two of the treasury. Known to everybody, as the demo company's people. */
const PEOPLE = [
  { name: 'Grace Ng', email: 'admin@operator.example', role: 'administrator' },
  { name: 'Daniel Lee', email: 'admin2@operator.example', role: 'administrator' },
  { name: 'Yan Cheung', email: 'compliance@operator.example', role: 'compliance' },
  { name: 'Mei Chan', email: 'treasury@operator.example', role: 'treasury' },
  { name: 'Peter Lam', email: 'treasury2@operator.example', role: 'treasury' },
] as const;
const STEP_MS = 30_000;
const ARRIVAL_MS = 5_000;
const PASSWORD = 'Tidal-Ledger-26';

/**
 * Makes the demo operators, once, as an installation makes its first ones: an account and its link on the command line, then password
 * and authenticator through the link. A run that was cut off goes on where it stopped.
 */
export async function ensureDemoOperators(options: DemoOperatorOptions): Promise<DemoOperator[]> {
  const file = join(options.dataDir, 'demo-operators.json');
  const secrets = asSecrets(await readJson(file).catch(() => undefined));
  const made: DemoOperator[] = [];
  const isLacking = PEOPLE.some(({ email }) => secrets[email] === undefined);
  // Each run of the command line takes a second.
  const staff = isLacking ? await options.command(['staff', 'list']) : [];
  for (const { name, email, role } of PEOPLE) {
    let secret = secrets[email];
    if (secret === undefined) {
      secret = await activate(options, await linkFor(options, staff, { name, email, role }));
      secrets[email] = secret;
      await writeDurably(file, JSON.stringify(secrets));
    }
    made.push({ email, password: PASSWORD, role, secret });
  }
  return made;
}

/** The token of a new account's link, or of a new link where the account was made before. */
async function linkFor(
  { command }: DemoOperatorOptions,
  staff: unknown,
  { name, email, role }: { name: string; email: string; role: OperatorRole },
): Promise<string> {
  const isThere = Array.isArray(staff) && staff.some((one: unknown) => emailIn(one) === email);
  const words = isThere ? ['reset', email] : ['add', '--name', name, '--email', email, '--role', role];
  const answer = await command(['staff', ...words]);
  const link = typeof answer === 'object' && answer !== null && 'link' in answer ? String(answer.link) : '';
  const token = link.split('#')[1];
  if (token === undefined) throw new Error('the command line printed no link');
  return token;
}

/** Sets password and authenticator; returns the authenticator's secret, base32. */
async function activate({ url }: DemoOperatorOptions, token: string): Promise<string> {
  const { secret } = await request(url, checkOperatorActivation, { body: { token } });
  const { key } = await request(url, operatorPasswordKey);
  const password = await sealPassword(key, PASSWORD);
  // The code of the step before, so that the current one is free for a sign-in: it must arrive while it counts.
  const left_ms = STEP_MS - (Date.now() % STEP_MS);
  if (left_ms < ARRIVAL_MS) await delay(left_ms);
  const code = authenticatorCode(secret, -1);
  await request(url, activateOperator, { body: { token, password, code } });
  return secret;
}

/** What an authenticator with this secret shows now, or so many steps from now. */
export function authenticatorCode(secret: string, stepsAhead = 0): string {
  const timestamp = Date.now() + stepsAhead * STEP_MS;
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
}

function emailIn(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'email' in value ? value.email : undefined;
}

function asSecrets(value: unknown): Record<string, string> {
  return typeof value === 'object' && value !== null ? { ...(value as Record<string, string>) } : {};
}
