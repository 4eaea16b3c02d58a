import type { Output } from '@causeway/contract/call.ts';
import { sendUserCode } from '@causeway/contract/identity.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import { addCryptoPayee } from '@causeway/contract/payees.ts';
import { transferOut } from '@causeway/contract/transfers.ts';
import { newId } from '../platform/ids.ts';
import { type ChainWorld, chainId, walletOf } from './chain-world.ts';
import type { Answer } from './envelope.ts';
import { type MainApp, type Member, mainApp } from './main-app.ts';
import type { Payment } from './restore-drill.ts';
import { succeed } from './succeed.ts';

/**
 * A client of the HTTP process in the drill of a restore. It keeps each request with its idempotency key, and sends it again
 * to the letter, as a program does that got no answer.
 */
export interface RestoreClient {
  main: MainApp;
  /** Makes the request: saves the payee and asks for the code, sends no transfer. */
  prepare(payment: Payment): Promise<void>;
  /** Sends the prepared request, for the first time or again. */
  send(payment: Payment): Promise<Answer<Output<typeof transferOut>>>;
  /** Makes the request again when member, payee and code are lost; the transfer's id and the key stay. */
  prepareAgain(payment: Payment): Promise<void>;
  /** Prepares the request if it is not prepared, sends it, and expects it to be accepted. */
  submit(payment: Payment): Promise<void>;
}

interface Prepared {
  as: Member;
  headers: { 'idempotency-key': string };
  content: object;
  code: string;
}

const usdtDecimals = 6;

export async function restoreClient(world: ChainWorld): Promise<RestoreClient> {
  const main = await mainApp(world.db, undefined, { authorisationKey: world.authorisationKey });
  const requests = new Map<string, Prepared>();

  function requestOf({ id }: Payment): Prepared {
    const request = requests.get(id);
    if (!request) throw new Error(`no request of payment ${id} was prepared`);
    return request;
  }

  async function newCode(as: Member, content: object): Promise<string> {
    const subject = { kind: 'transfer', content };
    await succeed(main, sendUserCode, { as, body: { scenario: 'transaction', subject } });
    return main.takeCode();
  }

  const client: RestoreClient = {
    main,
    async prepare(payment) {
      const { company, payee, amountMinor, id } = payment;
      const as = await main.member(company, 'finance');
      const newPayee = { label: 'Supplier', chain: chainId, coin: 'USDT', address: payee, remark: '' };
      const payeeId = (await succeed(main, addCryptoPayee, { as, body: newPayee })).data.id;
      const walletId = walletOf(company, 'USDT');
      const amount = formatAmount(amountMinor, usdtDecimals);
      const content = { id, walletId, payeeId, amount, attachmentIds: [], notes: '' };
      const code = await newCode(as, content);
      requests.set(id, { as, headers: { 'idempotency-key': newId() }, content, code });
    },
    send(payment) {
      const { as, headers, content, code } = requestOf(payment);
      return main.ask(transferOut, { as, headers, body: { ...content, fee: '1', codeMethod: 'email', code } });
    },
    async prepareAgain(payment) {
      const { headers } = requestOf(payment);
      await client.prepare(payment);
      requests.set(payment.id, { ...requestOf(payment), headers });
    },
    async submit(payment) {
      if (!requests.has(payment.id)) await client.prepare(payment);
      const answer = await client.send(payment);
      if (answer.status !== 200) throw new Error(`the transfer was refused: ${answer.raw.body}`);
    },
  };
  return client;
}
