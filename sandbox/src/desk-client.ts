import { type BitcoinDesk, bitcoinDesk } from './desk-bitcoin-client.ts';
import type { FaucetCoin } from './tokens.ts';

/** The desk's API as the supervisor, the demo company and the fault tests use it (see desk-api.ts). */
export type DeskClient = {
  balance(coin: FaucetCoin, address: string): Promise<string>;
  faucet(coin: FaucetCoin, address: string, amount: string): Promise<void>;
  /** The mails to this address, newest first. */
  mails(to: string): Promise<DeskMail[]>;
  bitcoin: BitcoinDesk;
  /** Any other call of the API by its path: GET without a body, POST with one. */
  call(path: string, body?: unknown): Promise<unknown>;
};

export type DeskMail = { id: string; text: string; codes: string[] };

export function deskClient(url: string): DeskClient {
  async function call(path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${url}/api/${path}`, {
      ...(body === undefined
        ? {}
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`the sandbox desk refused ${path}: ${JSON.stringify(answer)}`);
    return answer;
  }
  return {
    async balance(coin, address) {
      const answer = await call(`balance?${new URLSearchParams({ coin, address })}`);
      if (typeof answer === 'object' && answer !== null && 'balance' in answer) return String(answer.balance);
      throw new Error('the sandbox desk named no balance');
    },
    async faucet(coin, address, amount) {
      await call('faucet', { coin, address, amount });
    },
    async mails(to) {
      const answer = await call(`mails?${new URLSearchParams({ to })}`);
      return Array.isArray(answer) ? answer.filter(isMail) : [];
    },
    bitcoin: bitcoinDesk(call),
    call,
  };
}

function isMail(value: unknown): value is DeskMail {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    'text' in value &&
    'codes' in value &&
    Array.isArray(value.codes)
  );
}
