import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { composeReport, holdingLines, type ReportParts, timingLines } from '../features/operator/solvency/domain.ts';
import { keyIdOf } from '../platform/audit/chain.ts';
import { type CompanyFile, type FullFile, reportMessage, type Signed } from '../platform/solvency/statement.ts';

/** Reports of solvency without database and signer, signed with a key of the test's own. */

export interface TestKey {
  privateKey: KeyObject;
  publicKey: string;
}

export function testKey(): TestKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { privateKey, publicKey: String(publicKey.export({ format: 'jwk' }).x) };
}

export function signedWith({ privateKey, publicKey }: TestKey, day: string, digest: string): Signed {
  const at = '2026-01-02T00:10:00.000Z';
  const signature = sign(null, reportMessage({ day, digest, at }), privateKey).toString('base64url');
  return { digest, at, keyId: keyIdOf(Buffer.from(publicKey, 'base64url')), publicKey, signature };
}

export interface TestReport {
  companies: CompanyFile[];
  full: FullFile;
}

/** The files of a report: one for each company, in the order of the tree, and the operator's. */
export function filesOf(parts: ReportParts, key: TestKey): TestReport {
  const { statement, digest, leaves } = composeReport(parts);
  const signed = signedWith(key, parts.day, digest);
  const leafOf = ({ companyId, salt, sums }: (typeof leaves)[number]) => ({
    company: companyId,
    salt: salt.toString('hex'),
    sums,
  });
  return {
    companies: leaves.map((leaf) => ({
      type: 'company',
      statement,
      signed,
      leaf: { ...leafOf(leaf), position: leaf.position },
      path: leaf.path,
    })),
    full: {
      type: 'full',
      statement,
      signed,
      leaves: leaves.map(leafOf),
      holdings: holdingLines(parts.chains),
      timing: timingLines(parts.chains),
    },
  };
}
