import { type RawBuilder, sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';

/** What a keyword means across companies: an id, a hash, an address, an amount, or words of a transaction or a company's name. */

export interface Pair {
  companyId: string;
  id: string;
}

export type Found =
  | { by: 'nothing' }
  /** Rows by their keys, and companies all of whose rows match. */
  | { by: 'rows'; pairs: readonly Pair[]; companies: readonly string[] }
  /** A condition on `t`; common where many rows have it. */
  | { by: 'condition'; condition: RawBuilder<unknown>; isCommon: boolean };

const uuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const hash = /^(0x)?[0-9a-f]{64}$/;
const address = /^0x[0-9a-f]{40}$/;
/** More rows than these are not looked up by their keys. */
const mostPairs = 10_000;

export async function findKeyword(
  tx: PlatformTx,
  keyword: string | undefined,
  company: string | undefined,
): Promise<Found> {
  const word = keyword?.trim().toLowerCase() ?? '';
  if (word === '') return { by: 'nothing' };
  if (uuid.test(word)) return { by: 'condition', condition: sql`t.id = ${word}::uuid`, isCommon: false };
  if (hash.test(word)) return { by: 'rows', pairs: await pairsOfHash(tx, word), companies: [] };
  if (address.test(word)) return { by: 'condition', condition: ofAddress(word), isCommon: false };
  const texts = await textOf(tx, word);
  const pairs = await pairsOfWord(tx, word, texts, company);
  if (pairs.length <= mostPairs) return { by: 'rows', pairs, companies: await companiesNamed(tx, word) };
  return {
    by: 'condition',
    condition: sql`((select ${sql.raw(texts.plain)} from transaction_text x where x.company_id = t.company_id and x.transaction_id = t.id)
      or t.company_id = any (${[...(await companiesNamed(tx, word))]}::uuid[])
      or exists (select from amount_of_word(${word}) a where t.amount_whole >= a.low and t.amount_whole < a.high
        and (a.direction is null or t.direction = a.direction) and (a.coin is null or t.coin = a.coin)))`,
    isCommon: true,
  };
}

/** Through the index of look-alikes, which has a short form of each account. */
function ofAddress(word: string): RawBuilder<unknown> {
  return sql`(address_likeness(t.payer_account) = address_likeness(${word}) and lower(t.payer_account) = ${word}
    or address_likeness(t.payee_account) = address_likeness(${word}) and lower(t.payee_account) = ${word})`;
}

/** Where a chain has it now, and every attempt that was ever signed, replaced ones too. */
async function pairsOfHash(tx: PlatformTx, word: string): Promise<Pair[]> {
  const { rows } = await sql<Pair>`
    select x.company_id as "companyId", x.transaction_id as id
    from company c cross join lateral (select * from transaction_chain r where r.company_id = c.company_id and lower(r.hash) = ${word} offset 0) x
    union
    select s.company_id, s.transfer_id from chain h
    cross join lateral (select * from chain_send r where r.chain_id = h.id and r.hash = ${word} offset 0) s
    where s.company_id <> '00000000-0000-0000-0000-000000000000'`.execute(tx);
  return rows;
}

/** The conditions that find a word in a text `x`, for the index and for reading; made by the database, which quotes the word. */
async function textOf(tx: PlatformTx, word: string): Promise<{ indexed: string; plain: string }> {
  const { rows } = await sql<{ indexed: string; plain: string }>`
    select transaction_text_condition(${word}, true) as indexed, transaction_text_condition(${word}, false) as plain`.execute(
    tx,
  );
  const [made] = rows;
  return made ?? { indexed: 'false', plain: 'false' };
}

/** Rows with the word in a text, indexed or not yet, or of the amount that it says. */
async function pairsOfWord(
  tx: PlatformTx,
  word: string,
  { indexed, plain }: { indexed: string; plain: string },
  company: string | undefined,
): Promise<Pair[]> {
  const most = mostPairs + 1;
  const [inIndex, ofRow, ofCompany] =
    company === undefined
      ? [sql`true`, sql`true`, sql`true`]
      : [
          sql`array[x.company_id] @> array[${company}::uuid]`,
          sql`x.company_id = ${company}`,
          sql`c.company_id = ${company}`,
        ];
  const { rows } = await sql<Pair>`
    (select x.company_id as "companyId", x.transaction_id as id from transaction_text x
      where x.indexed and ${inIndex} and ${sql.raw(indexed)} limit ${most})
    union (select x.company_id, x.transaction_id from transaction_text x
      where not x.indexed and ${ofRow} and ${sql.raw(plain)} limit ${most})
    union (select t.company_id, t.id from amount_of_word(${word}) a, company c cross join lateral (
        select r.company_id, r.id from transaction r
        where r.company_id = c.company_id and r.amount_whole >= a.low and r.amount_whole < a.high
          and (a.direction is null or r.direction = a.direction) and (a.coin is null or r.coin = a.coin) limit ${most}) t
      where ${ofCompany} limit ${most})`.execute(tx);
  return rows;
}

async function companiesNamed(tx: PlatformTx, word: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select company_id as id from company where strpos(lower(name), ${word}) > 0 limit 1000`.execute(tx);
  return rows.map(({ id }) => id);
}
