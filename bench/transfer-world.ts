import { createHash, randomBytes, randomInt } from 'node:crypto';
import { systemRoleIds } from '@causeway/contract/permission.ts';
import { transferDigest } from '../server/src/features/transfers/domain.ts';
import { deriveKey, macOf } from '../server/src/platform/crypto/secrets.ts';
import { newId } from '../server/src/platform/ids.ts';
import type { StageDatabase } from './stage.ts';

/** People who can send: each a member with a session, of a company with a funded wallet and a payee. Seeded as the superuser. */

export interface Sender {
  companyId: string;
  userId: string;
  walletId: string;
  payeeId: string;
  payeeAddress: string;
  token: string;
  /** The member who decides the company's tasks; there is one where transfers are reviewed. */
  approver: { userId: string; token: string };
}

/** Who sends at once. */
export interface Crowd {
  companies: number;
  /** In each company; they share its wallet. */
  people: number;
  /** Whether a rule covers every transfer, so that each opens a task for another member to decide. */
  reviews: boolean;
}

/** A transfer that lacks nothing but being sent: its one-use code is issued. */
export interface Ready {
  transferId: string;
  token: string;
  key: string;
  body: string;
}

const chainId = 'ethereum';
const coin = 'USDT';
const fee = '1';
const notes = 'bench';
const amount = '2';
const amountMinor = 2_000_000n;

export async function seedSenders({ admin }: StageDatabase, { companies, people, reviews }: Crowd): Promise<Sender[]> {
  const senders = Array.from({ length: companies }, () => {
    const ofCompany = { companyId: newId(), walletId: newId(), payeeId: newId() };
    const payeeAddress = `0x${randomBytes(20).toString('hex')}`;
    const approver = { userId: newId(), token: newToken() };
    return Array.from({ length: people }, () => ({
      ...ofCompany,
      payeeAddress,
      approver,
      userId: newId(),
      token: newToken(),
    }));
  }).flat();
  const column = <T>(of: (sender: Sender) => T) => senders.map(of);
  await admin.query('set search_path = causeway');
  await admin.query(
    `create temporary table sender as
     select *, $7 + n as number, row_number() over (partition by company_id order by n) = 1 as is_first
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::bytea[], $8::uuid[], $9::bytea[])
       with ordinality as s (company_id, user_id, wallet_id, payee_id, address, token, approver_id, approver_token, n)`,
    [
      column((sender) => sender.companyId),
      column((sender) => sender.userId),
      column((sender) => sender.walletId),
      column((sender) => sender.payeeId),
      column((sender) => sender.payeeAddress),
      column((sender) => sha256(sender.token)),
      seeded,
      column(({ approver }) => approver.userId),
      column(({ approver }) => sha256(approver.token)),
    ],
  );
  seeded += senders.length;
  for (const statement of [...seeding, ...(reviews ? seedingReview : []), 'drop table sender', 'analyze']) {
    await admin.query(statement);
  }
  return senders;
}

