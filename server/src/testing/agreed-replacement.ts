import pg from 'pg';
import type { ReplacementClaims } from '../features/rails/index.ts';
import { createSeal, type Seal } from '../platform/crypto/seal.ts';
import { newId } from '../platform/ids.ts';
import { type ChainWorld, type Company, chainId } from './chain-world.ts';
import { operatorAuthorisation } from './operator-authorisation.ts';
import { signedInOperator } from './operators.ts';

/** The seal of the operator's process. */
const operatorSeal: Seal = createSeal(operatorAuthorisation.privateKey);

interface Forged {
  claims?: Partial<ReplacementClaims>;
  seal?: Seal;
  state?: 'pending' | 'done' | 'refused';
  /** One person did both, in a database that lets them. */
  isAlone?: boolean;
}

/** What two operators leave who want an empty transaction in a payment's place, but for what is forged. */
export async function agreeOnEmpty(
  world: Pick<ChainWorld, 'db'>,
  company: Pick<Company, 'id'> & { address: string },
  { id, nonce }: { id: string; nonce: number },
  { claims = {}, seal = operatorSeal, state = 'done', isAlone = false }: Forged = {},
): Promise<void> {
  const [one, two] = [await signedInOperator(world.db, 'treasury'), await signedInOperator(world.db, 'support')];
  const [proposedBy, confirmedBy] = [one.session.userId, (isAlone ? one : two).session.userId];
  const proposalId = newId();
  const jws = seal('causeway-replacement', {
    version: 1,
    companyId: company.id,
    transferId: id,
    chainId,
    resources: [`${company.address}/${nonce}`],
    proposalId,
    proposedBy,
    confirmedBy,
    issuedAt: new Date().toISOString(),
    ...claims,
  } satisfies ReplacementClaims);
  const client = new pg.Client({ connectionString: world.db.superuserUrl });
  await client.connect();
  try {
    await client.query('set search_path = causeway');
    if (isAlone) {
      await client.query('alter table operator_proposal drop constraint if exists operator_proposal_two_people');
      await client.query('alter table operator_act drop constraint if exists operator_act_check2');
    }
    await client.query(
      `insert into operator_proposal (id, kind, subject_kind, subject_id, input, before, reason, proposed_by, expires_at, state,
         decided_by, decided_at)
       values ($1, 'payment.replaceEmpty', 'transaction', $2, '{}', '{}', 'agreed', $3, now() + interval '7 days', 'confirmed', $4, now())`,
      [proposalId, id, proposedBy, confirmedBy],
    );
    await client.query(
      `insert into operator_act (proposal_id, kind, company_id, subject_id, input, before, reason, proposed_by, confirmed_by, state,
         ended_at, refusal)
       values ($1, 'payment.replaceEmpty', $2, $3, '{}', '{}', 'agreed', $4, $5, $6::text, case when $6::text <> 'pending' then now() end,
         case when $6::text = 'refused' then 'exceptionNotPossible' end)`,
      [proposalId, company.id, id, proposedBy, confirmedBy, state],
    );
    await client.query(
      'insert into operator_replacement (proposal_id, company_id, transfer_id, jws) values ($1, $2, $3, $4)',
      [proposalId, company.id, id, jws],
    );
  } finally {
    await client.end();
  }
}
