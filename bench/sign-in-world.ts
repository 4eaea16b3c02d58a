import { generateKeyPairSync } from 'node:crypto';
import { CompactEncrypt, importJWK, type JWK } from 'jose';
import { createPasswords } from '../server/src/features/identity/passwords.ts';
import { Connection } from './http-client.ts';
import type { Server } from './server-process.ts';
import type { StageDatabase } from './stage.ts';
import type { Sender } from './transfer-world.ts';

/** Members who can sign in, and the requests with which they do. */

const password = 'Bench-Horse1';

/** The hash of the members' password as the product makes it, in PHC form, which names its cost. */
export async function hashPassword(): Promise<string> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const passwords = await createPasswords(privateKey.export({ format: 'jwk' }));
  return passwords.hash(password);
}

/** The cost that a PHC string names, such as `m=19456,t=2,p=1` (KiB, passes, lanes). */
export function costOf(hash: string): string {
  return hash.split('$')[3] ?? '';
}

/** Gives each member the password; returns for each the body of a sign-in, with the password encrypted as a browser does. */
export async function makeSignIns(
  { admin }: StageDatabase,
  { port }: Server,
  { members, hash }: { members: readonly Sender[]; hash: string },
): Promise<string[]> {
  const ids = members.map(({ userId }) => userId);
  await admin.query(
    `insert into causeway.credential (company_id, user_id, password_hash)
     select company_id, id, $2 from causeway.member where id = any ($1::uuid[])`,
    [ids, hash],
  );
  const { rows } = await admin.query<{ email: string }>(
    `insert into causeway.email_directory (email, company_id, user_id)
     select email, company_id, id from causeway.member where id = any ($1::uuid[]) returning email`,
    [ids],
  );
  const key = await passwordKeyOf(port);
  return Promise.all(
    rows.map(async ({ email }) => {
      const encrypted = await new CompactEncrypt(new TextEncoder().encode(password))
        .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM' })
        .encrypt(key);
      return JSON.stringify({ loginMethod: 'email', email, password: encrypted });
    }),
  );
}

async function passwordKeyOf(port: number) {
  const connection = await Connection.open(port);
  const { body } = await connection.request('GET', '/common/password-key', {});
  connection.close();
  const { kty = '', n = '', e = '' } = (JSON.parse(body) as { data: { key: JWK } }).data.key;
  return importJWK({ kty, n, e }, 'RSA-OAEP-256');
}
