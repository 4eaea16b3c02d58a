import { join } from 'node:path';
import type { Body } from '@causeway/contract/call.ts';
import {
  confirmProposal,
  getProposal,
  operatorLogin,
  operatorLoginCode,
  operatorPasswordKey,
} from '@causeway/contract/operator.ts';
import {
  changeExchangeLimit,
  getExchangePosition,
  proposeExchangeTerms,
} from '@causeway/contract/operator-exchange.ts';
import { request, sealPassword } from './console-client.ts';
import { authenticatorCode, type DemoOperator } from './demo-operators.ts';
import { readJson, writeDurably } from './durable-file.ts';

/** Whole units, about a million US dollars each: the most that the platform is long and short of an asset. */
const MOST: Readonly<Record<string, string>> = {
  BTC: '10',
  ETH: '300',
  USDT: '1000000',
  USDC: '1000000',
  HKDT: '8000000',
  USD: '1000000',
  EUR: '900000',
  GBP: '800000',
  SGD: '1300000',
  CNY: '7000000',
  HKD: '8000000',
  AUD: '1500000',
  CAD: '1400000',
  JPY: '150000000',
  NZD: '1700000',
};

type Terms = Omit<Body<typeof proposeExchangeTerms>, 'reason'>;
/** One proposal of each of the two, since a code of an authenticator confirms one. */
const USUAL: Terms = { fromUsd: '0', basisPoints: 25 };
const LARGE: Terms = { fromUsd: '100000', basisPoints: 15 };
const REASON = 'Opening terms of the sandbox';

/**
 * Sets what exchanges cost and how far positions go, once, as two treasury operators of an installation do: what is added to spreads is
 * proposed by one and confirmed by the other, limits are set by one. Limits that are set already stay.
 */
export async function ensureDemoTerms(
  url: string,
  dataDir: string,
  [one, other]: readonly [DemoOperator, DemoOperator],
): Promise<void> {
  const file = join(dataDir, 'demo-terms.json');
  if ((await readJson(file).catch(() => undefined)) !== undefined) return;
  const desk = { url, people: [await enter(url, one), await enter(url, other)] as const };
  await agree(desk.url, USUAL, desk.people);
  await agree(desk.url, LARGE, [desk.people[1], desk.people[0]]);
  const token = desk.people[0].token;
  const { positions, assets } = await request(url, getExchangePosition, { token });
  for (const asset of assets) {
    const most = MOST[asset];
    const isSet = positions.some((held) => held.asset === asset && (held.mostLong ?? held.mostShort) !== null);
    if (most === undefined || isSet) continue;
    const body = { mostLong: most, mostShort: most, hedgeFrom: null, hedgeTo: null, reason: REASON };
    await request(url, changeExchangeLimit, { token, params: { asset }, body });
  }
  await writeDurably(file, JSON.stringify({ done: 'all' }));
}

interface SignedIn {
  token: string;
  secret: string;
}

async function enter(url: string, { email, password, secret }: DemoOperator): Promise<SignedIn> {
  const { key } = await request(url, operatorPasswordKey);
  const body = { email, password: await sealPassword(key, password) };
  const { ticket } = await request(url, operatorLogin, { body });
  const code = authenticatorCode(secret);
  return { token: (await request(url, operatorLoginCode, { body: { ticket, code } })).accessToken, secret };
}

/** The first proposes, the second confirms: with the code after the one of their sign-in, since each serves once. */
async function agree(url: string, terms: Terms, [first, second]: readonly [SignedIn, SignedIn]): Promise<void> {
  const body = { ...terms, reason: REASON };
  const { proposalId: id } = await request(url, proposeExchangeTerms, { token: first.token, body });
  const { digest } = await request(url, getProposal, { token: second.token, params: { id } });
  const code = authenticatorCode(second.secret, 1);
  await request(url, confirmProposal, { token: second.token, params: { id }, body: { digest, code } });
}
