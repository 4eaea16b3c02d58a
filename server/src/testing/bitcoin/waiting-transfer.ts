import { sql } from 'kysely';
import pg from 'pg';
import { insertSend, openAddress } from '../../features/chains/index.ts';
import { accountsByKind, move, post } from '../../features/ledger/index.ts';
import { planFor } from '../../features/rails/bitcoin/plan.ts';
import { insertDeposits } from '../../features/rails/store/deposits.ts';
import { insertTransactions } from '../../features/transactions/index.ts';
import { openWalletOf } from '../../features/wallets/index.ts';
import { newId } from '../../platform/ids.ts';
import type { MainApp, Tenant } from '../main-app.ts';
import { strangersAddress } from './addresses.ts';

/** Bitcoin in the database of a company's console, without a chain behind it. Amounts in satoshis. */

const chainId = 'bitcoin';
/** Indices that no other company of a test has. */
let companies = 1_000_000;

/** The company's wallet of bitcoin, with this amount in one coin or several that can be spent, in the books and on the chain. */
export async function bitcoinWallet(
  world: MainApp,
  tenant: Tenant,
  amountMinor = 1_000_000n,
  coins = 1,
): Promise<{ walletId: string; coinHash: string }> {
  const coinHash = hashOf(newId());
  const client = new pg.Client({ connectionString: world.db.superuserUrl });
  await client.connect();
  try {
    await client.query(`insert into causeway.chain (id, family, name, confirmations, block_time_ms, native_coin)
      values ('bitcoin', 'bitcoin', 'Bitcoin', 2, 600000, 'BTC') on conflict do nothing`);
    await client.query(`insert into causeway.chain_asset (chain_id, coin, withdraw_fee) values ('bitcoin', 'BTC', 0)
      on conflict do nothing`);
    await client.query(
      `insert into causeway.chain_cursor (chain_id, height, hash) values ('bitcoin', 100, 'tip') on conflict do nothing`,
    );
    await client.query(`insert into causeway.bitcoin_fee_rate (chain_id, economy, normal, urgent, minimum)
      values ('bitcoin', 2000, 10000, 20000, 1000) on conflict do nothing`);
  } finally {
    await client.end();
  }
  return world.db.worker.withCompany(tenant.id, async (tx) => {
    const address = strangersAddress(`account of ${tenant.id}`);
    companies += 1;
    await openAddress(tx, chainId, address, companies);
    const walletId = await openWalletOf(tx, chainId, 'BTC');
    const { chain, available } = await accountsByKind(tx, walletId, ['chain', 'available']);
    const legs = move(chain.id, available.id, amountMinor);
    await post(tx, { id: newId(), kind: 'deposit.credited', sourceId: newId(), description: 'a deposit', legs });
    await sql`
      insert into bitcoin_output (company_id, chain_id, hash, index, address, amount, is_change, block_number, block_hash)
      select company_id(), ${chainId}, ${coinHash}, index, ${address}, ${(amountMinor / BigInt(coins)).toString()}::numeric, false, 1, 'block'
      from generate_series(0, ${coins - 1}::int) index`.execute(tx);
    return { walletId, coinHash };
  });
}

const hashOf = (id: string) => id.replaceAll('-', '').padEnd(64, '0');

/** A transfer of the administrator's that is broadcast and waits for a block. */
export async function waitingTransfer(world: MainApp, tenant: Tenant): Promise<{ id: string; walletId: string }> {
  const { walletId, coinHash } = await bitcoinWallet(world, tenant);
  const id = newId();
  const { userId, userName } = tenant.admin.session;
  const [amountMinor, feeMinor] = [200_000n, 300n];
  const payee = strangersAddress('a payee');
  await world.db.app.withCompany(tenant.id, async (tx) => {
    await insertTransactions(tx, [
      {
        id,
        type: 'chain_withdraw',
        walletId,
        coin: 'BTC',
        quantityMinor: amountMinor,
        feeMinor,
        payeeAccount: payee,
        initiator: { id: userId, name: userName },
        valueUsdCents: 100n,
        chain: { chainId },
        timeline: [{ stage: 'submitted', actor: { id: userId, name: userName } }, { stage: 'broadcast' }],
      },
    ]);
    const { available, outbound } = await accountsByKind(tx, walletId, ['available', 'outbound']);
    const legs = move(available.id, outbound.id, amountMinor + feeMinor);
    await post(tx, { id: newId(), kind: 'transfer.reserve', sourceId: id, description: 'held for transfer', legs });
    await sql`insert into bitcoin_fee (company_id, transaction_id, level, network_fee, vsize)
      values (company_id(), ${id}, 'economy', ${feeMinor.toString()}, 141)`.execute(tx);
  });
  await world.db.worker.withCompany(tenant.id, async (tx) => {
    const from = strangersAddress(`account of ${tenant.id}`);
    const spent = { hash: coinHash, index: 0 };
    await insertSend(tx, {
      paymentId: id,
      attempt: 1,
      kind: 'transfer',
      transferId: id,
      chainId,
      fromAddress: from,
      amountMinor,
      plan: planFor({
        companyIndex: companies,
        inputs: [{ ...spent, address: from, amountMinor: 1_000_000n, ordinal: 0 }],
        outputs: [
          { address: payee, amountMinor, ordinal: null },
          { address: strangersAddress('change'), amountMinor: 799_700n, ordinal: 1_000_000_000 },
        ],
        feeMinor,
        vsize: 141,
      }),
    });
    await sql`update chain_send set hash = ${hashOf(id)}, raw = '00', first_broadcast_at = now()
      where company_id = company_id() and payment_id = ${id}`.execute(tx);
    await sql`update bitcoin_output set payment_id = ${id}, spent_by = ${hashOf(id)}
      where company_id = company_id() and hash = ${spent.hash}`.execute(tx);
  });
  return { id, walletId };
}

/** A deposit of the company's that waits for a block and pays little for it. @returns its transaction's id */
export async function waitingDeposit(world: MainApp, tenant: Tenant): Promise<{ id: string; walletId: string }> {
  const { walletId } = await bitcoinWallet(world, tenant);
  const id = newId();
  const hash = hashOf(id);
  const [address, amountMinor] = [strangersAddress(`account of ${tenant.id}`), 300_000n];
  await world.db.worker.withCompany(tenant.id, async (tx) => {
    await insertTransactions(tx, [
      {
        id,
        type: 'chain_deposit',
        walletId,
        coin: 'BTC',
        quantityMinor: amountMinor,
        payeeAccount: address,
        chain: { chainId, hash },
        timeline: [{ stage: 'seen', hash }],
      },
    ]);
    const { chain, inbound } = await accountsByKind(tx, walletId, ['chain', 'inbound']);
    const legs = move(chain.id, inbound.id, amountMinor);
    await post(tx, { id: newId(), kind: 'deposit.seen', sourceId: id, description: 'a deposit', legs });
    const terms = { replaceable: true, feeRate: 1000, ancestors: { feeMinor: 141n, vsize: 141 } };
    await insertDeposits(tx, chainId, [
      { transactionId: id, hash, output: 'vout:0', blockNumber: null, blockHash: null, terms },
    ]);
    await sql`insert into bitcoin_output (company_id, chain_id, hash, index, address, amount, is_change)
      values (company_id(), ${chainId}, ${hash}, 0, ${address}, ${amountMinor.toString()}, false)`.execute(tx);
  });
  return { id, walletId };
}
