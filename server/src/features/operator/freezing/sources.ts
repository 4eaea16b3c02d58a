import { sql } from 'kysely';
import { freezeReference } from '../../identity/index.ts';
import { mostCauses, type Source } from '../queue/cause.ts';

/** What is frozen by the operator, for the queue: until it is unfrozen, a person of the firm has something to clear up. Wallets have a source of their own. */

interface Row {
  id: string;
  companyId: string;
  subjectId: string;
  since: Date;
  name: string;
  note: string;
}

function frozen(kind: 'companyFrozen' | 'memberFrozen', subjectKind: 'company' | 'member'): Source {
  return {
    kind,
    async find(tx) {
      const { rows } = await sql<Row>`
        select f.id, f.company_id as "companyId", f.subject_id as "subjectId", f.at as since, n.note,
          coalesce(nullif(trim(m.first_name || ' ' || m.last_name), ''), m.email, '') as name
        from frozen_subject f
        join operator_freeze n on n.freeze_id = f.id
        left join member m on m.company_id = f.company_id and m.id = f.subject_id
        where f.subject_kind = ${subjectKind} and f.ended_at is null
        order by f.company_id, f.id limit ${mostCauses}`.execute(tx);
      return rows.map(({ id, companyId, subjectId, since, name, note }) => ({
        subject: subjectId,
        companyId,
        since,
        money: null,
        facts: { reason: note, reference: freezeReference(id), ...(subjectKind === 'member' ? { member: name } : {}) },
      }));
    },
  };
}

export const freezingSources: readonly Source[] = [
  frozen('companyFrozen', 'company'),
  frozen('memberFrozen', 'member'),
];
