import { exchange } from '@causeway/contract/exchange.ts';
import { getDeskRequest, quoteDeskRequest } from '@causeway/contract/operator-otc.ts';
import { withdrawOtc } from '@causeway/contract/otc.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { balancesOf, moveExpiry } from '../../testing/exchange-world.ts';
import { setLimit } from '../../testing/exchanges.ts';
import type { Member, Tenant } from '../../testing/main-app.ts';
import {
  acceptance,
  asked,
  detailOf,
  lapseDue,
  type OtcWorld,
  otcWorld,
  passDeadline,
  quoted,
  wealthy,
} from '../../testing/otc-world.ts';
import { verifyLedger } from '../ledger/index.ts';

/** Steps of one request at the same moment, on a real PostgreSQL: one comes first, and the money follows it. */

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 6);

let otc: OtcWorld;
beforeAll(async () => {
  otc = await otcWorld();
});
afterAll(async () => {
  const verified = await otc.world.db.operator.withoutCompany((tx) => verifyLedger(tx));
  expect(verified.mismatches).toEqual([]);
  await otc.close();
});
afterEach(() => {
  expect(otc.world.complaints.splice(0)).toEqual([]);
  expect(otc.desk.complaints.splice(0)).toEqual([]);
});

interface Racer {
  tenant: Tenant;
  as: Member;
  id: string;
}

async function race(round: (racer: Racer) => Promise<void>): Promise<void> {
  for (let index = 0; index < rounds; index++) {
    const tenant = await wealthy(otc.world);
    const as = await otc.world.member(tenant, 'finance');
    await round({ tenant, as, id: await asked(otc.world, tenant, as) });
  }
}

/** What holds after every race: an accepted request has its one exchange and has paid once; any other has paid nothing and has no quote. */
async function settled({ tenant, as, id }: Racer): Promise<string> {
  const { state, exchange: made, messages } = await detailOf(otc.world, as, id);
  const { available, outbound } = await balancesOf(otc.world.db, tenant, 'USDT');
  const { rows } = await otc.world.db.app.withCompany(tenant.id, (tx) =>
    sql<{ exchanges: number; used: number; open: number }>`
      select (select count(*) from exchange where company_id = company_id()) as exchanges,
        (select count(*) from exchange_quote where company_id = company_id() and otc_request_id = ${id} and used_by is not null) as used,
        (select count(*) from exchange_quote where company_id = company_id() and otc_request_id = ${id} and used_by is null) as open`.execute(
      tx,
    ),
  );
  const isAccepted = state === 'accepted';
  expect(outbound).toBe(0n);
  expect(available).toBe(isAccepted ? 40_000_000_000n : 100_000_000_000n);
  expect(rows[0]).toEqual({
    exchanges: isAccepted ? 1 : 0,
    used: isAccepted ? 1 : 0,
    open: state === 'quoted' ? 1 : 0,
  });
  expect(made !== null).toBe(isAccepted);
  expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, place) => place + 1));
  return state;
}

const withdraw = ({ as, id }: Racer) => otc.world.ask(withdrawOtc, { as, params: { id } });

test('of an acceptance and a withdrawal one succeeds', async () => {
  await race(async (racer) => {
    await quoted(otc, racer.id);
    const request = await acceptance(otc.world, racer.as, racer.id);
    const [accepted, withdrawn] = await Promise.all([otc.world.ask(exchange, request), withdraw(racer)]);
    const state = await settled(racer);
    expect([accepted.status === 200, withdrawn.status === 200]).toEqual([state === 'accepted', state === 'withdrawn']);
    expect([accepted.key, withdrawn.key]).toEqual(
      state === 'accepted' ? [null, 'otcNotOpen'] : ['quoteNotFound', null],
    );
  });
});

test('of an acceptance and a new quote of the desk one comes first', async () => {
  await race(async (racer) => {
    await quoted(otc, racer.id);
    const request = await acceptance(otc.world, racer.as, racer.id);
    const { data } = await otc.desk.ask(getDeskRequest, { as: otc.dealer, params: { id: racer.id } });
    const body = { version: data.version, rate: '0.0003', minutes: 5, text: '' };
    const [accepted, answered] = await Promise.all([
      otc.world.ask(exchange, request),
      otc.desk.ask(quoteDeskRequest, { as: otc.dealer, params: { id: racer.id }, body }),
    ]);
    const state = await settled(racer);
    expect([accepted.key, answered.key]).toEqual(state === 'accepted' ? [null, 'otcNotOpen'] : ['quoteNotFound', null]);
  });
});

test('a quote that expires, and a request that lapses, while it is accepted: either executed before, or not at all', async () => {
  await race(async (racer) => {
    const { data } = await quoted(otc, racer.id);
    const request = await acceptance(otc.world, racer.as, racer.id);
    await passDeadline(otc.world.db, racer.id);
    const [accepted] = await Promise.all([
      otc.world.ask(exchange, request),
      moveExpiry(otc.world.db, data.quoteId, '-1 second').then(() => lapseDue(otc.world.db)),
    ]);
    if (accepted.status !== 200) expect(['quoteExpired', 'quoteNotFound']).toContain(accepted.key);
    expect(await settled(racer)).toBe(accepted.status === 200 ? 'accepted' : 'lapsed');
  });
});

test('of two acceptances one is made', async () => {
  await race(async (racer) => {
    await quoted(otc, racer.id);
    const one = await acceptance(otc.world, racer.as, racer.id);
    const other = await acceptance(otc.world, racer.tenant.admin, racer.id);
    const answers = await Promise.all([one, other].map((request) => otc.world.ask(exchange, request)));
    expect(answers.map(({ key }) => key).sort()).toEqual(['quoteUsed', null].sort());
    expect(await settled(racer)).toBe('accepted');
  });
});

test('of an answer of the desk and a withdrawal one comes first, and the quote of a withdrawn request ends', async () => {
  await race(async (racer) => {
    const [answered, withdrawn] = await Promise.all([quoted(otc, racer.id), withdraw(racer)]);
    expect(withdrawn.status).toBe(200);
    if (answered.status !== 200) expect(['otcNotOpen', 'otcChanged']).toContain(answered.key);
    expect(await settled(racer)).toBe('withdrawn');
  });
});

test('answers that together would go beyond the limit are not all given', async () => {
  const room = async () => {
    const { rows } = await otc.world.db.console.withoutCompany((tx) =>
      sql<{ give: bigint | null }>`select trunc(give) as give from otc_room('ETH', null)`.execute(tx),
    );
    return rows[0]?.give ?? null;
  };
  for (let index = 0; index < rounds; index++) {
    const tenant = await wealthy(otc.world);
    const ids: string[] = [];
    for (let one = 0; one < 4; one++) ids.push(await asked(otc.world, tenant, tenant.admin));
    // Room for one more of these, of 24 ETH each.
    await setLimit(otc.world.db, 'ETH', { mostShort: String(10n ** 24n) });
    const open = (await room()) ?? 0n;
    await setLimit(otc.world.db, 'ETH', { mostShort: String(10n ** 24n - open + 30n * 10n ** 18n) });
    const answers = await Promise.all(ids.map((id) => quoted(otc, id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { key } of answers) expect([null, 'otcBeyondLimit']).toContain(key);
    expect(await room()).toBe(30n * 10n ** 18n - 23_809_500_000_000_000_000n);
  }
});
