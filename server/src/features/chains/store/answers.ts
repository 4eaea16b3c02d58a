import { sql } from 'kysely';
import { type Tx, together } from '../../../platform/database/database.ts';
import type { NodeAnswer } from '../gateway.ts';
import type { Send } from './sends.ts';

/** An attempt that is offered for days keeps no more rows than these. */
const mostAnswers = 20;
const wordsLength = 500;

/** Keeps what nodes said of an attempt's bytes: an answer that a node gave before is counted, and the oldest beyond the bound are removed. */
export async function keepAnswers(
  tx: Tx,
  { paymentId, attempt }: Pick<Send, 'paymentId' | 'attempt'>,
  answers: readonly NodeAnswer[],
): Promise<void> {
  if (answers.length === 0) return;
  const words = answers.map((answer) => answer.words.replaceAll('\u0000', '').slice(0, wordsLength).toWellFormed());
  await together([
    sql`
      insert into chain_answer as c (company_id, payment_id, attempt, node, answer, words)
      select distinct company_id(), ${paymentId}::uuid, ${attempt}::integer, *
      from unnest(${answers.map(({ node }) => node)}::text[], ${answers.map(({ answer }) => answer)}::text[], ${words}::text[])
      on conflict (company_id, payment_id, attempt, node, answer, words)
        do update set last_at = clock_timestamp(), times = c.times + 1`.execute(tx),
    sql`
      delete from chain_answer where company_id = company_id() and payment_id = ${paymentId} and attempt = ${attempt}
        and (node, answer, words) in (select node, answer, words from chain_answer
          where company_id = company_id() and payment_id = ${paymentId} and attempt = ${attempt}
          order by last_at desc offset ${mostAnswers})`.execute(tx),
  ]);
}