function newToken(): string {
  return randomBytes(32).toString('base64url');
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Senders made so far: members, and addresses of the chain, are numbered. */
let seeded = 0;

/** Balances come from a posting each, as everywhere; the rest is what the product's own calls would have written. */
const seeding = [
  `insert into company (company_id, name) select company_id, 'Company ' || number from sender where is_first`,
  `insert into member (company_id, id, identifier, email, language, role_id, activated_at)
   select company_id, user_id, 'CW-' || number, 'member' || number || '@example.com', 'en_US', '${systemRoleIds.administrator}', now()
   from sender`,
  `insert into session (company_id, id, user_id, token_sha256, expires_at, ip, user_agent)
   select company_id, gen_random_uuid(), user_id, token, now() + interval '1 day', '127.0.0.1', 'bench' from sender`,
  `insert into code_guard (company_id, subject, scenario) select company_id, user_id, 'transaction' from sender`,
  `insert into chain_address (company_id, chain_id, address, derivation_index)
   select company_id, '${chainId}', '0x' || left(encode(sha256(token), 'hex'), 40), number from sender where is_first`,
  `insert into wallet (company_id, id, chain_id, asset_id) select company_id, wallet_id, '${chainId}', '${coin}' from sender where is_first`,
  `insert into crypto_payee (company_id, id, label, chain_id, coin, address, likeness, created_by, created_by_name)
   select company_id, payee_id, 'Payee', '${chainId}', '${coin}', address, left(address, 10), user_id, 'Member' from sender where is_first`,
  `insert into ledger_account (company_id, id, owner_id, kind, asset_id, normal)
   select company_id, gen_random_uuid(), wallet_id, k.kind, '${coin}', k.normal
   from sender, (values ('available', 'credit'), ('outbound', 'credit'), ('inbound', 'credit'), ('fee', 'credit'), ('chain', 'debit'))
     as k (kind, normal) where is_first`,
  `do $$ declare s record; begin
     for s in select x.company_id, a.id as available, c.id as chain from sender x
       join ledger_account a on a.company_id = x.company_id and a.kind = 'available'
       join ledger_account c on c.company_id = x.company_id and c.kind = 'chain' where x.is_first
     loop
       perform set_config('causeway.company_id', s.company_id::text, true);
       perform ledger_post(gen_random_uuid(), 'opening', gen_random_uuid(), 'opening', null,
         array[s.chain, s.available], array[-1000000000000, 1000000000000]);
     end loop;
   end $$`,
];

/** Review is on, by one rule for every value; another member of the company can approve. */
const seedingReview = [
  `insert into member (company_id, id, identifier, email, language, role_id, activated_at)
   select company_id, approver_id, 'CW-A' || number, 'approver' || number || '@example.com', 'en_US',
     '${systemRoleIds.approver}', now() from sender where is_first`,
  `insert into session (company_id, id, user_id, token_sha256, expires_at, ip, user_agent)
   select company_id, gen_random_uuid(), approver_id, approver_token, now() + interval '1 day', '127.0.0.1', 'bench'
   from sender where is_first`,
  `insert into code_guard (company_id, subject, scenario) select company_id, approver_id, 'transaction' from sender where is_first`,
  `insert into approval_setting (company_id, enabled, version, reviewed_since) select company_id, true, 1, now() from sender where is_first`,
  `insert into approval_rule (company_id, id, version, position) select company_id, wallet_id, 1, 1 from sender where is_first`,
  `insert into approval_rule_version (company_id, rule_id, version, name, lower, upper, nodes, active, created_by, created_by_name)
   select company_id, wallet_id, 1, 'All', 0, null,
     jsonb_build_array(jsonb_build_object('needed', 1, 'people', '[]'::jsonb, 'roles', jsonb_build_array('${systemRoleIds.approver}'))),
     true, user_id, 'Member' from sender where is_first`,
];

/** Issues one code for one transfer of each sender, and quotes a price. */
export async function makeReady(
  { admin }: StageDatabase,
  senders: readonly Sender[],
  appSecret: string,
): Promise<Ready[]> {
  // A transfer is refused when the price that it is judged by is old.
  await admin.query(
    `insert into causeway.rate (asset_id, usd, source, updated_at) values ('${coin}', 1, 'bench', now())
     on conflict (asset_id) do update set updated_at = excluded.updated_at`,
  );
  const transfers = senders.map((sender) => {
    const transferId = newId();
    const digest = transferDigest({ ...sender, transferId, chainId, coin, amountMinor, notes, attachmentIds: [] });
    return { ...sender, transferId, digest };
  });
  const codes = await issueCodes(admin, appSecret, transfers);
  return transfers.map(({ token, transferId, walletId, payeeId }, i) => {
    const content = { id: transferId, walletId, payeeId, amount, fee, attachmentIds: [], notes };
    return {
      transferId,
      token,
      key: newId(),
      body: JSON.stringify({ ...content, code: codes[i], codeMethod: 'email' }),
    };
  });
}

/** Issues the code that would be mailed to each member to confirm what the digest names; returns the codes in the same order. */
export async function issueCodes(
  admin: StageDatabase['admin'],
  appSecret: string,
  confirmations: readonly { companyId: string; userId: string; digest: string }[],
): Promise<string[]> {
  const key = deriveKey(appSecret, 'code');
  const issued = confirmations.map((one) => {
    const code = randomInt(1_000_000).toString().padStart(6, '0');
    return { ...one, code, mac: macOf(key, one.userId, 'transaction', one.digest, code) };
  });
  await admin.query(
    `insert into causeway.verification_code (company_id, id, subject, scenario, method, code_mac, digest, expires_at)
     select company_id, gen_random_uuid(), subject, 'transaction', 'email', mac, digest, now() + interval '1 hour'
     from unnest($1::uuid[], $2::text[], $3::bytea[], $4::text[]) as c (company_id, subject, mac, digest)`,
    [
      issued.map(({ companyId }) => companyId),
      issued.map(({ userId }) => userId),
      issued.map(({ mac }) => mac),
      issued.map(({ digest }) => digest),
    ],
  );
  return issued.map(({ code }) => code);
}
