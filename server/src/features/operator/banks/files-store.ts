import { listBankFiles } from '@causeway/contract/operator-banks.ts';
import type { BankFileState, bankFileSources } from '@causeway/contract/operator-banks-rules.ts';
import { type RawBuilder, sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';
import { defineList } from '../../../platform/database/list.ts';

/** Files of banks as they came, and what was read in them. Amounts in minor units. */

export interface FileRow {
  id: string;
  bank: string;
  bankName: string;
  nameZhHk: string | null;
  nameZhCn: string | null;
  name: string;
  kind: string | null;
  bytes: number;
  source: (typeof bankFileSources)[number];
  state: BankFileState;
  problem: string | null;
  blanks: Record<string, string | number> | null;
  at: Date;
  readAt: Date | null;
}

const columns =
  sql`f.id, f.bank_id as bank, b.name as "bankName", b.name_zh_hk as "nameZhHk", b.name_zh_cn as "nameZhCn", f.name, f.kind,
  f.bytes, f.source, f.state, f.problem, f.problem_blanks as blanks, f.received_at as at, f.read_at as "readAt"` as RawBuilder<FileRow>;

export const fileList = defineList(listBankFiles, {
  from: () => sql`bank_message f join bank b on b.id = f.bank_id`,
  where: () => sql`true`,
  filters: {
    bank: (bank) => sql`f.bank_id = ${bank}`,
    state: (state) => sql`f.state = ${state}`,
  },
  columns: () => columns,
  orders: { time: { by: sql`f.received_at`, kind: 'time' } },
  first: { sort: 'time', order: 'desc' },
  id: sql`f.id`,
});

export async function findFile(
  tx: PlatformTx,
  id: string,
): Promise<(FileRow & { sha256: string; reference: string | null }) | null> {
  const { rows } = await sql<FileRow & { sha256: string; reference: string | null }>`
    select ${columns}, encode(f.sha256, 'hex') as sha256, f.message_reference as reference
    from bank_message f join bank b on b.id = f.bank_id where f.id = ${id}`.execute(tx);
  return rows[0] ?? null;
}

/** The first bytes of a file, or all of them. A copy has none of its own: those of the message that it is a copy of. */
export async function readContent(tx: PlatformTx, id: string, mostParts: number | null): Promise<Buffer> {
  const { rows } = await sql<{ content: Buffer }>`
    select p.content from bank_message f
    join bank_message o on o.bank_id = f.bank_id and o.sha256 = f.sha256
    join bank_message_part p on p.message_id = o.id
    where f.id = ${id} and o.id = (
      select k.id from bank_message k where k.bank_id = f.bank_id and k.sha256 = f.sha256
        and exists (select from bank_message_part q where q.message_id = k.id) order by k.received_at, k.id limit 1)
    order by p.number limit ${mostParts}`.execute(tx);
  return Buffer.concat(rows.map(({ content }) => content));
}

export interface StatementRow {
  id: string;
  kind: 'statement' | 'notification';
  account: string;
  asset: string;
  decimals: number;
  reference: string;
  openingMinor: bigint | null;
  openedOn: string | null;
  closingMinor: bigint | null;
  closedOn: string | null;
  totalMinor: bigint;
  entries: number;
  isCopy: boolean;
}

export async function findStatements(tx: PlatformTx, fileId: string): Promise<StatementRow[]> {
  const { rows } = await sql<StatementRow>`
    select s.id, s.kind, c.number as account, a.id as asset, a.decimals, s.reference, s.opening as "openingMinor",
      s.opened_on::text as "openedOn", s.closing as "closingMinor", s.closed_on::text as "closedOn", s.total as "totalMinor", s.entries,
      s.copy_of is not null as "isCopy"
    from bank_statement s join bank_collection c on c.id = s.collection_id join asset a on a.id = c.asset_id
    where s.message_id = ${fileId} order by c.number, s.kind, s.closed_on, s.id limit 200`.execute(tx);
  return rows;
}
