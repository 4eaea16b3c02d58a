import { type OperatorRole, operatorPermissionsOf } from '@causeway/contract/operator-rules.ts';
import pg from 'pg';
import { nilCompany } from '../features/identity/index.ts';
import { systemClock } from '../platform/clock.ts';
import { newId } from '../platform/ids.ts';
import type { OperatorContext } from '../platform/session.ts';
import type { TestDatabase } from './database.ts';

/** An operator of the role, signed in: what a use case is given. The account has no ways to sign in that work. */
export async function signedInOperator(
  db: TestDatabase,
  role: OperatorRole,
  state: 'active' | 'disabled' = 'active',
): Promise<OperatorContext> {
  const userId = newId();
  const userName = `A ${role}`;
  const client = new pg.Client({ connectionString: db.superuserUrl });
  await client.connect();
  await client.query(
    `insert into causeway.operator_account (id, email, name, role, state, language, password_hash, totp_secret, activated_at)
     values ($1, $5, $2, $3, $4, 'en_US', 'x', 'x', now())`,
    [userId, userName, role, state, `${userId}@example.com`],
  );
  await client.end();
  const permissions = operatorPermissionsOf[role];
  const session = { id: newId(), companyId: nilCompany, userId, userName, role, permissions };
  return { session, locale: 'en-us', ip: '127.0.0.1', userAgent: 'test', requestId: 'test', clock: systemClock };
}
